// @module-tag postgres

import { createClient } from '@liquidity-os/client'
import { describe, expect } from 'vitest'
import { providers } from '../src/families/platform/providers/records.ts'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import {
  chainProviders,
  type ProviderPayload,
} from '../src/integrations/providers/chain-providers.ts'
import { takeSnapshot } from '../src/market/treasury/treasury-snapshot.ts'
import { TenantRecords } from '../src/store/records/tenant-records.ts'
import { hostOf, poolBody, providerBody } from './support/chain.ts'
import { proxied, started, test } from './support/fixtures.ts'
import { startReceiver } from './support/receiver.ts'
import {
  anotherNode,
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from './support/service.ts'

let behave: Behaviour = honest
const secretName = 'PROVIDER_SECRET_TEST'
const it = test
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend('web', { scope: 'file' }, started(startReceiver))
  .extend('inside', { scope: 'file' }, started(startReceiver))
  .extend('settings', { scope: 'file' }, ({ testChain, proxy, web }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, proxy.url, web.url),
  }))

it.afterEach(({ web }) => {
  behave = honest
  web.answer = () => 200
  delete process.env[secretName]
})

type Body = ReturnType<typeof providerBody>
interface Refused {
  status: number
  code: string
  body: { error: { fieldErrors: Record<string, string[]> } }
}

const put = (owner: TestMember, body: Body, ifMatch?: string) =>
  owner.client.putOperatingSystemProvider({ body, ...(ifMatch ? { ifMatch } : {}) })

async function refused(owner: TestMember, body: unknown, ifMatch?: string): Promise<Refused> {
  const answer = await put(owner, body as Body, ifMatch).catch((error: Refused) => error)
  return answer as unknown as Refused
}

function recordsOf({ services, database, clock }: TestService, { organizationId }: TestMember) {
  const { verified, artifacts } = services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  const now = clock.read()
  const stores = { database, verified, artifacts }
  return new TenantRecords({ purpose: 'REQUEST', organizationId, actor, now, ...stores })
}

const listed = async (owner: TestMember) =>
  (await owner.client.listOperatingSystemProviders()).body.data

describe('a chain provider', () => {
  it('is admitted with its probe results', async ({ service, testChain, proxy }) => {
    const owner = await newOrganization(service)
    const { status, body } = await put(owner, providerBody(proxy.url))
    expect([status, body.data.status]).toEqual([201, 'ACTIVE'])
    const { probe, capabilities } = body.data.payload
    expect(capabilities).toEqual(expect.arrayContaining(['FINALIZED_TAG', 'ARCHIVE']))
    const { number } = await testChain.chain.publicClient.getBlock({ blockTag: 'finalized' })
    expect(probe!.facts).toMatchObject({
      chainId: '31337',
      finalizedBlock: String(number),
      headerHash: 'RECOMPUTED',
    })
    expect(probe!.checks.every(({ ok }) => ok)).toBe(true)
  })

  it('of the endpoint of another provider is refused, and earlier doubles count once', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const [first, other] = [`${proxy.url}/v2/key`, `${proxy.url}/v2/other-key`]
    await put(owner, providerBody(first, 'first'))
    for (const again of [first, first.replace('http:', 'HTTP:')]) {
      const answer = await refused(owner, providerBody(again, 'second'))
      expect([answer.status, answer.code]).toEqual([
        422,
        'LIQUIDITY_PROVIDER_CONFIGURATION_INVALID',
      ])
      const faults = answer.body.error.fieldErrors
      expect(faults['payload.endpoint']?.[0]).toMatch(/^must differ from the endpoint of first;/)
      expect(JSON.stringify(faults)).not.toContain('key')
    }
    // The host alone is not the node.
    const { data: second } = (await put(owner, providerBody(other, 'second'))).body
    const moved = await refused(owner, providerBody(first, 'second'), second.resourceVersion)
    expect(moved.status).toBe(422)
    // A new version of the same provider keeps its endpoint.
    const renamed = providerBody(other, 'second')
    renamed.payload.displayName = 'Renamed'
    expect((await put(owner, renamed, second.resourceVersion)).status).toBe(200)

    const doubled = await newOrganization(service)
    await put(doubled, providerBody(testChain.chain.rpcUrl, 'first'))
    const records = recordsOf(service, doubled)
    const [stored] = await records.find<ProviderPayload>('Provider', { status: ['ACTIVE'] })
    const { change } = providers.first(records, {
      status: 'ACTIVE',
      payload: { ...stored!.payload, providerId: 'second' },
      reason: 'Stored by an earlier version',
      event: 'provider.registered',
    })
    await service.services.committer.commit(change)
    const { limitations, view } = await takeSnapshot(records, service.services, [31337], 'chainId')
    expect(view.chains[0]?.providers).toEqual(['first'])
    expect(limitations).toEqual(['SINGLE_RPC_PROVIDER'])
    const named = await chainProviders(records, service.services, 'second', 31337)
    expect(named.map(({ record }) => record.payload.providerId)).toEqual(['second'])
  })

  it('of another chain than it says is refused', async ({ service, proxy }) => {
    const owner = await newOrganization(service)
    const answer = await refused(owner, providerBody(proxy.url, 'mainnet', 1))
    expect(answer).toMatchObject({ status: 422, code: 'LIQUIDITY_PROVIDER_PROBE_FAILED' })
    expect(answer.body.error.fieldErrors.CHAIN_ID).toEqual(['expected 1, observed 31337'])
    expect(await listed(owner)).toEqual([])
  })

  it('that hangs, breaks, refuses or answers nonsense is refused, and nothing it says is shown', async ({
    service,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const text = 'key=hunter2 at /srv/node'
    const manners: Behaviour[] = [
      async () => 'HANG',
      async () => ({ error: { code: -32000, message: text } }),
      async () => ({ result: null }),
      async () => ({ result: { text } }),
      async () => ({ result: text }),
      async ({ method }, forward) => (method === 'eth_getBlockByNumber' ? 'HANG' : forward()),
    ]
    for (const [index, manner] of manners.entries()) {
      behave = manner
      const answer = await refused(owner, providerBody(proxy.url))
      expect([index, answer.status, answer.code]).toEqual([
        index,
        422,
        'LIQUIDITY_PROVIDER_PROBE_FAILED',
      ])
      expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|srv/)
    }
    expect(await listed(owner)).toEqual([])
  })

  it('that is no node at all is refused', async ({ service, web }) => {
    const owner = await newOrganization(service)
    for (const manner of [200, 401, 403, 404, 500] as const) {
      web.answer = () => manner
      const answer = await refused(owner, providerBody(web.url))
      expect([manner, answer.code]).toEqual([manner, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
    }
  })

  it('that redirects to the inside is not followed', async ({ service, web, inside }) => {
    const owner = await newOrganization(service)
    web.answer = () => ({ redirect: inside.url })
    const answer = await refused(owner, providerBody(web.url))
    expect(answer.code).toBe('LIQUIDITY_PROVIDER_PROBE_FAILED')
    expect(inside.received).toEqual([])
  })

  it('on an address that is not public is refused before anything is sent', async ({
    service,
    inside,
  }) => {
    const owner = await newOrganization(service)
    for (const endpoint of [
      inside.url,
      inside.url.replace('127.0.0.1', 'localhost'),
      inside.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      inside.url.replace('127.0.0.1', '0x7f000001'),
      'http://169.254.169.254/latest/meta-data/',
    ]) {
      const answer = await refused(owner, providerBody(endpoint))
      expect([endpoint, [400, 422].includes(answer.status)]).toEqual([endpoint, true])
    }
    expect(inside.received).toEqual([])
  })

  it('does not distinguish an unknown name from a name with an internal address', async ({
    service,
  }) => {
    const owner = await newOrganization(service)
    const answerFor = async (host: string) => {
      const { status, body } = await refused(owner, providerBody(`https://${host}:7/`))
      return [status, JSON.stringify(body.error.fieldErrors).replaceAll(host, 'HOST')]
    }
    // `localhost` has an address that is refused; names under .invalid have none (RFC 6761).
    expect(await answerFor('localhost')).toEqual(await answerFor('nothing.invalid'))
  })

  it('with a header that does not hash to its block is recorded as claimed only', async ({
    service,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    behave = async ({ method }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getBlockByNumber') return answer
      return { result: { ...(answer.result as object), hash: `0x${'ab'.repeat(32)}` } }
    }
    const { body } = await put(owner, providerBody(proxy.url))
    expect(body.data.payload.probe!.facts.headerHash).toBe('AS_STATED')
    expect(body.data.payload.capabilities).not.toContain('EIP_1898')
  })

  it('lists every fault of its configuration at once', async ({ service, proxy }) => {
    const owner = await newOrganization(service)
    const { payload, reason } = providerBody(proxy.url)
    const { endpoint: _, ...homeless } = payload
    const configuration = {
      chainId: 'one',
      finality: 0,
      timeoutMilliseconds: 5,
      surprise: true,
    }
    const answer = await refused(owner, { payload: { ...homeless, configuration }, reason })
    expect(answer.code).toBe('LIQUIDITY_PROVIDER_CONFIGURATION_INVALID')
    expect(Object.keys(answer.body.error.fieldErrors).sort()).toEqual([
      'payload.configuration.chainId',
      'payload.configuration.finality',
      'payload.configuration.surprise',
      'payload.configuration.timeoutMilliseconds',
      'payload.endpoint',
    ])
  })

  it('gets the secret that the deployment bound to its host, and no other host does', async ({
    service,
    web,
  }) => {
    const owner = await newOrganization(service)
    const body = providerBody(web.url)
    const withSecret = {
      ...body,
      payload: { ...body.payload, credentialReference: `env:${secretName}` },
    }
    const { hostname } = new URL(web.url)
    for (const [value, sent] of [
      [`${hostname} s3cret`, 'Bearer s3cret'],
      ['rpc.example.com s3cret', undefined],
      ['', undefined],
    ]) {
      process.env[secretName] = value
      web.received.length = 0
      const answer = await refused(owner, withSecret)
      expect(JSON.stringify(answer.body)).not.toContain('s3cret')
      expect(web.received[0]!.headers.authorization).toBe(sent)
    }
    const other = { ...body.payload, credentialReference: 'env:SEALING_KEYS' }
    expect((await refused(owner, { ...body, payload: other })).status).toBe(400)
  })
})

describe('an address with a key in its path', () => {
  const key = 'hunter2-is-the-key'
  const withKey = (proxy: ProviderProxy, changes: object = {}) => {
    const body = providerBody(`${proxy.url}/v3/${key}?token=${key}`)
    return { ...body, payload: { ...body.payload, ...changes } }
  }

  it('is queried in full, shown as its host, and stored nowhere in plain text', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const { body } = await put(owner, withKey(proxy))
    expect(body.data.payload.endpoint).toBe(`${proxy.url}/…`)
    await owner.client.createVenues({ body: poolBody(testChain) })
    expect(new Set(proxy.paths.slice(-3))).toEqual(new Set([`/v3/${key}?token=${key}`]))
    expect(JSON.stringify([body, await listed(owner)])).not.toContain(key)
    // As the owner of the database, whom no row is hidden from.
    const { pool } = service.database
    const tables = await pool.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    expect(tables.rows.length).toBeGreaterThan(10)
    for (const { name } of tables.rows) {
      const { rows } = await pool.query(
        `select count(*) as found from ${name} t where t::text like '%' || $1 || '%'`,
        [key],
      )
      expect([name, rows]).toEqual([name, [{ found: '0' }]])
    }
  })

  it('is kept if the shown value is sent back by its owner, and by no other', async ({
    service,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const first = await put(owner, withKey(proxy))
    const shown = withKey(proxy, {
      endpoint: first.body.data.payload.endpoint,
      displayName: 'Renamed',
    })
    proxy.paths.length = 0
    const second = await put(owner, shown, first.body.data.resourceVersion)
    expect(second.body.data.payload.displayName).toBe('Renamed')
    expect(new Set(proxy.paths)).toEqual(new Set([`/v3/${key}?token=${key}`]))

    const other = await newOrganization(service)
    const answer = await refused(other, shown)
    expect(answer).toMatchObject({
      status: 422,
      code: 'LIQUIDITY_PROVIDER_CONFIGURATION_INVALID',
    })
    const { sealedEndpoint } = first.body.data.payload
    expect((await refused(other, withKey(proxy, { sealedEndpoint }))).status).toBe(400)
  })

  it('with an HTTP error status reports it without the key', async ({ service, proxy, web }) => {
    const owner = await newOrganization(service)
    web.answer = () => 401
    const answer = await refused(owner, withKey(proxy, { endpoint: `${web.url}/${key}` }))
    const [message] = answer.body.error.fieldErrors['payload.endpoint'] ?? []
    expect(message).toContain('HTTP 401 (check the key')
    const closed = await startReceiver()
    await closed.stop()
    const body = withKey(proxy, { endpoint: `${closed.url}/${key}` })
    const gone = await refused(owner, body)
    expect(JSON.stringify([answer.body, gone.body])).not.toContain(key)
  })
})

describe('a sealed secret', () => {
  const seal = (
    service: TestService,
    owner: TestMember,
    body: object,
    organizationId = owner.organizationId,
  ) =>
    fetch(`${service.baseUrl}/auth/organizations/${organizationId}/sealed-secrets`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: `${service.config.sessionCookie}=${owner.cookie}`,
        origin: new URL(service.config.baseUrl).origin,
      },
      body: JSON.stringify(body),
    })
  const referenceOf = async (answer: Response) =>
    ((await answer.json()) as { data: { credentialReference: string } }).data.credentialReference

  it('is sent to the host that it was sealed for, and opens for no one else', async ({
    service,
    web,
  }) => {
    const owner = await newOrganization(service)
    const { hostname: host } = new URL(web.url)
    const answer = await seal(service, owner, { host, secret: 's3cret' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const credentialReference = await referenceOf(answer)
    expect(credentialReference).not.toContain('s3cret')
    const body = providerBody(web.url)
    const withSecret = { ...body, payload: { ...body.payload, credentialReference } }
    web.received.length = 0
    await refused(owner, withSecret)
    expect(web.received[0]!.headers.authorization).toBe('Bearer s3cret')

    web.received.length = 0
    const stolen = await refused(await newOrganization(service), withSecret)
    expect([stolen.status, stolen.code]).toEqual([422, 'LIQUIDITY_PROVIDER_CONFIGURATION_INVALID'])
    expect(Object.keys(stolen.body.error.fieldErrors)).toEqual(['payload.credentialReference'])
    const elsewhere = await referenceOf(
      await seal(service, owner, { host: 'rpc.example.com', secret: 'x' }),
    )
    const moved = { ...body.payload, credentialReference: elsewhere }
    expect((await refused(owner, { ...body, payload: moved })).status).toBe(422)
    expect(web.received).toEqual([])
  })

  it('is made by owners and operators of the organization, of a well-formed host and secret', async ({
    service,
  }) => {
    const owner = await newOrganization(service)
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    const good = { host: 'rpc.example.com', secret: 's3cret' }
    expect((await seal(service, operator, good)).status).toBe(201)
    expect((await seal(service, analyst, good)).status).toBe(403)
    const other = await newOrganization(service)
    expect((await seal(service, other, good, owner.organizationId)).status).toBe(403)
    for (const wrong of [
      { ...good, host: 'https://rpc.example.com' },
      { ...good, host: 'RPC.example.com' },
      { ...good, host: 'rpc.example.com:443' },
      { ...good, secret: '' },
      { ...good, secret: 'two words' },
      { ...good, secret: 'line\nbreak' },
    ]) {
      expect([wrong, (await seal(service, owner, wrong)).status]).toEqual([wrong, 400])
    }
  })
})

describe('the generations of a provider', () => {
  it('replace each other under If-Match, and end with the revocation', async ({
    service,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const first = await put(owner, providerBody(proxy.url))
    const named = { ...providerBody(proxy.url), status: 'PAUSED' as const }
    const stale = await refused(owner, named, `0x${'1'.repeat(64)}`)
    expect(stale.status).toBe(412)
    const second = await put(owner, named, first.body.data.resourceVersion)
    expect([second.status, second.body.data.sequence]).toEqual([200, 2])
    expect(second.body.data.payload.probe).toEqual(first.body.data.payload.probe)
    const blind = await refused(owner, { ...named, status: 'REVOKED' })
    expect([blind.status, blind.code]).toEqual([428, 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'])
    expect(blind.body.error.fieldErrors['headers.if-match']?.[0]).toContain(
      second.body.data.resourceVersion,
    )
    const version = second.body.data.resourceVersion
    const revoked = await put(owner, { ...named, status: 'REVOKED' } as never, version)
    expect(revoked.body.data.status).toBe('REVOKED')
    const late = await refused(owner, providerBody(proxy.url))
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_PROVIDER_TERMINAL'])
    expect(await listed(owner)).toHaveLength(1)
  })

  it('are one provider, also when forty ask two nodes for it at once', async ({
    service,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const node = await anotherNode(service)
    const other = { ...owner, client: createClient({ ...owner.options, baseUrl: node.baseUrl }) }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        refused(index % 2 === 0 ? owner : other, providerBody(proxy.url)),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(39).fill(428)])
    expect(await listed(owner)).toHaveLength(1)
  })

  it('are put by operators only', async ({ service, proxy }) => {
    const owner = await newOrganization(service)
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    expect((await refused(analyst, providerBody(proxy.url))).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  })
})

describe('two providers of one chain', () => {
  it('that name different hashes for a block validate nothing', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    await put(owner, providerBody(testChain.chain.rpcUrl))
    await put(owner, providerBody(proxy.url, 'second'))
    const body = { ...poolBody(testChain), status: 'VALIDATED' as const }
    // The second is behind by nothing, yet its blocks are those of another history.
    behave = async ({ method }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getBlockByNumber') return answer
      return { result: { ...(answer.result as object), hash: `0x${'cd'.repeat(32)}` } }
    }
    const failure = await owner.client.createVenues({ body }).catch((error: Refused) => error)
    expect(failure).toMatchObject({ status: 503, code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE' })
    expect((await owner.client.listVenues()).body.data).toEqual([])
    behave = honest
    expect((await owner.client.createVenues({ body })).body.data.status).toBe('VALIDATED')
  })
})
