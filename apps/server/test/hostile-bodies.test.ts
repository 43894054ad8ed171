import { contract } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { refusal } from './every-operation/requests.ts'
import { it } from './support/fixtures.ts'
import type { TestService } from './support/service.ts'

const study = contract.createStudies.example.body

describe('a body made to exhaust', () => {
  it('of sixty thousand members is refused before they are built', async ({ owner }) => {
    const payload = Object.fromEntries(
      Array.from({ length: 60_000 }, (_, index) => [`m${index}`, 1]),
    )
    const answer = await refusal(owner.options, contract.createStudies, {
      body: { payload, reason: 'x' },
    })
    expect(answer).toMatchObject({ status: 413, code: 'LIQUIDITY_BODY_TOO_LARGE' })
    expect(answer.body.error?.fieldErrors?.['(body)']?.[0]).toContain('at most 20000 fields')
  })

  it('of thousands of wrong parts is refused by its first error', async ({ owner }) => {
    const arms = Array.from({ length: 9_000 }, () => ({ position: {} }))
    const body = { ...study, payload: { ...study.payload, arms } }
    const answer = await refusal(owner.options, contract.createStudies, { body })
    expect(answer).toMatchObject({ status: 400, code: 'LIQUIDITY_INVALID_REQUEST' })
    expect(Object.keys(answer.body.error?.fieldErrors ?? {})).toHaveLength(1)
  })

  it('of ordinary size lists all its errors', async ({ owner }) => {
    const body = { payload: { name: 7, kind: 'REPLAY' }, reason: 'x' }
    const { body: failure } = await refusal(owner.options, contract.createStudies, { body })
    const fields = Object.keys(failure.error?.fieldErrors ?? {})
    expect(fields).toEqual(expect.arrayContaining(['payload.name', 'payload.pair', 'reason']))
  })
})

describe('a body of a stranger', () => {
  const post = (service: TestService, bytes: number, headers: Record<string, string> = {}) =>
    fetch(`${service.baseUrl}/auth/email-links`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: 'x'.repeat(bytes) }),
    })

  it('of more than 64 KiB is refused before it is read', async ({ service }) => {
    expect((await post(service, 70_000)).status).toBe(413)
    expect((await post(service, 60_000)).status).toBe(400)
    // Whoever shows a credential may send more; whether it is one is found out later.
    expect((await post(service, 70_000, { cookie: 'any=thing' })).status).toBe(400)
  })
})

describe('members that every object has', () => {
  it.for(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    '%s is an unknown member like any other',
    async (name, { owner }) => {
      const body = JSON.parse(`{"${name}": 1}`)
      const { status, body: failure } = await refusal(owner.options, contract.createVenues, {
        body,
      })
      expect(status).toBe(400)
      expect(Object.entries(failure.error?.fieldErrors ?? {})).toContainEqual([
        name,
        ['is not a field of this object'],
      ])
    },
  )
})

it('refuses a URL without a host, and a number that has no canonical form', async ({ owner }) => {
  const webhook = { payload: { url: 'https://', eventKinds: ['*'] }, reason: 'For the test' }
  expect((await refusal(owner.options, contract.createWebhooks, { body: webhook })).status).toBe(
    422,
  )
  const provider = structuredClone(contract.putOperatingSystemProvider.example.body) as unknown as {
    payload: Record<string, unknown>
  }
  provider.payload.configuration = { chainId: 1, nested: { a: 1.5 } }
  const put = contract.putOperatingSystemProvider
  expect((await refusal(owner.options, put, { body: provider })).status).toBe(422)
})

it('stores no provider secret in plain text: neither in its URL nor under an unprobed kind', async ({
  owner,
}) => {
  const put = contract.putOperatingSystemProvider
  const body = (changes: object) => ({
    payload: { ...put.example.body.payload, ...changes },
    status: 'PAUSED',
    reason: 'For the test',
  })
  for (const changes of [
    { endpoint: 'https://user:hunter2@example.org/key' },
    { kind: 'PRICE_ORACLE', configuration: { password: 'hunter2' } },
  ]) {
    const answer = await refusal(owner.options, put, { body: body(changes) })
    expect(answer).toMatchObject({ status: 422, code: 'LIQUIDITY_PROVIDER_CONFIGURATION_INVALID' })
  }
})

describe('an address in mixed case with a wrong checksum', () => {
  const address = '0xc18360217D8f7ab5e7c516566761ea12ce7f9d72'
  const expected = { code: 'LIQUIDITY_INVALID_REQUEST', status: 400 }
  it('is named by its location in a body', async ({ owner }) => {
    const body = structuredClone(contract.createVenues.example.body) as unknown as {
      payload: { address: string }
    }
    body.payload.address = address
    const answer = await refusal(owner.options, contract.createVenues, { body })
    expect(answer).toMatchObject(expected)
    expect(answer.body.error?.fieldErrors?.['payload.address']?.[0]).toContain('checksum')
  })

  it('and in a query', async ({ owner }) => {
    const query = { chainId: '1', base: address, quote: `0x${'1'.repeat(40)}` }
    const answer = await refusal(owner.options, contract.getUnifiedLiquidityMap, { query })
    expect(answer).toMatchObject(expected)
    expect(answer.body.error?.fieldErrors?.['query.base']?.[0]).toContain('checksum')
  })
})

it.for(['01', '1e1', ' 1', '+1', '1.0', '0x1', ''])(
  'a limit of "%s" is no integer in its one form',
  async (limit, { owner }) => {
    const answer = await refusal(owner.options, contract.listVenues, { query: { limit } })
    expect(answer).toMatchObject({ status: 400, code: 'LIQUIDITY_INVALID_REQUEST' })
    expect(Object.keys(answer.body.error?.fieldErrors ?? {})).toEqual(['query.limit'])
  },
)

it('a time is taken in its one form, and none is guessed', async ({ owner }) => {
  const { body } = structuredClone(contract.createDeveloperCredentials.example)
  for (const expiresAt of ['2030', '2030-01-01T00:00:00', '2030-02-30T00:00:00Z']) {
    const request = { ...body, expiresAt } as never
    const answer = await refusal(owner.options, contract.createDeveloperCredentials, {
      body: request,
    })
    expect([expiresAt, answer.status]).toEqual([expiresAt, 400])
    expect(answer.body.error?.fieldErrors?.expiresAt?.[0]).toContain('with offset')
  }
})
