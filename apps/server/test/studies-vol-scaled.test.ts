import { expect } from 'vitest'
import { poolBody, providerBody, startTestChain } from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import type { TestMember, TestService } from './support/service.ts'
import { behaviour, type ReplayedArm, study } from './support/studying.ts'
import { until } from './support/until.ts'

type Venue = Awaited<ReturnType<typeof sampledVenue>>
type Observed = Awaited<ReturnType<typeof observe>>

/** A chain whose price moves less from block `turn` on. */
async function startVolatile() {
  const test = await startTestChain()
  const { chain, markets } = test
  // A hundred samples of twelve seconds, in which the price moves now and then.
  for (let swap = 0; swap < 6; swap += 1) {
    await markets.swap(swap % 2 === 0, 10n ** 17n)
    await chain.mine(20)
  }
  const turn = Number(await chain.publicClient.getBlockNumber())
  for (let swap = 0; swap < 4; swap += 1) await markets.swap(swap % 2 === 0, 10n ** 16n)
  await chain.mine(70)
  return { ...test, turn }
}

const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startVolatile))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('venue', { scope: 'file' }, ({ testChain, owner }) => sampledVenue(testChain, owner))
  .extend('before', { scope: 'file', auto: true }, ({ service, testChain, owner, venue }) =>
    observe(service, owner, venue, { toBlock: testChain.turn }),
  )
  .extend('window', { scope: 'file' }, ({ service, testChain, owner, venue }) =>
    observe(service, owner, venue, { fromBlock: testChain.turn + 1 }),
  )

async function sampledVenue(
  testChain: Awaited<ReturnType<typeof startVolatile>>,
  owner: TestMember,
) {
  const { payload, reason } = poolBody(testChain)
  const read = { ...payload.read, cadenceSeconds: 12 }
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
  const body = { payload: { ...payload, read }, reason, status: 'VALIDATED' as const }
  return (await owner.client.createVenues({ body })).body.data
}

async function observe(
  service: TestService,
  owner: TestMember,
  venue: Venue,
  range: { fromBlock?: number; toBlock?: number },
) {
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
const replay = (
  venue: Venue,
  window: Observed,
  observations: readonly Observed[],
  kMilli = 2000,
) => {
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

it('begins as wide as the market was volatile before the window', async ({
  owner,
  venue,
  before,
  window,
}) => {
  const { status, data } = await study(owner, replay(venue, window, [before, window]))
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
  const wide = await study(owner, replay(venue, window, [before, window], 8000))
  const depthOf = (results: ReplayedArm[]) => results.find(({ armId }) => armId === 'scaled')!.depth
  expect(depthOf(wide.data.payload.result.arms)).not.toEqual(depthOf(arms))
})

it('is refused where too little was observed before the window', async ({
  owner,
  venue,
  window,
}) => {
  const { status, code, fieldErrors } = await study(owner, replay(venue, window, [window]))
  expect([status, code]).toEqual([422, 'LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE'])
  expect(fieldErrors['payload.arms.0.definition']).toEqual([
    expect.stringContaining('needs 100 returns before block'),
  ])
})
