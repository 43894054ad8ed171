// @module-tag long
// @covers apps/server/src/families/intelligence/venues

import { createClient } from '@liquidity-os/client'
import { parseAbiItem } from 'viem'
import { afterEach, describe, expect } from 'vitest'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { hostOf, poolBody, providerBody, type TestChain } from './support/chain.ts'
import { proxied, test } from './support/fixtures.ts'
import {
  type LiquidityProcess,
  migratedDeployment,
  run,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { letSilencePass } from './support/silence.ts'
import { until } from './support/until.ts'

type Member = Pick<TestMember, 'client'>

/** True for a read of the events of the pool; reads of token transfers name two addresses. */
const isPoolRead = ({ method, params }: Parameters<Behaviour>[0]): boolean =>
  method === 'eth_getLogs' && [(params[0] as { address: unknown }).address].flat().length === 1

let behave: Behaviour = honest
let contradict: Behaviour = honest
const segmented = { OBSERVATION_EVENTS: '4' }
const it = test
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend(
    'secondProxy',
    { scope: 'file' },
    proxied((call, forward) => contradict(call, forward)),
  )
  .extend('settings', { scope: 'file' }, ({ proxy, secondProxy }) => ({
    ...segmented,
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(proxy.url, secondProxy.url),
  }))

afterEach(() => {
  behave = honest
  contradict = honest
})

/** A validated venue of the pool that is read ten blocks at a time. */
async function venueOf(testChain: TestChain, proxy: ProviderProxy, { client }: Member) {
  await client.putOperatingSystemProvider({ body: providerBody(proxy.url) })
  const { payload, reason } = poolBody(testChain)
  const read = { ...payload.read, logChunkBlocks: 10 }
  const { body } = await client.createVenues({
    body: { payload: { ...payload, read }, status: 'VALIDATED', reason },
  })
  return body.data
}

const index = async ({ client }: Member, id: string, range: object = {}) => {
  const { body } = await client.queueVenueIndex({
    params: { id },
    body: { payload: { mode: 'FULL', ...range }, reason: 'For the test' },
  })
  return body.data
}

const jobOf = async ({ client }: Member, id: string) =>
  (await client.listOperatingSystemJobs()).body.data.find((job) => job.id === id)

/** The job after it has ended. */
const endOf = (member: Member, id: string) =>
  until('the job to end', async () => {
    const job = await jobOf(member, id)
    return job && ['COMPLETED', 'FAILED'].includes(job.status) ? job : null
  })

/** Observations in the order in which they were made. */
const observations = async ({ client }: Member) =>
  (await client.listVenueObservations()).body.data.toReversed()

const sealedIn = (some: Awaited<ReturnType<typeof observations>>) =>
  some.map(({ status, payload: { range, eventsRoot, start, state } }) => [
    ...[status, range.from.number, range.to.number],
    ...[eventsRoot, start.snapshotHash, state.snapshotHash],
  ])

/** What an undisturbed run seals. */
async function undisturbed(service: TestService, testChain: TestChain, proxy: ProviderProxy) {
  const owner = await newOrganization(service)
  const job = await index(owner, (await venueOf(testChain, proxy, owner)).id)
  const ended = await endOf(owner, job.id)
  return { ended, made: await observations(owner) }
}

/** A node that has the state of the final block only, as one without an archive. */
async function pruned(testChain: TestChain): Promise<Behaviour> {
  const head = await testChain.chain.publicClient.getBlock({ blockTag: 'finalized' })
  const stateful = new Set(['eth_call', 'eth_getBalance', 'eth_getCode'])
  return async ({ method, params }, forward) => {
    const [, block] = params as [unknown, { blockHash?: string } | string]
    const isHead = typeof block === 'object' && block.blockHash === head.hash
    if (!stateful.has(method) || isHead) return forward()
    return { error: { code: -32000, message: 'missing trie node 0xab' } }
  }
}

describe('a long range', () => {
  it('becomes observations that follow each other, each proved from its start to its end', async ({
    service,
    testChain,
    proxy,
  }) => {
    const { ended, made } = await undisturbed(service, testChain, proxy)
    expect(made.length).toBeGreaterThan(2)
    expect(ended).toMatchObject({
      status: 'COMPLETED',
      result: { events: 16, observations: made.length, observation: { id: made.at(-1)!.id } },
    })
    for (const [index, { payload }] of made.entries()) {
      expect(payload.continuity).toMatchObject({ proved: true, firstMismatch: null })
      const next = made[index + 1]?.payload
      if (!next) continue
      expect(next.range.from.number).toBe(payload.range.to.number + 1)
      expect(next.start).toEqual({
        snapshotHash: payload.state.snapshotHash,
        artifactHash: payload.state.artifactHash,
      })
    }
    const count = made.reduce((sum, { payload }) => sum + payload.events.count, 0)
    expect(count).toBe(16)
  })

  it('starts no observation with a block whose parent is not the end of the previous one', async ({
    service,
    testChain,
    proxy,
  }) => {
    const { made } = await undisturbed(service, testChain, proxy)
    const edge = made[1]!.payload.range.from.number
    const owner = await newOrganization(service)
    const venue = await venueOf(testChain, proxy, owner)
    let lies = 1
    behave = async ({ method, params }, forward) => {
      const answer = await forward()
      if (method !== 'eth_getBlockByNumber' || Number(params[0]) !== edge || lies === 0) {
        return answer
      }
      lies -= 1
      return { result: { ...(answer.result as object), parentHash: `0x${'ef'.repeat(32)}` } }
    }
    const ended = await endOf(owner, (await index(owner, venue.id)).id)
    expect([lies, ended.status, ended.attempts]).toEqual([0, 'COMPLETED', 2])
    expect(sealedIn(await observations(owner))).toEqual(sealedIn(made))
  })

  it('with an unreadable part keeps the earlier observations, and the next job continues', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await venueOf(testChain, proxy, owner)
    let allowed = 5
    behave = async (call, forward) => {
      if (!isPoolRead(call) || allowed-- > 0) return forward()
      return { error: { code: -32603, message: 'unable' } }
    }
    const first = await endOf(owner, (await index(owner, venue.id)).id)
    expect(first.status).toBe('FAILED')
    const left = await observations(owner)
    expect(left.length).toBeGreaterThan(0)
    behave = honest
    expect((await endOf(owner, (await index(owner, venue.id)).id)).status).toBe('COMPLETED')
    expect(sealedIn(await observations(owner))).toEqual(
      sealedIn((await undisturbed(service, testChain, proxy)).made),
    )
  })
})

describe('a node without old state', () => {
  it('leaves every end but the last unproved, which proves where all of them led', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await venueOf(testChain, proxy, owner)
    behave = await pruned(testChain)
    expect(await endOf(owner, (await index(owner, venue.id)).id)).toMatchObject({
      status: 'COMPLETED',
    })
    const made = await observations(owner)
    const [last, ...before] = made.toReversed()
    expect(before.length).toBeGreaterThan(1)
    for (const { status, payload } of before) {
      expect([status, payload.continuity.proved]).toEqual(['PARTIAL', false])
      expect(payload.continuity.firstMismatch).toBeNull()
      expect(payload.gaps.map(({ code }) => code)).toEqual(['END_STATE_NOT_READ'])
    }
    expect([last!.status, last!.payload.continuity.proved]).toEqual(['COMPLETED', true])
    const assumed = last!.payload.evidence.assumptions.map(({ code }) => code)
    expect(assumed).toContain('START_STATE_COMPUTED')
    // Read with an archive the same range ends in the same state.
    const { made: proved } = await undisturbed(service, testChain, proxy)
    expect(made.map(({ payload }) => payload.eventsRoot)).toEqual(
      proved.map(({ payload }) => payload.eventsRoot),
    )
    expect(last!.payload.state.snapshotHash).toBe(proved.at(-1)!.payload.state.snapshotHash)
  })

  it('is continued, and starts the pool with its Initialize if its code cannot be read', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await venueOf(testChain, proxy, owner)
    behave = await pruned(testChain)
    const [born] = await testChain.chain.publicClient.getLogs({
      address: testChain.markets.pool.address,
      event: parseAbiItem('event Initialize(uint160 sqrtPriceX96, int24 tick)'),
      fromBlock: 0n,
    })
    const fromBlock = Number(born!.blockNumber)
    const half = await index(owner, venue.id, { fromBlock, toBlock: fromBlock + 20 })
    expect(await endOf(owner, half.id)).toMatchObject({ result: { status: 'PARTIAL' } })
    const rest = await index(owner, venue.id, { fromBlock })
    expect(await endOf(owner, rest.id)).toMatchObject({ result: { status: 'COMPLETED' } })
    const made = await observations(owner)
    expect(made[0]!.payload.range.from.number).toBe(fromBlock)
    expect(made.at(-1)!.payload.continuity.proved).toBe(true)
  })

  it('cannot serve a range that begins in the middle of the life of the pool', async ({
    service,
    testChain,
    proxy,
  }) => {
    const owner = await newOrganization(service)
    const venue = await venueOf(testChain, proxy, owner)
    behave = await pruned(testChain)
    const { number } = venue.payload.validation!.block
    expect(
      await endOf(owner, (await index(owner, venue.id, { fromBlock: number - 60 })).id),
    ).toMatchObject({ status: 'FAILED', error: { code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE' } })
    expect(await observations(owner)).toEqual([])
  })
})

describe('two providers', () => {
  /** A validated venue, and a provider beside the one that is read. */
  async function confirmedBy(
    service: TestService,
    testChain: TestChain,
    proxy: ProviderProxy,
    secondProxy: ProviderProxy,
  ) {
    const owner = await newOrganization(service)
    const venue = await venueOf(testChain, proxy, owner)
    const second = providerBody(secondProxy.url, 'second-opinion')
    await owner.client.putOperatingSystemProvider({ body: second })
    return { owner, venue }
  }

  it('that say the same leave nothing to be assumed, however narrow the second is', async ({
    service,
    testChain,
    proxy,
    secondProxy,
  }) => {
    const { owner, venue } = await confirmedBy(service, testChain, proxy, secondProxy)
    contradict = async ({ method, params }, forward) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock: string; toBlock: string }
      const isTooWide = method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 2
      const refusal = { code: -32005, message: 'block range is too wide' }
      return isTooWide ? { error: refusal } : forward()
    }
    expect(await endOf(owner, (await index(owner, venue.id)).id)).toMatchObject({
      status: 'COMPLETED',
    })
    const made = await observations(owner)
    expect(sealedIn(made)).toEqual(sealedIn((await undisturbed(service, testChain, proxy)).made))
    expect(made[0]!.payload.evidence.assumptions).toEqual([])
  })

  it.for([
    ['leaves a log out', (logs: object[]) => logs.slice(1)],
    ['says another amount', ([first, ...rest]: object[]) => [{ ...first, data: '0x01' }, ...rest]],
  ] as const)(
    'of which one %s end the job, and nothing of that segment is sealed',
    async ([_, lie], { service, testChain, proxy, secondProxy }) => {
      const { owner, venue } = await confirmedBy(service, testChain, proxy, secondProxy)
      let honestAnswers = 5
      let range = ''
      contradict = async ({ method, params }, forward) => {
        const answer = await forward()
        const logs = method === 'eth_getLogs' ? (answer.result as object[]) : []
        if (logs.length === 0 || honestAnswers-- > 0) return answer
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
        range ||= `${Number(fromBlock)} to ${Number(toBlock)}`
        return { result: lie(logs) }
      }
      const ended = await endOf(owner, (await index(owner, venue.id)).id)
      expect(ended).toMatchObject({
        status: 'FAILED',
        attempts: 1,
        error: { code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE' },
      })
      expect(ended.error!.message).toContain(`the logs of blocks ${range}`)
      const made = await observations(owner)
      expect(made.length).toBeGreaterThan(0)
      expect(made.at(-1)!.payload.range.to.number).toBeLessThan(Number(range.split(' ')[0]))
      contradict = honest
      expect((await endOf(owner, (await index(owner, venue.id)).id)).status).toBe('COMPLETED')
      expect(sealedIn(await observations(owner))).toEqual(
        sealedIn((await undisturbed(service, testChain, proxy)).made),
      )
    },
  )
})

describe('an index job that is killed in the middle', () => {
  it('keeps its observations, and continues like an undisturbed one', async ({
    service,
    testChain,
    proxy,
  }) => {
    const deployment = await migratedDeployment({
      ...segmented,
      WORKER: 'in-process',
      OUTBOUND_ALLOW: hostOf(proxy.url),
    })
    const killed: LiquidityProcess = await serve(deployment)
    const member = { client: createClient(await signInAtTerminal(deployment)) }
    const venue = await venueOf(testChain, proxy, member)
    let allowed = 5
    behave = async (call, forward) => (!isPoolRead(call) || allowed-- > 0 ? forward() : 'HANG')
    const job = await index(member, venue.id)
    const kept = await until('an observation and a provider that hangs', async () => {
      const made = await observations(member)
      return allowed < 0 && made.length > 0 ? made : null
    })
    await killed.end('SIGKILL')
    behave = honest
    killed.start()
    await untilServing(killed)
    if (process.env.DATABASE_URL) await letSilencePass(deployment.environment.DATABASE_URL!)
    expect(await endOf(member, job.id)).toMatchObject({ status: 'COMPLETED', attempts: 2 })
    const made = await observations(member)
    expect(made.slice(0, kept.length)).toEqual(kept)
    expect(sealedIn(made)).toEqual(sealedIn((await undisturbed(service, testChain, proxy)).made))
    const verified = await run(['verify-history', '--json'], deployment.environment)
    expect(JSON.parse(verified.stdout)).toMatchObject({ faults: [] })
  })
})
