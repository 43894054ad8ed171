import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorkers, type Workers } from '../src/service.ts'
import { hostOf, poolBody, providerBody, startTestChain, type TestChain } from './support/chain.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { behaviour, type ReplayedArm, study } from './support/studying.ts'
import { until } from './support/until.ts'

let test: TestChain
let service: TestService
let workers: Workers
let owner: TestMember
let venue: Awaited<ReturnType<typeof sampledVenue>>
let before: Awaited<ReturnType<typeof observe>>
let window: typeof before
beforeAll(async () => {
  test = await startTestChain()
  const { chain, markets } = test
  // A hundred samples of twelve seconds, in which the price moves now and then.
  for (let swap = 0; swap < 6; swap += 1) {
    await markets.swap(swap % 2 === 0, 10n ** 17n)
    await chain.mine(20)
  }
  const turn = Number(await chain.publicClient.getBlockNumber())
  for (let swap = 0; swap < 4; swap += 1) await markets.swap(swap % 2 === 0, 10n ** 16n)
  await chain.mine(70)
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) })
  workers = await startWorkers(service.services)
  owner = await newOrganization(service)
  venue = await sampledVenue()
  before = await observe({ toBlock: turn })
  window = await observe({ fromBlock: turn + 1 })
})
afterAll(async () => {
  await workers.stop()
  await service.stop()
  await test.chain.stop()
})

async function sampledVenue() {
  const { payload, reason } = poolBody(test)
  const read = { ...payload.read, cadenceSeconds: 12 }
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const body = { payload: { ...payload, read }, reason, status: 'VALIDATED' as const }
  return (await owner.client.createVenues({ body })).body.data
}

async function observe(range: { fromBlock?: number; toBlock?: number }) {
  service.clock.advance(1000)
  const { body } = await owner.client.queueVenueIndex({
    params: { id: venue.id },
    body: { payload: { mode: 'FULL', ...range }, reason: 'For the test' },
  })
  await until('the index job to end', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.find((one) => one.id === body.data.id && one.finishedAt)
  })
  return (await owner.client.listVenueObservations()).body.data[0]!
}

const ref = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  id,
  resourceVersion,
})

/** A replay of the later observation by an arm that is so many deviations of an hour wide. */
const replay = (observations: readonly (typeof before)[], kMilli = 2000) => {
  const template = { kind: 'VOL_SCALED', kMilli, horizonSeconds: 3600, volWindowSeconds: 600 }
  const definition = {
    ...behaviour(),
    positions: [{ positionId: 'core', weightPips: 1_000_000, template }],
    rules: [],
  }
  return {
    schemaVersion: 'simulation-study-v1',
    name: 'As wide as the price is volatile',
    kind: 'REPLAY',
    pair: venue.payload.pair,
    market: { venue: ref(venue) },
    observations: observations.map(ref),
    window: {
      fromBlock: window.payload.range.from.number,
      toBlock: window.payload.range.to.number,
    },
    arms: [{ armId: 'scaled', label: 'Scaled', definition }],
    capital: { base: `${10n ** 17n}`, quote: `${10n ** 17n}`, normalization: 'AS_GIVEN' },
    tradeSizesQuote: [`${10n ** 15n}`],
    sampleSeconds: 12,
  }
}

it('begins as wide as the market was volatile before the window', async () => {
  const { status, data } = await study(owner, replay([before, window]))
  expect([status, data.status]).toEqual([201, 'COMPLETED'])
  const { evidence, arms } = data.payload.result
  const { from } = window.payload.range
  expect(
    evidence.assumptions.find(({ code }: { code: string }) => code === 'VOLATILITY'),
  ).toMatchObject({
    value: expect.stringMatching(
      new RegExp(`^\\d+ pips a year, from 1\\d\\d returns before block ${from.number}$`),
    ),
    source: 'CALIBRATED',
  })
  const wide = await study(owner, replay([before, window], 8000))
  const depthOf = (results: ReplayedArm[]) => results.find(({ armId }) => armId === 'scaled')!.depth
  expect(depthOf(wide.data.payload.result.arms)).not.toEqual(depthOf(arms))
})

it('is refused where too little was observed before the window', async () => {
  const { status, code, fieldErrors } = await study(owner, replay([window]))
  expect([status, code]).toEqual([422, 'LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE'])
  expect(fieldErrors['payload.arms.0.definition']).toEqual([
    expect.stringContaining('0 returns are observed before block'),
  ])
})
