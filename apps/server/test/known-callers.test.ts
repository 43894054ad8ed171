// @module-tag postgres

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { describe, expect, onTestFinished } from 'vitest'
import { addMember } from '../src/access/administration.ts'
import { bookmarkBody, venueBody, webhookBody } from './support/bodies.ts'
import { providerBody } from './support/chain.ts'
import { bearer, issue } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import {
  anotherNode,
  newMember,
  newOrganization,
  removeMember,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'

let lastNumber = 0
const number = () => ++lastNumber

const refusalOf = (answer: Promise<unknown>) => answer.then(() => null).catch((error) => error)

/** Ids of the venues of an organization, as its owner sees them. */
async function venuesOf(member: TestMember): Promise<string[]> {
  const { body } = await member.client.listVenues({ query: { limit: 100 } })
  return body.data.map(({ id }) => id)
}

/** The same member through the other node, which has its own memory of callers. */
const throughNode = (node: TestService, { options }: TestMember) =>
  createClient({ ...options, baseUrl: node.baseUrl })

describe('a caller that a node authenticated a moment ago', () => {
  it('is refused by its next mutation after another node ended the session', async ({
    service,
  }) => {
    const owner = await newOrganization(service)
    const node = await anotherNode(service)
    await owner.client.createVenues({ body: venueBody(number()) })
    const logout = await fetch(`${node.baseUrl}/auth/logout`, {
      method: 'POST',
      headers: {
        cookie: `${service.config.sessionCookie}=${owner.cookie}`,
        origin: new URL(service.config.baseUrl).origin,
      },
    })
    expect(logout.status).toBe(204)
    const refusal = await refusalOf(owner.client.createVenues({ body: venueBody(number()) }))
    expect(refusal).toMatchObject({ status: 401, code: 'LIQUIDITY_AUTHENTICATION_REQUIRED' })
    const [rows] = await service.database.tenant(owner.organizationId, [
      { text: 'select count(*) from record_heads' },
    ])
    expect(rows?.[0]?.count).toBe('1')
  })

  it('reaches no outside party after the membership ended: the caller is checked first', async ({
    service,
  }) => {
    let requestCount = 0
    const outside = createServer((_request, response) => {
      requestCount += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void outside.close())
    await once(outside, 'listening')
    const { port } = outside.address() as AddressInfo
    const node = await serviceForTest({ OUTBOUND_ALLOW: `127.0.0.1:${port}` })
    const { organizationId } = await newOrganization(node)
    const probe = (member: TestMember) =>
      refusalOf(
        member.client.putOperatingSystemProvider({
          body: providerBody(`http://127.0.0.1:${port}`) as never,
        }),
      )
    const member = await newMember(node, organizationId, 'OWNER')
    // An endpoint that is no chain; who asks for the probe is known from now on.
    expect(await probe(member)).toMatchObject({ status: 422 })
    expect(requestCount).toBeGreaterThan(0)
    await removeMember(node, { organizationId, email: await emailOf(service, member, node) })
    requestCount = 0
    expect(await probe(member)).toMatchObject({ status: 403 })
    expect(requestCount).toBe(0)
  })

  it('is rejected after the membership ended, and writes nothing next to others', async ({
    service,
  }) => {
    const owner = await newOrganization(service)
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    await analyst.client.createVenues({ body: venueBody(number()) })
    await owner.client.createVenues({ body: venueBody(number()) })
    const { organizationId } = owner
    await removeMember(service, { organizationId, email: await emailOf(service, analyst) })
    // In one burst, so that the changes of both share a transaction that must fail.
    const [refusal, ...created] = await Promise.all([
      refusalOf(analyst.client.createVenues({ body: venueBody(number()) })),
      ...Array.from({ length: 5 }, () => owner.client.createVenues({ body: venueBody(number()) })),
    ])
    expect(refusal).toMatchObject({ status: 403, code: 'LIQUIDITY_ORGANIZATION_ACCESS_DENIED' })
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(await venuesOf(owner)).toHaveLength(7)
  })

  it('uses a wider role at once, and rejects a narrower one', async ({ service }) => {
    const owner = await newOrganization(service)
    const member = await newMember(service, owner.organizationId, 'ANALYST')
    const email = await emailOf(service, member)
    const organizationId = owner.organizationId
    const issueKey = () =>
      member.client.createDeveloperCredentials({
        body: {
          label: 'Key',
          kind: 'API_KEY',
          scopes: ['studies:read'],
          reason: 'For the test',
        } as never,
      })
    await member.client.createVenues({ body: venueBody(number()) })
    expect(await refusalOf(issueKey())).toMatchObject({ status: 403 })
    await addMember(service.database, { organizationId, email, role: 'OWNER' }, 0)
    expect((await issueKey()).status).toBe(201)
    await addMember(service.database, { organizationId, email, role: 'VIEWER' }, 0)
    expect(await refusalOf(issueKey())).toMatchObject({ status: 403 })
  })

  it('returns the first response if another node sent it', async ({ service }) => {
    const owner = await newOrganization(service)
    const other = throughNode(await anotherNode(service), owner)
    await owner.client.savePlatformProject({ body: bookmarkBody(number()) })
    await other.savePlatformProject({ body: bookmarkBody(number()) })
    const request = { body: venueBody(number()), idempotencyKey: `key-${crypto.randomUUID()}` }
    const first = await owner.client.createVenues(request)
    const again = await other.createVenues(request)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await venuesOf(owner)).toHaveLength(1)
  })

  it('returns the stored rejection, even if the request would now succeed', async ({ service }) => {
    const owner = await newOrganization(service)
    const node = await anotherNode(service)
    const other = throughNode(node, owner)
    await other.savePlatformProject({ body: bookmarkBody(number()) })
    const missing = `webhook_${'0'.repeat(32)}`
    const request = {
      params: { id: missing },
      ifMatch: `0x${'0'.repeat(64)}`,
      body: { status: 'PAUSED' as const, reason: 'For the test' },
      idempotencyKey: `key-${crypto.randomUUID()}`,
    }
    const operation = operationById.get('supersedeWebhooks')!
    const first = await send(owner.options, operation, request)
    const again = await send({ ...owner.options, baseUrl: node.baseUrl }, operation, request)
    expect([first.status, again.status]).toEqual([404, 404])
    expect(first.headers.get('idempotency-replayed')).toBe(null)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it.for(['rotated', 'revoked'])(
    'is refused after its key was %s on another node',
    async (how, { service }) => {
      const owner = await newOrganization(service)
      const node = await anotherNode(service)
      const { secret, credential } = await issue(owner, 'API_KEY', ['webhooks:manage'])
      const key = bearer(secret, owner.organizationId, service.baseUrl)
      await key.createWebhooks({ body: webhookBody() as never })
      const named = { params: { id: credential.id }, ifMatch: credential.resourceVersion }
      const reason = 'For the test'
      const elsewhere = throughNode(node, owner)
      if (how === 'rotated') {
        await elsewhere.rotateDeveloperCredential({ ...named, body: { reason } } as never)
      } else {
        const body = { status: 'REVOKED', reason }
        await elsewhere.supersedeDeveloperCredentials({ ...named, body } as never)
      }
      const refusal = await refusalOf(key.createWebhooks({ body: webhookBody() as never }))
      expect(refusal).toMatchObject({ status: 401 })
      const { body } = await owner.client.listWebhooks()
      expect(body.data).toHaveLength(1)
    },
  )
})

async function emailOf(
  service: TestService,
  { userId }: TestMember,
  of = service,
): Promise<string> {
  const [rows] = await of.database.global([
    { text: `select email from users where id = '${userId}'` },
  ])
  return rows?.[0]?.email ?? ''
}
