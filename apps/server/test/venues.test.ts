// @module-tag long
// @covers apps/server/src/families/intelligence/venues

import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect } from 'vitest'
import { validateVenue } from '../src/families/intelligence/venues/validate-venue.ts'
import type { VenueProfile } from '../src/families/intelligence/venues/venue.ts'
import { type Behaviour, honest } from '../src/integrations/chain/testing/provider-proxy.ts'
import { recordsOf } from './support/admissible.ts'
import {
  hostOf,
  pairBody,
  poolBody,
  providerBody,
  type TestChain,
  validatedPool,
} from './support/chain.ts'
import { proxied, test } from './support/fixtures.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

let behave: Behaviour = honest
const it = test
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend('settings', { scope: 'file' }, ({ testChain, proxy }) => ({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, proxy.url),
  }))

afterEach(() => {
  behave = honest
})

const orFailure = <T>(work: Promise<T>) => work.catch((error: unknown) => error)

/** An organization with a provider of the chain. */
async function withProvider(
  service: TestService,
  testChain: TestChain,
  endpoint = testChain.chain.rpcUrl,
): Promise<TestMember> {
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(endpoint) })
  return owner
}

const validated = (body: ReturnType<typeof poolBody>) => ({ ...body, status: 'VALIDATED' as const })

describe('a venue', () => {
  it('is validated against the chain, with the block at which it was', async ({
    service,
    testChain,
  }) => {
    const owner = await newOrganization(service)
    const pool = await validatedPool(owner, testChain)
    expect(pool.status).toBe('VALIDATED')
    const { block, checks } = pool.payload.validation!
    expect(checks.every(({ ok }) => ok)).toBe(true)
    const onChain = await testChain.chain.publicClient.getBlock({
      blockNumber: BigInt(block.number),
    })
    expect(block.hash).toBe(onChain.hash)
    const pair = await owner.client.createVenues({ body: validated(pairBody(testChain) as never) })
    expect(pair.body.data.payload.validation?.checks.every(({ ok }) => ok)).toBe(true)
  })

  it('with claims that differ from the chain is rejected with each wrong claim', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const { pair } = poolBody(testChain).payload
    const wrong: [object, string[]][] = [
      [{ pair: { ...pair, baseDecimals: 6 } }, ['BASE_DECIMALS']],
      [{ pair: { ...pair, quoteDecimals: 6 } }, ['QUOTE_DECIMALS']],
      [{ tickSpacing: 10 }, ['TICK_SPACING']],
      [{ feePips: 500 }, ['ADDRESS_DERIVED', 'FACTORY_NAMES_MARKET', 'FEE']],
      [{ address: testChain.chain.contracts.weth9 }, ['CODE_HASH', 'ADDRESS_DERIVED']],
      [
        { address: testChain.chain.accounts[5]!.address },
        ['CODE_PRESENT', 'CODE_HASH', 'ADDRESS_DERIVED', 'LIQUIDITY'],
      ],
      [{ factory: testChain.chain.contracts.weth9 }, ['MARKET_NAMES_FACTORY', 'ADDRESS_DERIVED']],
      [{ pair: { ...pair, base: testChain.chain.contracts.weth9 } }, ['ADDRESS_DERIVED']],
    ]
    for (const [changes, codes] of wrong) {
      const body = validated(poolBody(testChain, changes))
      const failure = await orFailure(owner.client.createVenues({ body }))
      expect(failure).toMatchObject({ status: 422, code: 'LIQUIDITY_VENUE_VALIDATION_FAILED' })
      const { fieldErrors } = (failure as { body: { error: { fieldErrors: object } } }).body.error
      expect(Object.keys(fieldErrors)).toEqual(expect.arrayContaining(codes))
    }
    expect((await owner.client.listVenues()).body.data).toEqual([])
  })

  it.for([
    ['caps.maxDepthSharePips', { caps: { maxDepthSharePips: 100_000 } }],
    ['kind', { kind: 'CLOB_SNAPSHOT' }],
  ] as const)(
    'that says %s, which nothing would act on, is refused',
    async ([member, changes], { service, testChain }) => {
      const owner = await withProvider(service, testChain)
      const body = poolBody(testChain, changes) as never
      const failure = await orFailure(owner.client.createVenues({ body }))
      expect(failure).toMatchObject({ status: 422, code: 'LIQUIDITY_VENUE_PROFILE_INVALID' })
      const { fieldErrors } = (failure as { body: { error: { fieldErrors: object } } }).body.error
      expect(Object.keys(fieldErrors)).toEqual([`payload.${member}`])
      expect((await owner.client.listVenues()).body.data).toEqual([])
    },
  )

  it('names its tokens by the symbols of their contracts, whatever its own name says', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const misnamed = validated(poolBody(testChain, { name: 'USDC / WETH 0.30 %' }))
    const { body } = await owner.client.createVenues({ body: misnamed })
    const { pair, validation } = body.data.payload
    const symbolOf = (code: string) =>
      validation!.checks.find((check) => check.code === code)!.observed
    const symbols = [symbolOf('BASE_SYMBOL'), symbolOf('QUOTE_SYMBOL')]
    expect(new Set(symbols)).toEqual(new Set(['ONE', 'TWO']))
    const listed = (await owner.client.listAssets()).body.data
    const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
    expect(new Map(listed.map(({ assetKey, symbol }) => [assetKey, symbol]))).toEqual(
      new Map([
        [keyOf(pair.base), symbols[0]],
        [keyOf(pair.quote), symbols[1]],
      ]),
    )
    const other = await withProvider(service, testChain)
    expect((await other.client.listAssets()).body.data).toEqual([])
  })

  it('on a chain that its provider does not serve has no provider', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const { pair } = poolBody(testChain).payload
    const body = validated(poolBody(testChain, { pair: { ...pair, chainId: 1 } }))
    await expect(owner.client.createVenues({ body })).rejects.toMatchObject({
      status: 404,
      code: 'LIQUIDITY_PROVIDER_UNKNOWN',
    })
  })

  it('exists once for 20 concurrent requests, and again once revoked', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        owner.client.createVenues({ body: poolBody(testChain) }).then(
          ({ body }) => body.data,
          (error: { code: string }) => error.code,
        ),
      ),
    )
    const made = answers.filter((answer) => typeof answer === 'object')
    expect(made).toHaveLength(1)
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(
      new Set(['LIQUIDITY_VENUE_DUPLICATE']),
    )
    await owner.client.supersedeVenues({
      params: { id: made[0]!.id },
      ifMatch: made[0]!.resourceVersion,
      body: { status: 'REVOKED', reason: 'To free the name' },
    })
    expect((await owner.client.createVenues({ body: poolBody(testChain) })).status).toBe(201)
  })

  it('moves only as its states allow, and is final once revoked', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const created = await owner.client.createVenues({ body: poolBody(testChain) })
    let { id, resourceVersion } = created.body.data
    const move = async (status: 'DRAFT' | 'VALIDATED' | 'PAUSED' | 'REVOKED') => {
      try {
        const { body } = await owner.client.supersedeVenues({
          params: { id },
          ifMatch: resourceVersion,
          body: { status, reason: 'For the test' },
        })
        ;({ id, resourceVersion } = body.data)
        return body.data.status
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(await move('PAUSED')).toBe('LIQUIDITY_VENUE_TRANSITION_REFUSED')
    expect(await move('VALIDATED')).toBe('VALIDATED')
    expect(await move('DRAFT')).toBe('LIQUIDITY_VENUE_TRANSITION_REFUSED')
    expect(await move('PAUSED')).toBe('PAUSED')
    expect(await move('VALIDATED')).toBe('VALIDATED')
    expect(await move('REVOKED')).toBe('REVOKED')
    expect(await move('VALIDATED')).toBe('LIQUIDITY_VENUE_TERMINAL')
  })

  it('keeps its identity: kind, address and pair never change', async ({ service, testChain }) => {
    const owner = await withProvider(service, testChain)
    const { body } = await owner.client.createVenues({ body: poolBody(testChain) })
    const { pair } = body.data.payload
    const change = (payload: object) =>
      orFailure(
        owner.client.supersedeVenues({
          params: { id: body.data.id },
          ifMatch: body.data.resourceVersion,
          body: { payload, reason: 'For the test' },
        }),
      )
    for (const payload of [
      { kind: 'UNISWAP_V2' },
      { address: testChain.markets.pair.address },
      { pair: { ...pair, base: pair.quote, quote: pair.base } },
      { pair: { ...pair, chainId: 1 } },
    ]) {
      expect(await change(payload)).toMatchObject({
        status: 409,
        code: 'LIQUIDITY_VENUE_IDENTITY_IMMUTABLE',
      })
    }
    // Said again as it is, it is no change of identity.
    expect(
      await change({
        kind: 'UNISWAP_V3',
        address: testChain.markets.pool.address,
        pair,
        tags: ['a'],
      }),
    ).toMatchObject({ status: 200 })
  })

  it('is prepared by an analyst and validated by an operator', async ({ service, testChain }) => {
    const owner = await withProvider(service, testChain)
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    await expect(
      analyst.client.createVenues({ body: validated(poolBody(testChain)) }),
    ).rejects.toMatchObject({ code: 'LIQUIDITY_ROLE_REQUIRED' })
    const { body } = await analyst.client.createVenues({ body: poolBody(testChain) })
    const validate = { params: { id: body.data.id }, ifMatch: body.data.resourceVersion }
    const request = { ...validate, body: { status: 'VALIDATED' as const, reason: 'Checked' } }
    await expect(analyst.client.supersedeVenues(request)).rejects.toMatchObject({
      code: 'LIQUIDITY_ROLE_REQUIRED',
    })
    expect((await owner.client.supersedeVenues(request)).body.data.status).toBe('VALIDATED')
  })

  it('is validated again, by an operator, when another provider or finality is to be believed', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const pool = await validatedPool(owner, testChain)
    await owner.client.putOperatingSystemProvider({ body: providerBody(proxy.url, 'other') })
    const { id, payload } = pool
    let { resourceVersion } = pool
    const change = async (by: TestMember, read: object, rest: object = {}) => {
      const body = { payload: { read: { ...payload.read, ...read }, ...rest }, reason: 'Changed' }
      const answer = await by.client.supersedeVenues({
        params: { id },
        ifMatch: resourceVersion,
        body: body as never,
      })
      resourceVersion = answer.body.data.resourceVersion
      return answer.body.data
    }
    for (const read of [{ providerId: 'other' }, { finality: 1 }]) {
      const refused = await orFailure(change(analyst, read))
      expect(refused).toMatchObject({ status: 403, code: 'LIQUIDITY_ROLE_REQUIRED' })
    }
    expect((await change(analyst, { cadenceSeconds: 600 })).payload.validation).toEqual(
      payload.validation,
    )
    const { number } = payload.validation!.block
    const moved = await change(owner, { finality: 1 })
    expect(moved.status).toBe('VALIDATED')
    expect(moved.payload.validation!.block.number).toBeGreaterThan(number)
    behave = async () => 'HANG'
    expect(await orFailure(change(owner, { providerId: 'other', finality: 1 }))).toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
    })
    behave = honest
    const { record } = (await recordsOf(service, owner).current('VenueProfile', id))!
    expect(record.resourceVersion).toBe(resourceVersion)
  })

  it('is validated within one time limit for all reads, at any speed of the node', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await withProvider(service, testChain, proxy.url)
    const { id } = (await owner.client.createVenues({ body: poolBody(testChain) })).body.data
    const records = recordsOf(service, owner)
    const { payload } = (await records.current<VenueProfile>('VenueProfile', id))!.record
    behave = async (call, forward) => {
      await setTimeout(600)
      return honest(call, forward)
    }
    const requestCount = proxy.calls.length
    const late = await orFailure(validateVenue(records, service.services, payload, 1500))
    expect(late).toMatchObject({
      code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
      cause: { facts: { reason: 'TIMEOUT' } },
    })
    const askedInTime = proxy.calls.length
    expect(askedInTime).toBeGreaterThan(requestCount)
    await setTimeout(500)
    expect(proxy.calls.length).toBe(askedInTime)
    const { checks } = await validateVenue(records, service.services, payload)
    expect(checks.every(({ ok }) => ok)).toBe(true)
  })

  it('is not validated by a provider that hangs, and nothing is stored', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await withProvider(service, testChain, proxy.url)
    behave = async () => 'HANG'
    await expect(
      owner.client.createVenues({ body: validated(poolBody(testChain)) }),
    ).rejects.toMatchObject({ status: 503, code: 'LIQUIDITY_CHAIN_UNAVAILABLE' })
    behave = honest
    expect((await owner.client.listVenues()).body.data).toEqual([])
  })
})

/** Waits for the newest job of an organization to end. */
async function endOfJob(owner: TestMember) {
  return until('the job to end', async () => {
    const { body } = await owner.client.listOperatingSystemJobs()
    const [job] = body.data
    return job && ['COMPLETED', 'FAILED'].includes(job.status) ? job : null
  })
}

const index = (owner: TestMember, id: string, payload: object = { mode: 'FULL' }) =>
  owner.client.queueVenueIndex({
    params: { id },
    body: { payload: payload as never, reason: 'For the test' },
  })

describe('an index job', () => {
  it('proves every event of the pool by replay, and stores the observation', async ({
    service,
    testChain,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    const queued = await index(owner, venue.id)
    expect([queued.status, queued.body.data.status]).toEqual([201, 'QUEUED'])
    const job = await endOfJob(owner)
    expect(job).toMatchObject({ status: 'COMPLETED', progressPips: 1_000_000, attempts: 1 })
    const { body } = await owner.client.listVenueObservations()
    const [observation] = body.data
    const { continuity, events, counts } = observation!.payload
    expect(continuity).toMatchObject({ proved: true, firstMismatch: null })
    expect(continuity.fidelity.eventsReplayed).toBe(events.count)
    expect(continuity.fidelity.eventsExact).toBe(events.count)
    expect(counts).toMatchObject({ Swap: 12, Mint: 1, Burn: 1, Collect: 1, Initialize: 1 })
    const { traders, providers, realizedVolAnnualPips } = observation!.payload.metrics
    // One account signed every swap, and the payer alone owns liquidity.
    expect(traders).toBe(1)
    const { payer } = testChain.chain.contracts
    expect(providers).toEqual([{ address: payer, depthSharePips: 1_000_000 }])
    expect(realizedVolAnnualPips).toBeNull()
    const artifacts = await owner.client.listOperatingSystemArtifacts()
    const hashes = artifacts.body.data.map(({ contentHash }) => contentHash)
    expect(hashes).toEqual(expect.arrayContaining([events.artifactHash]))
  })

  it('of a pair is exact as well', async ({ service, testChain }) => {
    const owner = await withProvider(service, testChain)
    const { body } = await owner.client.createVenues({
      body: validated(pairBody(testChain) as never),
    })
    await index(owner, body.data.id)
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    const observations = await owner.client.listVenueObservations()
    expect(observations.body.data[0]!.payload.continuity).toMatchObject({
      proved: true,
      firstMismatch: null,
    })
    expect(observations.body.data[0]!.payload.metrics).toMatchObject({
      traders: 1,
      providers: null,
    })
  })

  it('continues where the last one ended, and has no work without new blocks', async ({
    service,
    testChain,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    const { number } = venue.payload.validation!.block
    await index(owner, venue.id, { mode: 'FULL', toBlock: number - 40 })
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    await index(owner, venue.id)
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    const [second, first] = (await owner.client.listVenueObservations()).body.data
    expect(first!.payload.range.to.number).toBe(number - 40)
    expect(second!.payload.range.from.number).toBe(number - 39)
    expect(second!.payload.continuity.proved).toBe(true)
    await index(owner, venue.id)
    const third = await endOfJob(owner)
    expect(third.result).toMatchObject({ reason: 'NOTHING_NEW' })
  })

  it('says that there is nothing to be read before the market was made', async ({
    service,
    testChain,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    await index(owner, venue.id, { mode: 'FULL', fromBlock: 0, toBlock: 1 })
    expect(await endOfJob(owner)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      error: { code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', retryable: false },
    })
  })

  it('does not continue from an end that is off the chain', async ({ service, testChain }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    const { number } = venue.payload.validation!.block
    await index(owner, venue.id, { mode: 'FULL', toBlock: number - 40 })
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    const [proved] = (await owner.client.listVenueObservations()).body.data
    const { range, state } = proved!.payload
    const end = { ...range.to, number: number - 20, hash: `0x${'ab'.repeat(32)}` }
    const { change } = recordsOf(service, owner).create('VenueObservation', {
      status: 'COMPLETED',
      payload: {
        ...proved!.payload,
        range: { from: { ...range.to, number: number - 39 }, to: end },
        state: { ...state, at: end },
      },
      reason: 'For the test',
      event: 'venue.indexed',
    })
    await service.services.committer.commit(change)
    await index(owner, venue.id, { mode: 'FULL', toBlock: number - 30 })
    const { id } = (await endOfJob(owner)).result!.observation as { id: string }
    const found = (await owner.client.listVenueObservations()).body.data
    const next = found.find((one) => one.id === id)!.payload
    expect([next.range.from.number, next.range.to.number]).toEqual([number - 39, number - 30])
    expect(next.continuity.proved).toBe(true)
  })

  it('fills the requested gap up to the read range', async ({ service, testChain }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    const { number } = venue.payload.validation!.block
    const read = async (payload: object) => {
      await index(owner, venue.id, { mode: 'FULL', ...payload })
      expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
      const [newest] = (await owner.client.listVenueObservations()).body.data
      const { range, continuity } = newest!.payload
      return [range.from.number, range.to.number, continuity.proved]
    }
    expect(await read({ fromBlock: number - 20, toBlock: number - 10 })).toEqual([
      ...[number - 20, number - 10, true],
    ])
    expect(await read({ fromBlock: 0 })).toEqual([0, number - 21, true])
    // Nothing to begin at goes on behind all of it, though the filling was read last.
    expect((await read({})).slice(0, 1)).toEqual([number - 9])
    await index(owner, venue.id, { mode: 'FULL', fromBlock: 0 })
    expect((await endOfJob(owner)).result).toMatchObject({ reason: 'NOTHING_NEW' })
  })

  it('a state reading states that it has no events, and no other continues from it', async ({
    service,
    testChain,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    await index(owner, venue.id, { mode: 'STATE' })
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    const [state] = (await owner.client.listVenueObservations()).body.data
    expect(state).toMatchObject({ status: 'PARTIAL', payload: { continuity: { proved: false } } })
    expect(state!.payload.gaps.map(({ code }) => code)).toEqual(['EVENTS_NOT_READ'])
    expect(BigInt(state!.payload.metrics.tvlQuote)).toBeGreaterThan(0n)
    expect(state!.payload.metrics).toMatchObject({
      traders: null,
      providers: null,
      realizedVolAnnualPips: null,
    })
    const map = await owner.client.getUnifiedLiquidityMap()
    const [market] = map.body.data.markets
    expect(market!.venues[0]!.midX18).toBe(state!.payload.metrics.midX18)
    await index(owner, venue.id)
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    const [whole] = (await owner.client.listVenueObservations()).body.data
    expect(whole).toMatchObject({ status: 'COMPLETED', payload: { counts: { Swap: 12 } } })
  })

  it('is rejected while another one runs, and runs once for 20 concurrent requests', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain, proxy.url)
    behave = async ({ method }, forward) => (method === 'eth_getLogs' ? 'HANG' : forward())
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        index(owner, venue.id).then(
          ({ status }) => status,
          (error: { code: string }) => error.code,
        ),
      ),
    )
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'LIQUIDITY_VENUE_INDEX_RUNNING')).toHaveLength(19)
    await expect(index(owner, venue.id)).rejects.toMatchObject({
      body: { error: { fieldErrors: { id: [expect.stringMatching(/got job_[0-9a-f]+$/)] } } },
    })
    behave = honest
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED' })
    expect((await owner.client.listVenueObservations()).body.data).toHaveLength(1)
  })

  it('fails with its reason when the provider does not come back, and appends nothing', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain, proxy.url)
    behave = async ({ method }, forward) =>
      method === 'eth_getLogs' ? { error: { code: -32603, message: 'secret detail' } } : forward()
    await index(owner, venue.id)
    const job = await endOfJob(owner)
    expect(job).toMatchObject({
      status: 'FAILED',
      attempts: 3,
      error: {
        code: 'LIQUIDITY_CHAIN_UNAVAILABLE',
        details: {
          reason: 'REQUEST_REFUSED',
          method: 'eth_getLogs',
          rpcCode: -32603,
          host: new URL(proxy.url).host,
          providerText: 'secret detail',
        },
      },
    })
    expect(job?.error?.message).not.toContain('secret detail')
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await endOfJob(viewer))?.error?.details).toMatchObject({
      method: 'eth_getLogs',
      host: null,
      providerText: null,
    })
    expect((await owner.client.listVenueObservations()).body.data).toEqual([])
    // The venue is free for another job, which then succeeds.
    behave = honest
    await index(owner, venue.id)
    await until('the repaired job', async () => {
      const { body } = await owner.client.listOperatingSystemJobs({
        query: { status: 'COMPLETED' },
      })
      return body.data.length === 1
    })
  })

  it('restarts after a reorganization and ends with the current chain', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain, proxy.url)
    let lies = 1
    behave = async ({ method }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getLogs' || lies === 0) return answer
      lies -= 1
      const logs = answer.result as { blockHash: string }[]
      return { result: logs.map((log) => ({ ...log, blockHash: `0x${'ab'.repeat(32)}` })) }
    }
    await index(owner, venue.id)
    expect(await endOfJob(owner)).toMatchObject({ status: 'COMPLETED', attempts: 2 })
    const { body } = await owner.client.listVenueObservations()
    expect(body.data.map(({ payload }) => payload.continuity.proved)).toEqual([true])
  })

  it('refuses a venue that is not validated and a range that is none', async ({
    service,
    testChain,
  }) => {
    const owner = await withProvider(service, testChain)
    const draft = await owner.client.createVenues({ body: poolBody(testChain) })
    await expect(index(owner, draft.body.data.id)).rejects.toMatchObject({
      code: 'LIQUIDITY_VENUE_NOT_VALIDATED',
      body: { error: { fieldErrors: { id: ['must be VALIDATED, got DRAFT'] } } },
    })
    const moved = await owner.client.supersedeVenues({
      params: { id: draft.body.data.id },
      ifMatch: draft.body.data.resourceVersion,
      body: { status: 'VALIDATED', reason: 'Checked' },
    })
    await expect(
      index(owner, moved.body.data.id, { mode: 'FULL', fromBlock: 20, toBlock: 10 }),
    ).rejects.toMatchObject({ code: 'LIQUIDITY_VENUE_RANGE_INVALID' })
  })
})
