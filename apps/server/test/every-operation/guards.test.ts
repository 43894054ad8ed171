// @module-tag long
// @covers packages/contract/src apps/server/src/http

import { send } from '@liquidity-os/client'
import { basePath, operations, takesBody } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { hashNumber, readCommit } from '../../../../testing/changed-paths.ts'
import { it } from '../support/fixtures.ts'
import type { TestMember, TestService } from '../support/service.ts'
import { guarded, parametersFor, plainRequest, refusal } from './requests.ts'

/**
 * One case of a list for each operation: one guard serves all operations, so no pair needs its own request. The
 * commit shifts the choice, so that in time every pair is tried.
 */
const caseFor = <Case>(operation: { id: string }, cases: readonly Case[]): Case =>
  cases[hashNumber(`${commit} ${operation.id}`) % cases.length] as Case
const commit = readCommit()

const mutations = guarded.filter(({ idempotency }) => idempotency !== undefined)
const cases = (list: typeof guarded) => list.map((operation) => [operation.id, operation] as const)
const withBody = guarded.filter(takesBody)

describe.each(cases(mutations))('%s', (_id, operation) => {
  it('requires a well-formed Idempotency-Key', async ({ owner }) => {
    const key = caseFor(operation, ['', 'short', 'x'.repeat(201)])
    const request = { ...plainRequest(operation), idempotencyKey: key }
    expect(await refusal(owner.options, operation, request)).toMatchObject({
      status: 400,
      code: 'LIQUIDITY_IDEMPOTENCY_KEY_REQUIRED',
    })
  })
})

describe.each(cases(mutations.filter(({ precondition }) => precondition)))(
  '%s',
  (_id, operation) => {
    it('requires a strong If-Match', async ({ owner }) => {
      const bare = `0x${'1'.repeat(64)}`
      const headers = [`W/"${bare}"`, bare, '*', `"${bare}", "x"`, '""']
      const malformed = caseFor(operation, headers)
      for (const value of operation.precondition === 'required' ? [null, malformed] : [malformed]) {
        const { ifMatch: _, ...request } = plainRequest(operation)
        const sent = value === null ? request : { ...request, headers: { 'if-match': value } }
        expect(await refusal(owner.options, operation, sent), `${value}`).toMatchObject({
          status: 428,
          code: 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED',
        })
      }
    })
  },
)

describe.each(cases(withBody))('%s', (_id, operation) => {
  const post = (
    service: TestService,
    owner: TestMember,
    body: string | Uint8Array,
    type = 'application/json',
    cookie = owner.cookie,
  ) =>
    fetch(urlOf(service, operation), {
      method: operation.method,
      body,
      headers: {
        'content-type': type,
        'x-service-organization-id': owner.organizationId,
        cookie: `${service.config.sessionCookie}=${cookie}`,
        origin: 'http://127.0.0.1:8080',
        'idempotency-key': crypto.randomUUID(),
      },
    }).then(async (answer) => ({ status: answer.status, code: codeOf(await answer.json()) }))

  it('refuses malformed JSON', async ({ service, owner }) => {
    const [name, body] = caseFor<readonly [string, string | Uint8Array]>(operation, [
      ['truncated', '{"payload":'],
      ['a duplicate key', '{"reason":"one","reason":"two"}'],
      ['a lone surrogate', '{"reason":"\\ud800"}'],
      ['NUL', '{"reason":"a\\u0000b"}'],
      ['nesting over 64', `${'['.repeat(65)}${']'.repeat(65)}`],
      ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ])
    expect(await post(service, owner, body), name).toEqual({
      status: 400,
      code: 'LIQUIDITY_MALFORMED_JSON',
    })
  })

  it('authenticates the sender before it reads a body', async ({ service, owner }) => {
    const foreignCookie = 'x'.repeat(owner.cookie.length)
    const type = caseFor(operation, ['application/json', 'text/plain'])
    expect((await post(service, owner, '{"payload":', type, foreignCookie)).status).toBe(401)
  })

  it('refuses another media type and a body over its limit', async ({ service, owner }) => {
    expect(await post(service, owner, '{}', 'text/plain')).toEqual({
      status: 415,
      code: 'LIQUIDITY_MEDIA_TYPE_UNSUPPORTED',
    })
    const limit = operation.bodyLimitBytes ?? 1024 * 1024
    expect(await post(service, owner, JSON.stringify('x'.repeat(limit + 1)))).toEqual({
      status: 413,
      code: 'LIQUIDITY_BODY_TOO_LARGE',
    })
  })
})

describe.each(cases(withBody.filter(({ body }) => body)))('%s', (_id, operation) => {
  it('names an unknown field and a wrong type', async ({ owner }) => {
    const example = operation.example?.body as Record<string, unknown>
    const request = { ...plainRequest(operation), body: { ...example, surprise: 1, reason: 7 } }
    const { status, code, body } = await refusal(owner.options, operation, request)
    expect({ status, code }).toEqual({ status: 400, code: 'LIQUIDITY_INVALID_REQUEST' })
    const { fieldErrors = {} } = body.error ?? {}
    expect(fieldErrors.surprise).toEqual(['is not a field of this object'])
    expect(fieldErrors.reason?.[0]).toMatch(/must be string, got 7|is not a field/)
  })
})

describe.each(cases(guarded))('%s', (_id, operation) => {
  it('refuses an unknown query parameter', async ({ owner }) => {
    const request = plainRequest(operation)
    const answer = await refusal(owner.options, operation, {
      ...request,
      query: { ...request.query, surprise: '1' },
    })
    expect(answer).toMatchObject({ status: 400, code: 'LIQUIDITY_INVALID_REQUEST' })
    expect(JSON.stringify(answer.body)).toContain('query.surprise')
  })

  it('is served', async ({ owner }) => {
    const { status } = await refusal(owner.options, operation)
    expect(status).toBeLessThan(500)
  })
})

describe.each(cases(guarded.filter(({ path }) => path.startsWith('/treasury/'))))(
  '%s',
  (_id, operation) => {
    it('keeps its refusals from every cache', async ({ owner }) => {
      const { headers } = await refusal(owner.options, operation, {
        ...plainRequest(operation),
        query: { surprise: '1' },
      })
      expect(headers.get('cache-control')).toBe('private, no-store')
    })
  },
)

const paged = guarded.filter(({ paging }) => paging)
describe.each(cases(paged))('%s', (_id, operation) => {
  it('bounds the page', async ({ owner }) => {
    const { maximumLimit } = operation.paging!
    const limit = caseFor(operation, [0, maximumLimit + 1, 'many'])
    const request = { ...plainRequest(operation), query: { limit } }
    expect(await refusal(owner.options, operation, request)).toMatchObject({ status: 400 })
  })
})

describe.each(cases(paged))('%s', (_id, operation) => {
  it('refuses a cursor that was never given out', async ({ owner }) => {
    const request = {
      ...plainRequest(operation),
      query: { cursor: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    }
    expect(await refusal(owner.options, operation, request)).toMatchObject({
      status: 400,
      code: 'LIQUIDITY_CURSOR_INVALID',
    })
  })
})

it('refuses NUL in a path and in a query before it reaches the database', async ({
  service,
  owner,
}) => {
  const headers = {
    'x-service-organization-id': owner.organizationId,
    cookie: `${service.config.sessionCookie}=${owner.cookie}`,
  }
  for (const path of ['/webhooks/%00', '/venues/venue_%00', '/jobs?kind=%00']) {
    const answer = await fetch(`${service.baseUrl}${basePath}${path}`, { headers })
    expect([path, answer.status]).toEqual([path, 400])
  }
})

it('answers 404 for an unknown path and 405 with Allow for a known one', async ({ service }) => {
  const unknown = await fetch(`${service.baseUrl}${basePath}/nothing`)
  expect([unknown.status, codeOf(await unknown.json())]).toEqual([404, 'LIQUIDITY_ROUTE_NOT_FOUND'])
  const wrong = await fetch(`${service.baseUrl}${basePath}/venues`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow'), codeOf(await wrong.json())]).toEqual([
    405,
    'GET, HEAD, POST',
    'LIQUIDITY_METHOD_NOT_ALLOWED',
  ])
})

it('answers a repeated read with 304', async ({ owner }) => {
  const operation = operations.find(({ id }) => id === 'listWebhooks')!
  const first = await send(owner.options, operation)
  const again = await send(owner.options, operation, {
    headers: { 'if-none-match': first.headers.get('etag')! },
  })
  expect([first.status, again.status]).toEqual([200, 304])
})

function codeOf(body: unknown): string | undefined {
  return (body as { error?: { code?: string } }).error?.code
}

function urlOf(service: TestService, operation: (typeof operations)[number]): string {
  const params = parametersFor(operation)
  return `${service.baseUrl}${basePath}${operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')}`
}
