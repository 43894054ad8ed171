// @module-tag long
// @covers apps/server/src/families/intelligence/anomalies apps/server/src/families/intelligence/venues

import { contract } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { observedUntil } from '../src/families/intelligence/anomalies/detect-requests.ts'
import { sweep } from '../src/families/intelligence/anomalies/sweep.ts'
import {
  anyObservations,
  completedObservations,
  confirmedStates,
} from '../src/market/completed-observations.ts'
import type { VenueRecord } from '../src/market/named-venue.ts'
import { historyOf, observationsWithin, walkHistory } from '../src/market/venue-history.ts'
import { sql } from '../src/store/database/sql.ts'
import { recordsOf } from './support/admissible.ts'
import { hostOf, poolBody, type TestChain, validatedPool } from './support/chain.ts'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const it = test.extend('settings', { scope: 'file' }, ({ testChain }) => ({
  WORKER: 'in-process',
  OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
}))

async function index({ client }: TestMember, id: string, payload: object = {}) {
  const { body } = await client.queueVenueIndex({
    params: { id },
    body: { payload: { mode: 'FULL', ...payload }, reason: 'For the test' },
  })
  return until('the job to end', async () => {
    const jobs = await client.listOperatingSystemJobs()
    const job = jobs.body.data.find(({ id: jobId }) => jobId === body.data.id)
    return job && ['COMPLETED', 'FAILED'].includes(job.status) ? job : null
  })
}

async function eventsOf(service: TestService, { organizationId }: TestMember, id: string) {
  const [rows = []] = await service.services.database.tenant(organizationId, [
    sql`select body from events where organization_id = ${organizationId} and subject_id = ${id}
      order by sequence`,
  ])
  return rows.map(({ body }) => openEvent(body ?? ''))
}

/** Indexes and says which blocks the last observation of the job read; null where it made none. */
async function blocksRead(owner: TestMember, id: string, payload: object = {}) {
  const { status, result } = await index(owner, id, payload)
  expect(status).toBe('COMPLETED')
  const { observation } = result as { observation: { id: string } | null }
  if (observation === null) return null
  const { body } = await owner.client.getVenueObservations({ params: { id: observation.id } })
  const { range } = body.data.payload
  return [range.from.number, range.to.number]
}

/** What the history of a venue says: its stretches, and the amounts and blocks of its swaps. */
async function readHistory(service: TestService, owner: TestMember, id: string) {
  const records = recordsOf(service, owner)
  const venue = (await records.current<VenueRecord['payload']>('VenueProfile', id))!.record
  const observations = (await observationsWithin(records, [id], { from: 0, to: 4e9 })).get(id)!
  const history = await historyOf(records, venue as VenueRecord, observations)
  const blocks: string[] = []
  let midX18 = 0n
  for (const step of walkHistory(history, [])) {
    if (step.kind !== 'EVENT') continue
    if (step.event.type === 'Swap') blocks.push(step.event.blockHash)
    const mid = step.market.mid(history.orientation)
    if (mid) midX18 = (mid.num * 10n ** 18n) / mid.den
  }
  const stretches = history.stretches.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])
  return { stretches, blocks, midX18: `${midX18}` }
}

/** Hashes of all blocks in which the pool was swapped, as the chain has them now. */
async function swapsOnChain(testChain: TestChain): Promise<string[]> {
  const { pool } = testChain.markets
  const toBlock = (await testChain.chain.publicClient.getBlock({ blockTag: 'finalized' })).number
  const logs = await testChain.chain.publicClient.getLogs({
    address: pool.address,
    fromBlock: 0n,
    toBlock,
  })
  // The first topic of a Swap of v3.
  const swap = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
  return logs.filter(({ topics }) => topics[0] === swap).map(({ blockHash }) => blockHash)
}

const eth = 10n ** 18n
const reorgsOf = async (service: TestService, owner: TestMember, id: string) =>
  (await eventsOf(service, owner, id)).filter(({ kind }) => kind === 'venue.reorg')

/** A venue of which 200 blocks with three swaps were read that then left the chain. */
async function withDeadBlocks(service: TestService, testChain: TestChain) {
  const { chain, markets } = testChain
  const owner = await newOrganization(service)
  const venue = await validatedPool(owner, testChain)
  const [, kept] = (await blocksRead(owner, venue.id))!
  const before = await chain.testClient.snapshot()
  for (let swap = 0; swap < 3; swap += 1) await markets.swap(true, eth / 2n)
  await chain.mine(200)
  const [, dead] = (await blocksRead(owner, venue.id))!
  const [observation] = (await owner.client.listVenueObservations()).body.data
  await chain.testClient.revert({ id: before })
  return { owner, id: venue.id, kept: kept!, dead: dead!, observation: observation! }
}

describe('data read from reorganized blocks', () => {
  it('begins where those did, so no history continues from a removed block', async ({
    service,
    testChain,
  }) => {
    const { owner, id, kept, dead } = await withDeadBlocks(service, testChain)
    await testChain.markets.swap(false, eth / 3n)
    await testChain.chain.mine(250)
    await testChain.markets.swap(false, eth / 100n)
    await testChain.chain.mine(70)
    const [from, to] = (await blocksRead(owner, id, { fromBlock: dead + 1 }))!
    expect(from).toBe(kept + 1)
    expect(to).toBeGreaterThan(dead)
    const history = await readHistory(service, owner, id)
    expect(history.stretches).toEqual([[0, to]])
    expect(history.blocks).toEqual(await swapsOnChain(testChain))
    const [newest] = (await owner.client.listVenueObservations()).body.data
    expect(history.midX18).toBe(newest!.payload.metrics.midX18)
    expect(await blocksRead(owner, id, { fromBlock: 0 })).toBeNull()
  })

  it('is a hole of the history where it lies further on, and a run from before fills it', async ({
    service,
    testChain,
  }) => {
    const { owner, id, kept, dead } = await withDeadBlocks(service, testChain)
    await testChain.markets.swap(false, eth / 3n)
    await testChain.chain.mine(350)
    const [, to] = (await blocksRead(owner, id, { fromBlock: dead + 20 }))!
    expect(await readHistory(service, owner, id)).toMatchObject({
      stretches: [
        [0, kept],
        [dead + 20, to],
      ],
    })
    expect(await blocksRead(owner, id, { fromBlock: 1 })).toEqual([kept + 1, dead + 19])
    const history = await readHistory(service, owner, id)
    expect(history.stretches).toEqual([[0, to]])
    expect(history.blocks).toEqual(await swapsOnChain(testChain))
    expect(await reorgsOf(service, owner, id)).toHaveLength(1)
  })
})

describe('a chain shorter than the read range', () => {
  it('counts at once: for the newest state, the map, the sweep and the history', async ({
    service,
    testChain,
  }) => {
    const { owner, id, kept, dead, observation } = await withDeadBlocks(service, testChain)
    await testChain.markets.swap(false, eth / 1000n)
    await testChain.chain.mine(100)
    const records = recordsOf(service, owner)
    const deadUntil = (await observedUntil(records, id))!
    const read = await blocksRead(owner, id)
    expect(read![0]).toBe(kept + 1)
    expect(read![1]).toBeLessThan(dead)

    const [newest] = await completedObservations(records, id, 1)
    expect(newest!.payload.range.to.number).toBe(read![1])
    const [confirmed] = await confirmedStates(records, id, 1)
    expect(confirmed!.id).toBe(newest!.id)
    const until = Date.parse(newest!.payload.range.to.timestamp) / 1000
    expect(await observedUntil(records, id)).toBe(until)
    const map = await owner.client.getUnifiedLiquidityMap()
    expect(map.body.data.markets[0]).toMatchObject({
      asOf: [{ number: read![1] }],
      venues: [{ midX18: newest!.payload.metrics.midX18 }],
    })
    const history = await readHistory(service, owner, id)
    expect(history.stretches).toEqual([[0, read![1]]])
    expect(history.blocks).toEqual(await swapsOnChain(testChain))
    const swept = await sweep({
      records,
      services: service.services,
      signal: new AbortController().signal,
      progress: async () => {},
      sweptTo: { [id]: deadUntil },
      overtaken: {},
      comparedTo: {},
    })
    expect(swept.subjects).toBeGreaterThan(0)
    expect([swept.sweptTo[id], swept.overtaken[id]]).toEqual([until, 1])
    const drawn = await anyObservations(records, id, 10)
    expect(drawn.filter(({ isOvertaken }) => isOvertaken)).toMatchObject([
      { observation: { id: observation.id } },
    ])
  })

  it('is reported even without new data, and also to a state-only run', async ({
    service,
    testChain,
  }) => {
    const { owner, id, kept, observation } = await withDeadBlocks(service, testChain)
    expect(await blocksRead(owner, id)).toBeNull()
    // The chain was wound back to blocks that were not final yet, so the first of those that were read is on it.
    expect((await reorgsOf(service, owner, id)).map(({ payload }) => payload)).toMatchObject([
      { fork: { number: kept + 1 }, overtaken: [{ id: observation.id }] },
    ])
    const records = recordsOf(service, owner)
    const newest = async () => (await confirmedStates(records, id, 1))[0]!.payload.state.at.number
    expect(await newest()).toBe(kept)

    const before = await testChain.chain.testClient.snapshot()
    await testChain.chain.mine(20)
    expect(await blocksRead(owner, id, { mode: 'STATE' })).toEqual([kept + 20, kept + 20])
    expect(await newest()).toBe(kept + 20)
    await testChain.chain.testClient.revert({ id: before })
    await testChain.chain.mine(10)
    expect(await blocksRead(owner, id, { mode: 'STATE' })).toEqual([kept + 10, kept + 10])
    expect(await newest()).toBe(kept + 10)
    expect(await reorgsOf(service, owner, id)).toHaveLength(2)
  })

  it('leaves no alert of events that never were', async ({ service, testChain }) => {
    const owner = await newOrganization(service)
    const { id } = await validatedPool(owner, testChain)
    await blocksRead(owner, id)
    const [whole] = (await owner.client.listVenueObservations()).body.data
    const { range } = whole!.payload
    const next = { ...range.to, number: range.to.number + 1, hash: `0x${'ab'.repeat(32)}` }
    const records = recordsOf(service, owner, service.services.clock() + 1000)
    const { change } = records.create('VenueObservation', {
      status: 'PARTIAL',
      payload: {
        ...whole!.payload,
        range: { from: next, to: next, parentHash: range.to.hash },
        gaps: [{ code: 'EVENT_GAP', detail: 'For the test' }],
      },
      reason: 'For the test',
      event: 'venue.indexed',
    })
    await service.services.committer.commit(change)
    const divergent = async () => {
      const { data } = await callOperation<{ kind: string }[]>(owner, 'listAlertsV2')
      return data.filter(({ kind }) => kind === 'VENUE_DIVERGENT')
    }
    expect(await divergent()).toHaveLength(1)
    expect(await blocksRead(owner, id)).toBeNull()
    expect(await divergent()).toEqual([])
  })

  it('leaves no observation that a study could be made of', async ({ service, testChain }) => {
    const { owner, id, observation } = await withDeadBlocks(service, testChain)
    await blocksRead(owner, id)
    const { venue } = observation.payload
    const { payload } = structuredClone(contract.createStudies.example.body)
    const answer = await callOperation(owner, 'createStudies', {
      body: {
        payload: {
          ...payload,
          pair: poolBody(testChain).payload.pair,
          market: { venue },
          observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
        },
        reason: 'For the test',
      },
    })
    expect([answer.status, Object.keys(answer.fieldErrors)]).toEqual([
      ...[422, ['payload.observations.0']],
    ])
    expect(answer.fieldErrors['payload.observations.0']).toMatchObject([
      expect.stringContaining('replaced by a chain reorganization'),
    ])
  })
})

describe('a reorganization of blocks that were recorded', () => {
  it('is reported once in the chain of the venue, with the fork, and both observations stay', async ({
    service,
    testChain,
  }) => {
    const { chain, markets } = testChain
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, testChain)
    await markets.swap(true, 10n ** 15n)
    const kept = await chain.publicClient.getBlock()
    const before = await chain.testClient.snapshot()
    await markets.swap(true, 2n * 10n ** 15n)
    await chain.mine(70)
    expect(await index(owner, venue.id)).toMatchObject({ status: 'COMPLETED' })
    expect((await eventsOf(service, owner, venue.id)).map(({ kind }) => kind)).not.toContain(
      'venue.reorg',
    )

    await chain.testClient.revert({ id: before })
    await markets.swap(false, 3n * 10n ** 15n)
    await chain.mine(90)
    expect(await index(owner, venue.id)).toMatchObject({ status: 'COMPLETED' })
    const [now, old, ...none] = (await owner.client.listVenueObservations()).body.data
    expect(none).toEqual([])
    expect(now!.payload.continuity.proved).toBe(true)
    expect(now!.payload.eventsRoot).not.toBe(old!.payload.eventsRoot)
    const reorgs = (await eventsOf(service, owner, venue.id)).filter(
      ({ kind }) => kind === 'venue.reorg',
    )
    expect(reorgs.map(({ payload }) => payload)).toEqual([
      {
        fork: expect.objectContaining({
          chainId: 31337,
          number: Number(kept.number),
          hash: kept.hash,
        }),
        overtaken: [{ id: old!.id, resourceVersion: old!.resourceVersion }],
      },
    ])

    await chain.mine(20)
    expect(await index(owner, venue.id)).toMatchObject({ status: 'COMPLETED' })
    const again = (await eventsOf(service, owner, venue.id)).filter(
      ({ kind }) => kind === 'venue.reorg',
    )
    expect(again).toHaveLength(1)
  })
})
