import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operations } from '@liquidity-os/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signWebhook } from '../src/integrations/webhooks/standard-webhooks.ts'
import { venueBody } from './support/bodies.ts'
import { issue } from './support/credentials.ts'
import { newOrganization, startTestService, type TestService } from './support/service.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

let service: TestService
let app: string
beforeAll(async () => {
  service = await startTestService()
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-client-'))
  const built = join(folder, 'client')
  await run(process.execPath, ['packages/client/build/build.ts', built, '--pack'], { cwd: root })
  app = join(folder, 'app')
  const [packed] = readdirSync(built).filter((file) => file.endsWith('.tgz'))
  await run('mkdir', [app])
  writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }')
  // Without a network: what is installed depends on nothing.
  const offline = ['install', '--offline', '--no-audit', '--no-fund', join(built, packed ?? '')]
  await run('npm', offline, { cwd: app })
})
afterAll(async () => {
  await service.stop()
  rmSync(join(app, '..'), { recursive: true, force: true })
})

/** Runs a program of another project and gives what it printed, a line of JSON. */
async function printed(program: string, environment: Record<string, string> = {}) {
  const path = join(app, 'program.js')
  writeFileSync(path, program)
  const { stdout } = await run(process.execPath, [path], {
    env: { PATH: process.env.PATH, ...environment },
  })
  return JSON.parse(stdout)
}

it('has every operation, and calls a service from another project: pages, rejections and repeated keys', async () => {
  const owner = await newOrganization(service)
  for (const number of [1, 2, 3]) await owner.client.createVenues({ body: venueBody(number) })
  const { secret } = (await issue(owner, 'API_KEY', ['alerts:read'])) as unknown as {
    secret: string
  }
  const found = await printed(
    `import { ApiFailure, createClient, each, Failures } from '@liquidity-os/client'
    const { BASE_URL, ORGANIZATION, COOKIE_NAME, COOKIE, ORIGIN, SECRET } = process.env
    const auth = { kind: 'session', cookieName: COOKIE_NAME, cookie: COOKIE, origin: ORIGIN }
    let lost = 0
    // The answer to the first change is lost on its way.
    const losing = async (url, init) => {
      const answer = await fetch(url, init)
      if (init.method === 'POST' && lost++ === 0) throw new TypeError('fetch failed')
      return answer
    }
    const client = createClient({ baseUrl: BASE_URL, organizationId: ORGANIZATION, auth, fetch: losing })
    const names = []
    for await (const venue of each(client.listVenues, { query: { limit: 2 } })) names.push(venue.id)
    const { status, headers } = await client.createVenues({ body: ${JSON.stringify(venueBody(4))} })
    const refusal = await client.getVenues({ params: { id: 'venue_${'0'.repeat(32)}' } }).catch((error) => error)
    const program = createClient({ baseUrl: BASE_URL, organizationId: ORGANIZATION, auth: { kind: 'bearer', token: SECRET } })
    const denied = await program.listStudies().catch((error) => error)
    let all = 0
    for await (const one of each(client.listVenues)) all += 1
    console.log(JSON.stringify({
      operations: Object.keys(client).sort(), names, status, lost, all,
      isReplayed: headers.get('idempotency-replayed'),
      refusal: [refusal.code, refusal instanceof ApiFailure, refusal instanceof Failures.LIQUIDITY_RESOURCE_NOT_FOUND],
      denied: denied.status,
    }))`,
    {
      BASE_URL: service.baseUrl,
      ORGANIZATION: owner.organizationId,
      SECRET: secret,
      COOKIE_NAME: service.config.sessionCookie,
      COOKIE: owner.cookie,
      ORIGIN: new URL(service.config.baseUrl).origin,
    },
  )
  expect(found.operations).toEqual(expect.arrayContaining(operations.map(({ id }) => id)))
  expect([found.names.length, new Set(found.names).size]).toEqual([3, 3])
  expect([found.status, found.lost, found.isReplayed, found.all]).toEqual([201, 2, 'true', 4])
  expect(found.refusal).toEqual(['LIQUIDITY_RESOURCE_NOT_FOUND', true, true])
  expect(found.denied).toBe(403)
})

it('verifies signed webhooks of the service, and nothing else', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = JSON.stringify({ type: 'venue.created', timestamp: '2026-01-05T12:00:00Z', data: 1 })
  const headers = signWebhook('msg_1', Math.floor(Date.now() / 1000), body, [secret])
  const found = await printed(
    `import { verifyWebhook } from '@liquidity-os/client'
    const [secret, body, headers] = ${JSON.stringify([secret, body, headers])}
    const refused = (change) => { try { change(); return false } catch { return true } }
    console.log(JSON.stringify([
      verifyWebhook(secret, body, new Headers(headers)),
      refused(() => verifyWebhook(secret, body + ' ', headers)),
      refused(() => verifyWebhook(secret, body, { ...headers, 'webhook-timestamp': '1' })),
    ]))`,
  )
  expect(found).toEqual([JSON.parse(body), true, true])
})

it('has types that a compiler holds a program to', async () => {
  writeFileSync(
    join(app, 'typed.ts'),
    `import { createClient, each, Failures } from '@liquidity-os/client'
    const client = createClient({ baseUrl: 'http://localhost' })
    for await (const venue of each(client.listVenues, { query: { status: 'VALIDATED' } })) {
      const name: string = venue.payload.name
      // @ts-expect-error a name is no number
      const wrong: number = venue.payload.name
      console.log(name, wrong)
    }
    // @ts-expect-error an id is needed
    client.getVenues({})
    // @ts-expect-error there is no such state
    client.listVenues({ query: { status: 'NOBODY' } })
    const told = (error: unknown) => {
      if (error instanceof Failures.LIQUIDITY_RESOURCE_NOT_FOUND) {
        const code: 'LIQUIDITY_RESOURCE_NOT_FOUND' = error.code
        return code
      }
      // @ts-expect-error there is no such code
      return error instanceof Failures.LIQUIDITY_NOBODY
    }
    console.log(told)`,
  )
  const compiler = join(root, 'node_modules/.bin/tsc')
  const terms = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024']
  const { stdout } = await run(compiler, [...terms, 'typed.ts'], { cwd: app }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
