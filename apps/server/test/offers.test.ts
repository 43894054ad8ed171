import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { H } from '@liquidity-os/evidence'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMilliseconds } from '../src/units.ts'
import { startTestService, type TestService } from './support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-offers-'))
const pinnedFile = (name: string, content: object) => {
  const [path, text] = [join(folder, name), JSON.stringify(content)]
  writeFileSync(path, text)
  return { path, sha256: createHash('sha256').update(text).digest('hex') }
}

const offering = {
  offeringId: 'depth-report',
  title: 'Depth report',
  slaSeconds: 3600,
  description: 'Depth of one market at one block.',
  requirement: { type: 'object', properties: { pool: { type: 'string' } }, required: ['pool'] },
  deliverable: { mediaType: 'application/json', schemaHash: H('deliverable', { version: 1 }) },
  price: {
    amount: '25000000',
    decimals: 6,
    assetKey: 'eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
}
const plan = {
  planId: 'team',
  name: 'Team',
  summary: 'One token and its treasury.',
  price: { minor: '49000', currency: 'EUR', per: 'MONTH' },
  includes: ['Unlimited studies'],
}

let service: TestService
let bare: TestService
let validUntil: string
beforeAll(async () => {
  bare = await startTestService({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
  validUntil = new Date(bare.clock.read() + dayMilliseconds).toISOString()
  const plans = pinnedFile('plans.json', {
    version: '2026-11',
    validUntil,
    plans: [plan, { ...plan, planId: 'free', price: null }],
  })
  const offer = pinnedFile('offer.json', { catalogVersion: 'v1', validUntil, offering })
  service = await startTestService({
    PLANS_FILE: plans.path,
    PLANS_SHA256: plans.sha256,
    ACP_OFFERING_FILE: offer.path,
    ACP_OFFERING_SHA256: offer.sha256,
  })
  service.clock.advance(bare.clock.read() - service.clock.read())
})
afterAll(async () => {
  await Promise.all([service.stop(), bare.stop()])
  rmSync(folder, { recursive: true })
})

interface Body {
  data: Record<string, unknown>
  error: { code: string }
}
const ask = async ({ baseUrl }: TestService, path: string) => {
  const answer = await fetch(`${baseUrl}/api/liquidity-studio/v2/public/${path}`)
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
}

it('serves the files publicly until they expire', async () => {
  const plans = await ask(service, 'plans')
  expect(plans.headers.get('cache-control')).toBe('no-store')
  expect(plans.body.data).toEqual({
    state: 'PREVIEW',
    version: '2026-11',
    validUntil,
    checkoutAvailable: false,
    plans: [plan, { ...plan, planId: 'free', price: null }],
  })
  const { body } = await ask(service, 'acp/offering')
  expect(body.data).toEqual({
    state: 'PREVIEW',
    catalogVersion: 'v1',
    validUntil,
    signature: null,
    acceptsJobs: false,
    offering: { ...offering, previewHash: H('acp-offering-preview', offering) },
    executionAuthorityGranted: false,
  })
  service.clock.advance(dayMilliseconds)
  expect((await ask(service, 'plans')).body.data).toMatchObject({
    state: 'NOT_CONFIGURED',
    version: null,
    validUntil: null,
    plans: [],
  })
  expect((await ask(service, 'acp/offering')).body.data).toMatchObject({
    state: 'NOT_CONFIGURED',
    catalogVersion: null,
    validUntil: null,
    offering: null,
  })
})

it('reports a missing configuration, and a rate limit under its own code', async () => {
  expect((await ask(bare, 'plans')).body.data.state).toBe('NOT_CONFIGURED')
  expect((await ask(bare, 'acp/offering')).body.data.state).toBe('NOT_CONFIGURED')
  await ask(bare, 'plans')
  const [plans, offer] = [await ask(bare, 'plans'), await ask(bare, 'acp/offering')]
  expect([plans.status, plans.body.error.code]).toEqual([429, 'PUBLIC_PLANS_BUSY'])
  expect([offer.status, offer.body.error.code]).toEqual([429, 'PUBLIC_ACP_OFFERING_BUSY'])
  expect(plans.headers.get('retry-after')).toMatch(/^[1-9][0-9]?$/)
  expect(plans.headers.get('cache-control')).toBe('no-store')
})
