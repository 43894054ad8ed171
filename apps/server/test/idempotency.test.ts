// @module-tag postgres

import { type ClientOptions, createClient, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { addMember } from '../src/access/administration.ts'
import { bookmarkBody, venueBody, webhookBody } from './support/bodies.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { it } from './support/fixtures.ts'
import { anotherNode, newMember, newOrganization, type TestMember } from './support/service.ts'

interface Seen {
  status: number
  text: string
  headers: Headers
  replayed: boolean
}

/** Sends one request and keeps the answer as it came. */
async function ask(options: ClientOptions, id: string, request: LooseRequest): Promise<Seen> {
  const answer = await send(options, operationById.get(id)!, request)
  return {
    status: answer.status,
    text: await answer.text(),
    headers: answer.headers,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
  }
}

const codeOf = ({ text }: Seen) => JSON.parse(text).error?.code
const correlationOf = ({ headers }: Seen) => headers.get('x-correlation-id')
const idOf = ({ text }: Seen) => JSON.parse(text).data.id as string
let lastNumber = 0
const number = () => ++lastNumber
const key = () => `key-${crypto.randomUUID()}`

/** Ids of all bookmarks of a member, through every page. */
async function bookmarks(member: TestMember): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { body } = await member.client.listSavedPlatformProjects({
      query: { limit: 20, ...(cursor ? { cursor } : {}) },
    })
    ids.push(...body.data.map(({ id }) => id))
    cursor = body.meta.nextCursor
  } while (cursor)
  return ids
}

describe('a replay', () => {
  it('of the sandbox, which keeps no record, is the answer that was kept, and said to be', async ({
    owner,
  }) => {
    const { example, description } = operationById.get('runNonCustodialSandboxStudy')!
    const request = { body: example!.body, idempotencyKey: key() }
    const first = await ask(owner.options, 'runNonCustodialSandboxStudy', request)
    const second = await ask(owner.options, 'runNonCustodialSandboxStudy', request)
    expect([first.status, first.replayed, second.status, second.replayed]).toEqual([
      ...[201, false, 201, true],
    ])
    expect(second.text).toBe(first.text)
    expect(description).toContain('Idempotency-Replayed: true')
  })

  it('returns the exact stored response, with its own correlation id', async ({ owner }) => {
    const request = { body: bookmarkBody(number()), idempotencyKey: key() }
    const first = await ask(owner.options, 'savePlatformProject', request)
    const second = await ask(owner.options, 'savePlatformProject', request)
    expect([first.status, first.replayed]).toEqual([201, false])
    expect([second.status, second.replayed]).toEqual([201, true])
    expect(second.text).toBe(first.text)
    for (const name of ['etag', 'cache-control', 'content-type']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name))
    }
    expect(correlationOf(second)).not.toBe(correlationOf(first))
    expect((await bookmarks(owner)).filter((id) => id === idOf(first))).toHaveLength(1)
  })

  it('returns the first response even after the record changed', async ({ owner }) => {
    const created = await owner.client.createVenues({ body: venueBody(number()) })
    const request = {
      params: { id: created.body.data.id },
      ifMatch: created.body.data.resourceVersion,
      body: { payload: { tags: ['first'] }, reason: 'First change' },
      idempotencyKey: key(),
    }
    const first = await ask(owner.options, 'supersedeVenues', request)
    await owner.client.supersedeVenues({
      params: request.params,
      ifMatch: JSON.parse(first.text).data.resourceVersion,
      body: { payload: { tags: ['second'] }, reason: 'Second change' },
    })
    const replay = await ask(owner.options, 'supersedeVenues', request)
    expect([first.status, replay.status, replay.replayed]).toEqual([200, 200, true])
    expect(replay.text).toBe(first.text)
  })

  it('of a deletion has no body', async ({ owner }) => {
    const saved = await owner.client.savePlatformProject({ body: bookmarkBody(number()) })
    const request = { params: { id: saved.body.data.id }, idempotencyKey: key() }
    const first = await ask(owner.options, 'removeSavedPlatformProject', request)
    const second = await ask(owner.options, 'removeSavedPlatformProject', request)
    expect([first.status, second.status, second.text]).toEqual([204, 204, ''])
    expect(second.replayed).toBe(true)
  })

  it('of a one-time secret is its metadata, never the secret', async ({ owner }) => {
    const request = { body: webhookBody(), idempotencyKey: key() }
    const first = await ask(owner.options, 'createWebhooks', request)
    const second = await ask(owner.options, 'createWebhooks', request)
    expect([first.status, second.status, second.replayed]).toEqual([201, 409, true])
    expect(codeOf(second)).toBe('LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED')
    expect(second.text).not.toContain(JSON.parse(first.text).data.secret)
    expect(JSON.parse(second.text).metadata.resourceId).toBe(JSON.parse(first.text).data.webhook.id)
  })

  it('takes a body with its members in another order for the same request', async ({ owner }) => {
    const { payload, reason } = bookmarkBody(number())
    const { label, address, chainId } = payload
    const idempotencyKey = key()
    const first = await ask(owner.options, 'savePlatformProject', {
      body: { payload, reason },
      idempotencyKey,
    })
    const second = await ask(owner.options, 'savePlatformProject', {
      body: { reason, payload: { label, address, chainId } },
      idempotencyKey,
    })
    expect(second.replayed).toBe(true)
    expect(second.text).toBe(first.text)
  })

  it('returns the stored rejection, with its own correlation id', async ({ owner }) => {
    const body = bookmarkBody(number())
    await owner.client.savePlatformProject({ body })
    for (const [refused, status, code] of [
      [{ body, idempotencyKey: key() }, 409, 'LIQUIDITY_BOOKMARK_DUPLICATE'],
      [{ body: { ...body, surprise: 1 }, idempotencyKey: key() }, 400, 'LIQUIDITY_INVALID_REQUEST'],
    ] as const) {
      const first = await ask(owner.options, 'savePlatformProject', refused)
      const second = await ask(owner.options, 'savePlatformProject', refused)
      expect([first.status, codeOf(first), first.replayed]).toEqual([status, code, false])
      expect([second.status, codeOf(second), second.replayed]).toEqual([status, code, true])
      const { correlationId: one, ...firstError } = JSON.parse(first.text).error
      const { correlationId: two, ...secondError } = JSON.parse(second.text).error
      expect(secondError).toEqual(firstError)
      expect(one).toBe(correlationOf(first))
      expect(two).toBe(correlationOf(second))
      expect(two).not.toBe(one)
    }
  })
})

describe('a key', () => {
  it('refuses another body, another path, another If-Match and another method', async ({
    owner,
  }) => {
    const venues = [number(), number()].map((n) =>
      owner.client.createVenues({ body: venueBody(n) }),
    )
    const [one, two] = (await Promise.all(venues)).map(({ body }) => body.data)
    const idempotencyKey = key()
    const request = {
      params: { id: one!.id },
      ifMatch: one!.resourceVersion,
      body: { payload: { tags: ['a'] }, reason: 'A change' },
      idempotencyKey,
    }
    expect((await ask(owner.options, 'supersedeVenues', request)).status).toBe(200)
    const others: [string, LooseRequest][] = [
      ['supersedeVenues', { ...request, body: { ...request.body, reason: 'Another' } }],
      ['supersedeVenues', { ...request, params: { id: two!.id } }],
      ['supersedeVenues', { ...request, ifMatch: two!.resourceVersion }],
      ['createVenues', { body: venueBody(number()), idempotencyKey }],
    ]
    for (const [id, other] of others) {
      const refused = await ask(owner.options, id, other)
      expect([refused.status, codeOf(refused)]).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
      expect(JSON.parse(refused.text)).toMatchObject({
        error: { fieldErrors: { 'idempotency-key': [expect.stringMatching(/another request/)] } },
      })
    }
    const { body } = await owner.client.getVenues({ params: { id: two!.id } })
    expect(body.data.sequence).toBe(1)
  })

  it('belongs to one actor of one organization', async ({ service, owner }) => {
    const colleague = await newMember(service, owner.organizationId, 'OPERATOR')
    const foreignOwner = await newOrganization(service)
    const request = { body: bookmarkBody(number()), idempotencyKey: key() }
    const answers = await Promise.all(
      [owner, colleague, foreignOwner].map((member) =>
        ask(member.options, 'savePlatformProject', request),
      ),
    )
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual(
      Array(3).fill([201, false]),
    )
    expect(new Set(answers.map(idOf)).size).toBe(3)
  })

  it('of the same user counts apart in each organization', async ({ service, owner }) => {
    const elsewhere = await newOrganization(service)
    const [rows] = await service.database.global([
      { text: `select email from users where id = '${owner.userId}'` },
    ])
    await addMember(
      service.database,
      { organizationId: elsewhere.organizationId, email: rows![0]!.email!, role: 'OPERATOR' },
      service.clock.read(),
    )
    const request = { body: bookmarkBody(number()), idempotencyKey: key() }
    const here = await ask(owner.options, 'savePlatformProject', request)
    const there = await ask(
      { ...owner.options, organizationId: elsewhere.organizationId },
      'savePlatformProject',
      request,
    )
    expect([here.status, there.status, there.replayed]).toEqual([201, 201, false])
    expect(idOf(there)).not.toBe(idOf(here))
  })

  it('binds the role: a changed role is another request', async ({ service, owner }) => {
    const member = await newMember(service, owner.organizationId, 'OPERATOR')
    const request = { body: venueBody(number()), idempotencyKey: key() }
    expect((await ask(member.options, 'createVenues', request)).status).toBe(201)
    const [rows] = await service.database.global([
      { text: `select email from users where id = '${member.userId}'` },
    ])
    await addMember(
      service.database,
      { organizationId: owner.organizationId, email: rows![0]!.email!, role: 'ANALYST' },
      service.clock.read(),
    )
    const again = await ask(member.options, 'createVenues', request)
    expect([again.status, codeOf(again)]).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
  })

  it('is free again after a refusal of authentication or role', async ({ service, owner }) => {
    const member = await newMember(service, owner.organizationId, 'VIEWER')
    const request = { body: venueBody(number()), idempotencyKey: key() }
    const forbidden = await ask(member.options, 'createVenues', request)
    expect([forbidden.status, codeOf(forbidden)]).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    const { auth: _, ...anonymous } = member.options
    expect((await ask(anonymous, 'createVenues', request)).status).toBe(401)
    const [rows] = await service.database.global([
      { text: `select email from users where id = '${member.userId}'` },
    ])
    await addMember(
      service.database,
      { organizationId: owner.organizationId, email: rows![0]!.email!, role: 'ANALYST' },
      service.clock.read(),
    )
    const allowed = await ask(member.options, 'createVenues', request)
    expect([allowed.status, allowed.replayed]).toEqual([201, false])
  })

  it('stores the refusal of a handler that requires a wider role', async ({ service, owner }) => {
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const request = {
      body: { ...venueBody(number()), status: 'VALIDATED' },
      idempotencyKey: key(),
    }
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const refused = await ask(analyst.options, 'createVenues', request)
      expect([refused.status, codeOf(refused), refused.replayed]).toEqual([
        403,
        'LIQUIDITY_ROLE_REQUIRED',
        attempt === 2,
      ])
    }
  })
})

describe('concurrent twins', () => {
  it('have one effect and one hundred equal answers', async ({ owner }) => {
    const request = { body: bookmarkBody(number()), idempotencyKey: key() }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => ask(owner.options, 'savePlatformProject', request)),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(201))
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(answers.map(correlationOf)).size).toBe(100)
    const id = idOf(answers[0]!)
    expect((await bookmarks(owner)).filter((found) => found === id)).toHaveLength(1)
  })

  it('on a key never seen before, by a credential never seen before, have one effect', async ({
    service,
    owner,
  }) => {
    const issued = await owner.client.createDeveloperCredentials({
      body: { label: 'Hooks', kind: 'API_KEY', scopes: ['webhooks:manage'], reason: 'For twins' },
    })
    const options: ClientOptions = {
      baseUrl: service.baseUrl,
      organizationId: owner.organizationId,
      fetch: conformingFetch,
      auth: { kind: 'bearer', token: issued.body.data.secret },
    }
    const request = { body: webhookBody('https://twins.example.com/'), idempotencyKey: key() }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => ask(options, 'createWebhooks', request)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, replayed }) => status === 409 && replayed)).toHaveLength(99)
    const { body } = await createClient(owner.options).listWebhooks({ query: { limit: 100 } })
    const made = body.data.filter(({ payload }) => payload.url === 'https://twins.example.com/')
    expect(made).toHaveLength(1)
  })

  it('over two nodes have one effect and one answer', async ({ service, owner }) => {
    const node = await anotherNode(service)
    const options = [owner.options, { ...owner.options, baseUrl: node.baseUrl }]
    for (let round = 0; round < 10; round += 1) {
      // Lower case in, checksummed in the record: a retry after a conflict must still be the same request.
      const body = bookmarkBody(0xabcdef00 + number())
      const request = { body, idempotencyKey: key() }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          ask(options[index % 2]!, 'savePlatformProject', request),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      const late = await ask(options[1]!, 'savePlatformProject', request)
      expect([late.text, late.replayed]).toEqual([answers[0]!.text, true])
    }
  })

  it('that differ let one win and refuse the others', async ({ owner }) => {
    const idempotencyKey = key()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(owner.options, 'savePlatformProject', {
          body: bookmarkBody(number()),
          idempotencyKey,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409).map(codeOf)).toEqual(
      Array(19).fill('LIQUIDITY_IDEMPOTENCY_KEY_REUSED'),
    )
  })
})
