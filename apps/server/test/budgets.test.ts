// @module-tag postgres

import { send } from '@liquidity-os/client'
import { basePath, operationById, scopes } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { minuteMilliseconds } from '../src/units.ts'
import { webhookBody } from './support/bodies.ts'
import { basic, bearer, grant, issue } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import { anotherNode, newOrganization, serviceForTest, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'

describe('the budget of a credential', () => {
  it('informs before it is spent, then refuses until the window ends', async ({ service }) => {
    const by = await newOrganization(service)
    const { secret } = await issue(by, 'API_KEY', ['studies:read', 'webhooks:manage'])
    const key = bearer(secret, by.organizationId, service.baseUrl)
    const first = await key.listStudies()
    expect(first.headers.get('ratelimit-policy')).toBe('"studies:read";q=1000;w=900')
    expect(first.headers.get('ratelimit')).toMatch(/^"studies:read";r=999;t=\d+$/)
    // More connections at once than a machine takes would be reset.
    for (let part = 0; part < 9; part += 1) {
      const statuses = await Promise.all(
        Array.from({ length: 111 }, () => key.listStudies().then(({ status }) => status)),
      )
      expect(statuses).toEqual(Array(111).fill(200))
    }
    const spent = (await key.listStudies().catch((error) => error)) as { headers: Headers }
    expect(spent).toMatchObject({
      status: 429,
      code: 'LIQUIDITY_STUDIO_SERVICE_SCOPE_RATE_LIMITED',
    })
    expect(spent.headers.get('retry-after')).toBe('900')
    expect(spent.headers.get('ratelimit')).toMatch(/^"studies:read";r=0;t=\d+$/)
    // Another scope and another credential have budgets of their own; a session has none.
    const webhooks = await key.listWebhooks()
    expect(webhooks.headers.get('ratelimit')).toMatch(/^"webhooks:manage";r=199;/)
    expect((await by.client.listStudies()).headers.get('ratelimit')).toBe(null)
    const other = bearer(
      (await issue(by, 'API_KEY', ['studies:read'])).secret,
      by.organizationId,
      service.baseUrl,
    )
    expect((await other.listStudies()).status).toBe(200)
    service.clock.advance(900_000)
    expect((await key.listStudies()).status).toBe(200)
  })

  it('is one for all nodes', async ({ service }) => {
    const by = await newOrganization(service)
    const node = await anotherNode(service)
    const { secret } = await issue(by, 'API_KEY', ['webhooks:manage'])
    const keys = [
      bearer(secret, by.organizationId, service.baseUrl),
      bearer(secret, by.organizationId, node.baseUrl),
    ]
    const answers = await Promise.all(
      Array.from({ length: 210 }, (_, index) =>
        keys[index % 2]!.listWebhooks().then(
          ({ status }) => status,
          ({ status }) => status,
        ),
      ),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(200)
    expect(answers.filter((status) => status === 429)).toHaveLength(10)
  })

  it('follows the deployment setting if set', async () => {
    const small = await serviceForTest({ SERVICE_BUDGETS: 'studies:read=2' })
    const by = await newOrganization(small)
    const { secret } = await issue(by, 'API_KEY', [...scopes])
    const key = bearer(secret, by.organizationId, small.baseUrl)
    await key.listStudies()
    await key.listStudies()
    await expect(key.listStudies()).rejects.toMatchObject({ status: 429 })
  })

  it('is charged for refusals too, and a replay is a request', async ({ service }) => {
    const by = await newOrganization(service)
    const { secret } = await issue(by, 'API_KEY', ['webhooks:manage'])
    const options = {
      baseUrl: service.baseUrl,
      organizationId: by.organizationId,
      auth: { kind: 'bearer' as const, token: secret },
    }
    const operation = operationById.get('createWebhooks')!
    const request = { body: webhookBody(), idempotencyKey: 'charged-as-well' }
    const left = []
    for (const sent of [request, request, { body: {} }]) {
      const answer = await send(options, operation, sent)
      left.push([answer.status, /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]])
    }
    expect(left).toEqual([
      [201, '199'],
      [409, '198'],
      [400, '197'],
    ])
  })
})

describe('a signed-in member', () => {
  it('is limited per minute in one process, and no other caller is', async () => {
    const limited = await serviceForTest({ SESSION_REQUESTS_PER_MINUTE: '3' })
    const owner = await newOrganization(limited, 'Eager')
    const other = await newOrganization(limited, 'Calm')
    const ask = async ({ client }: TestMember) => (await client.listVenues()).status
    for (let request = 0; request < 3; request += 1) expect(await ask(owner)).toBe(200)
    const refused = (await owner.client.listVenues().catch((error) => error)) as {
      headers: Headers
    }
    expect(refused).toMatchObject({ status: 429, code: 'LIQUIDITY_RATE_LIMITED' })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await ask(other)).toBe(200)
    limited.clock.advance(minuteMilliseconds)
    expect(await ask(owner)).toBe(200)
  })
})

describe('a client of public operations', () => {
  const status = (baseUrl: string, client: string) =>
    fetch(`${baseUrl}${basePath}/status`, { headers: { 'x-forwarded-for': client } })

  it('is limited per minute by its own address, with a retry time', async () => {
    const limited = await serviceForTest({
      PUBLIC_REQUESTS_PER_MINUTE: '5',
      TRUSTED_PROXY_HOPS: '1',
    })
    const ask = async (client: string) => (await status(limited.baseUrl, client)).status
    const answers = []
    for (let request = 0; request < 5; request += 1) answers.push(await ask('203.0.113.7'))
    expect(answers).toEqual(Array(5).fill(200))
    const refused = await status(limited.baseUrl, '203.0.113.7')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.json()).toMatchObject({ error: { code: 'LIQUIDITY_RATE_LIMITED' } })
    expect(await ask('203.0.113.8')).toBe(200)
    // A household of IPv6 addresses is one client.
    for (let host = 1; host <= 5; host += 1) expect(await ask(`2001:db8:1:2::${host}`)).toBe(200)
    expect(await ask('2001:db8:1:2:ffff::9')).toBe(429)
    expect(await ask('2001:db8:1:3::1')).toBe(200)
    limited.clock.advance(minuteMilliseconds)
    expect(await ask('203.0.113.7')).toBe(200)
  })

  it('is counted for the guide, the reference and the contract as for everything else', async () => {
    const limited = await serviceForTest({ PUBLIC_REQUESTS_PER_MINUTE: '4' })
    const ask = async (path: string) => (await fetch(`${limited.baseUrl}${path}`)).status
    const answers = []
    for (const path of [
      '/docs/',
      '/docs/api/js/scalar.js',
      `${basePath}/openapi.json`,
      '/docs/concepts',
    ]) {
      answers.push(await ask(path))
    }
    expect(answers).toEqual([200, 200, 200, 200])
    expect([await ask('/docs/'), await ask('/docs/api/js/scalar.js')]).toEqual([429, 429])
    expect([await ask('/health/live'), await ask('/')]).toEqual([200, 200])
  })

  it('is known to the other nodes as soon as one has written it to the database', async () => {
    const limited = await serviceForTest({ PUBLIC_REQUESTS_PER_MINUTE: '5' })
    const node = await anotherNode(limited)
    for (let request = 0; request < 5; request += 1) await status(limited.baseUrl, 'x')
    // The second node decides by what it was told last, so it may let a few more pass, but not many.
    let passed = 0
    await until('the other node to refuse', async () => {
      const answer = await status(node.baseUrl, 'x')
      if (answer.status === 200) passed += 1
      return answer.status === 429
    })
    expect(passed).toBeLessThanOrEqual(5)
  })

  it('cannot name itself another where no proxy is trusted', async () => {
    const limited = await serviceForTest({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
    const answers = []
    for (let request = 0; request < 4; request += 1) {
      answers.push((await status(limited.baseUrl, `203.0.113.${request}`)).status)
    }
    expect(answers).toEqual([200, 200, 200, 429])
  })

  it('cannot guess at the secrets of OAuth clients faster than that', async () => {
    const limited = await serviceForTest({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
    const guess = () =>
      fetch(`${limited.baseUrl}${basePath}/oauth/token`, {
        method: 'POST',
        body: grant,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-service-organization-id': 'org_any',
          authorization: basic('credential_x', `svc_client_${'0'.repeat(24)}_${'A'.repeat(43)}`),
        },
      }).then((answer) => answer.status)
    const answers = []
    for (let request = 0; request < 4; request += 1) answers.push(await guess())
    expect(answers).toEqual([401, 401, 401, 429])
  })
})
