// @module-tag long
// @covers apps/server/src/integrations/chain/rpc-transport.ts apps/server/src/integrations/chain/rpc-pace.ts apps/server/src/integrations/chain/rpc-refusals.ts

import { type FaultyNode, startFaultyNode } from '@liquidity-os/localchain/faulty-node'
import { afterAll, describe, expect } from 'vitest'
import { paceOf } from '../src/integrations/providers/chain-providers.ts'
import { NodeCalls } from '../src/store/node-calls/node-calls.ts'
import { providerBody, validatedPool } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { indexTo } from './support/scoring.ts'
import { newMember, newOrganization } from './support/service.ts'
import { until } from './support/until.ts'

/** A free key: small batches, 50 blocks of logs, and every 8th request is refused by the rate. */
const startFreeTier = (upstream: string) => {
  let requests = 0
  return startFaultyNode(upstream, {
    behaviors: ['batch-limit:3', 'range-data-only:50'],
    behaveHttp: () => {
      requests += 1
      if (requests % 8 !== 0) return null
      const error = { code: -32005, message: 'request rate limited' }
      return { status: 429, headers: { 'retry-after': '0' }, body: { id: null, error } }
    },
  })
}

const nodes: FaultyNode[] = []
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

const started = async (node: Promise<FaultyNode>) => {
  nodes.push(await node)
  return node
}

const it = test
  .extend('freeTier', { scope: 'file' }, ({ testChain }) =>
    started(startFreeTier(testChain.chain.rpcUrl)),
  )
  .extend('exhausted', { scope: 'file' }, ({ testChain }) =>
    started(startFaultyNode(testChain.chain.rpcUrl)),
  )
  .extend('echoing', { scope: 'file' }, ({ testChain }) =>
    started(startFaultyNode(testChain.chain.rpcUrl)),
  )
  .extend('settings', { scope: 'file' }, ({ testChain, freeTier, exhausted, echoing }) => ({
    OUTBOUND_ALLOW: [testChain.chain.rpcUrl, freeTier.url, exhausted.url, echoing.url]
      .map((url) => new URL(url).host)
      .join(','),
  }))
  .extend('runsJobs', { scope: 'file' }, () => true)

const observationOf = async (owner: Awaited<ReturnType<typeof newOrganization>>) => {
  const { body } = await owner.client.listVenueObservations()
  const [observation] = body.data
  if (!observation) throw new Error('The venue has no observation.')
  const { payload } = observation
  const { range, start, state, events, counts, gaps } = payload
  return { range, start, state, events, counts, gaps }
}

const reason = 'Test of a free key'

/** The RPC provider of an organization and its health. */
async function healthOf({ client }: Awaited<ReturnType<typeof newOrganization>>) {
  const { body } = await client.listOperatingSystemProviders()
  const [provider] = body.data
  if (!provider) throw new Error('The organization has no provider.')
  const { data: health } = (await client.readProviderHealth({ params: { id: provider.id } })).body
  return { provider, health }
}

describe('a venue behind a free key', () => {
  it('is indexed at the first attempt, with the observation of an unlimited node', async ({
    service,
    testChain,
    freeTier,
    owner,
  }) => {
    await catchUp(testChain.chain, service)
    const direct = await validatedPool(owner, testChain)
    await indexTo(owner, direct.id)
    const limited = await newOrganization(service)
    const venue = await validatedPool(limited, testChain, freeTier.url)
    await indexTo(limited, venue.id)
    const [job] = (await limited.client.listOperatingSystemJobs()).body.data.filter(
      ({ kind }) => kind === 'VENUE_INDEX',
    )
    expect([job?.status, job?.attempts]).toEqual(['COMPLETED', 1])
    expect(await observationOf(limited)).toEqual(await observationOf(owner))
    const { provider, health } = await healthOf(limited)
    const learned = new Map(health.limits.map((limit) => [limit.name, limit.learned]))
    expect(learned.get('CALLS_PER_REQUEST')).toBeLessThanOrEqual(3)
    expect(learned.get('LOG_BLOCKS')).toBeLessThanOrEqual(50)
    // The next process continues with the stored limits.
    await service.services.nodeCalls.flush()
    const { organizationId } = limited
    const version = {
      organizationId,
      recordId: provider.id,
      resourceVersion: provider.resourceVersion,
    }
    const restarted = new NodeCalls(service.database, service.services.log, service.clock.read)
    const { limits } = await restarted.state(version)
    expect(limits.callsPerRequest?.value).toBe(learned.get('CALLS_PER_REQUEST'))
    const pace = await paceOf({ organizationId, endpoint: 'other process', version }, restarted)
    expect([pace.batchCalls, pace.logBlocks]).toEqual([
      learned.get('CALLS_PER_REQUEST'),
      learned.get('LOG_BLOCKS'),
    ])
    const next = { ...version, resourceVersion: `0x${'2'.repeat(64)}` }
    const renewed = await paceOf(
      { organizationId, endpoint: 'other process', version: next },
      restarted,
    )
    expect([renewed.batchCalls, renewed.logBlocks]).toEqual([100, null])
    await limited.client.probeProvider({ params: { id: provider.id }, body: { reason } })
    const probe = await until('the probe ends', async () => {
      const { body } = await limited.client.listOperatingSystemJobs({
        query: { kind: 'PROVIDER_PROBE', status: 'COMPLETED' },
      })
      return body.data[0]
    })
    expect(probe.result).toMatchObject({ facts: { proofs: 'SERVED' } })
  })

  it('waits once the quota is used up, and names method, cause and end of the wait', async ({
    service,
    testChain,
    exhausted,
  }) => {
    const member = await newOrganization(service)
    const venue = await validatedPool(member, testChain, exhausted.url)
    exhausted.setBehaviors(['quota-day:1'])
    const payload = { mode: 'FULL' } as const
    await member.client.queueVenueIndex({ params: { id: venue.id }, body: { payload, reason } })
    const job = await until('the job waits', async () => {
      const { body } = await member.client.listOperatingSystemJobs({ query: { status: 'QUEUED' } })
      return body.data.find(({ waiting }) => waiting !== undefined)
    })
    expect(job).toMatchObject({
      attempts: 0,
      waiting: { reason: 'QUOTA_EXHAUSTED', providerId: 'local-chain' },
    })
    const { health } = await healthOf(member)
    expect(health).toMatchObject({
      state: 'QUOTA',
      capabilities: { finalizedTag: true, blockHashPin: true },
      lastError: {
        reason: 'QUOTA_EXHAUSTED',
        httpStatus: 429,
        rpcCode: -32005,
        host: new URL(exhausted.url).host,
        providerText: 'daily request count exceeded',
      },
    })
    expect(health.calls.refused).toBeGreaterThan(0)
    const viewer = await newMember(service, member.organizationId, 'VIEWER')
    expect((await healthOf(viewer)).health.lastError).toMatchObject({
      host: null,
      providerText: null,
    })
    const detection = await member.client
      .detectMarkets({ query: { chainId: 31337, address: testChain.markets.pool.address } })
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(`${detection}`).toMatch(/The provider accepts calls again in \d+ s\./)
  })

  it('stops at the credits of its plan, with an alert, and continues to be probed', async ({
    service,
    testChain,
  }) => {
    const member = await newOrganization(service)
    const venue = await validatedPool(member, testChain)
    const { provider } = await healthOf(member)
    const body = providerBody(testChain.chain.rpcUrl)
    const withLimits = (limits: object) => ({
      body: {
        ...body,
        payload: { ...body.payload, configuration: { ...body.payload.configuration, limits } },
      },
    })
    const wrong = await callOperation(member, 'putOperatingSystemProvider', {
      ifMatch: provider.resourceVersion,
      body: withLimits({ concurrency: 33, credits: { eth_call: -1 }, perSecond: 1 }).body,
    })
    expect([wrong.status, Object.keys(wrong.fieldErrors).toSorted()]).toEqual([
      422,
      [
        'payload.configuration.limits.concurrency',
        'payload.configuration.limits.credits.eth_call',
        'payload.configuration.limits.perSecond',
      ],
    ])
    const limits = { creditsPerDay: 30, credits: { default: 1, eth_getLogs: 5 }, logBlocks: 40 }
    const put = await callOperation(member, 'putOperatingSystemProvider', {
      ifMatch: provider.resourceVersion,
      body: withLimits(limits).body,
    })
    expect(put.status).toBe(200)
    const payload = { mode: 'FULL' } as const
    await member.client.queueVenueIndex({ params: { id: venue.id }, body: { payload, reason } })
    const job = await until('the job waits', async () => {
      const { data } = (await member.client.listOperatingSystemJobs()).body
      return data.find(({ waiting }) => waiting !== undefined)
    })
    expect(job).toMatchObject({ attempts: 0, waiting: { reason: 'QUOTA_EXHAUSTED' } })
    const now = service.clock.read()
    // The day of PostgreSQL is later than the time of the test. The wait is then a day.
    const isShared = service.database.kind === 'postgres'
    const midnight = isShared ? now + 86_400_000 : Math.ceil(now / 86_400_000) * 86_400_000
    expect(Math.abs(Date.parse(`${job.waiting?.until}`) - midnight)).toBeLessThan(60_000)
    const { health } = await healthOf(member)
    expect(health.limits).toContainEqual({
      name: 'CREDITS_PER_DAY',
      configured: 30,
      learned: null,
      learnedAt: null,
    })
    const getLogs = health.methods.find(({ method }) => method === 'eth_getLogs')
    if (getLogs) expect(getLogs.credits).toBe(5 * getLogs.calls)
    expect(health.creditsUsed).toBeGreaterThan(0)
    await member.client.probeProvider({ params: { id: provider.id }, body: { reason } })
    await until('the probe ends', async () => {
      const { body: jobs } = await member.client.listOperatingSystemJobs({
        query: { kind: 'PROVIDER_PROBE', status: 'COMPLETED' },
      })
      return jobs.data[0]
    })
    const alerts = await until('the alert opens', async () => {
      const { data } = await callOperation<{ kind: string; title: string }[]>(
        member,
        'listAlertsV2',
      )
      const found = data.filter(({ kind }) => kind === 'PROVIDER_QUOTA')
      return found.length > 0 ? found : undefined
    })
    expect(alerts[0]?.title).toMatch(/^Local chain has used \d+ % of its 30 credits of today\./)
  })

  it('never shows a key that the node repeats', async ({ service, testChain, echoing }) => {
    const member = await newOrganization(service)
    const key = 'q7Zk2Vw9'
    const venue = await validatedPool(member, testChain, `${echoing.url}/v2/${key}`)
    echoing.setBehaviors(['secret-echo'])
    const payload = { mode: 'FULL' } as const
    await member.client.queueVenueIndex({ params: { id: venue.id }, body: { payload, reason } })
    const job = await until('the job fails', async () => {
      const { body } = await member.client.listOperatingSystemJobs({ query: { status: 'FAILED' } })
      return body.data[0]
    })
    const { provider, health } = await healthOf(member)
    expect(health.lastError?.providerText).toContain('No access with key')
    const detection = await callOperation(member, 'detectMarkets', {
      query: { chainId: 31337, address: testChain.markets.pool.address },
    })
    expect(detection.status).toBe(503)
    const probe = await callOperation(member, 'putOperatingSystemProvider', {
      ifMatch: provider.resourceVersion,
      body: providerBody(`${echoing.url}/v2/${key}`),
    })
    expect(probe.status).toBe(422)
    const events = await callOperation(member, 'listRecordEvents', { params: { id: provider.id } })
    const alerts = await callOperation(member, 'listAlertsV2')
    await service.services.nodeCalls.flush()
    const stored = await service.database.pool.query(
      'select last_error, limits from provider_limits',
    )
    const jobs = await service.database.pool.query('select result, error from jobs')
    const shown = [job, provider, health, detection, probe, events, alerts, stored.rows, jobs.rows]
    expect(JSON.stringify(shown)).not.toContain(key)
  })
})
