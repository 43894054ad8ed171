import { expect, test } from 'vitest'
import { newPair, newPool, newStablePool } from '../../test/monte-carlo-market.ts'
import type { Market } from '../amm/market.ts'
import { fullRangeArm, holdArm, type MonteCarloArm, rangeArm, rebalancingArm } from './arms.ts'
import { FREE_GAS } from './gas.ts'
import { generateMarketPath, type PriceModel } from './price-model.ts'
import { type ArmOutcome, type RunConfig, runPath } from './run-path.ts'
import { crash50In24h, lpExit80, type Scenario, unlockSell, volumeX10 } from './scenario.ts'

const one = 10n ** 18n
const seed = new Uint8Array(32).fill(3)
const gbm: PriceModel = { kind: 'GBM', annualDrift: 0, annualVolatility: 0.8 }
const flow = { tradesPerDay: 200, logMeanQuote: Math.log(2e19), logDeviation: 1, buyShare: 0.5 }

const config: RunConfig = {
  seed,
  orientation: { base: 0, quote: 1 },
  stepSeconds: 3600,
  sampleEverySteps: 4,
  capital: { base: 1000n * one, quote: 1000n * one, normalization: 'EQUAL_VALUE' },
  bandsPips: [20_000],
  failure: [
    { kind: 'LOSS_VS_HOLD', pips: 1000 },
    { kind: 'OUT_OF_RANGE', timeSharePips: 200_000 },
  ],
  gas: FREE_GAS,
  minProfitQuote: 0n,
}

const arms = (): MonteCarloArm[] => [
  holdArm('hold'),
  fullRangeArm('full', 60),
  rangeArm('range', { tickLower: -1200, tickUpper: 1200 }),
  rebalancingArm('rebalancing'),
]

function run(
  index: number,
  change: {
    s0?: Market
    cfg?: Partial<RunConfig>
    scenario?: Scenario
    arms?: MonteCarloArm[]
  } = {},
): Record<string, ArmOutcome> {
  const cfg = { ...config, ...change.cfg }
  const path = generateMarketPath(gbm, seed, index >> 1, index % 2 === 1, 96, cfg.stepSeconds)
  const outcomes = runPath({
    s0: change.s0 ?? newPool({ feePips: 3000, ranges: true }),
    path,
    arms: change.arms ?? arms(),
    flow,
    others: { kind: 'STATIC' },
    ...(change.scenario === undefined ? {} : { scenario: change.scenario }),
    cfg,
    index,
  })
  return Object.fromEntries(outcomes.map((outcome) => [outcome.armId, outcome]))
}

const text = (outcomes: unknown) =>
  JSON.stringify(outcomes, (_, v: unknown) =>
    typeof v === 'bigint' ? `${v}` : v instanceof Float64Array ? [...v] : v,
  )

test('HOLD earns nothing against itself, and the portfolio that rebalances has no fees and no LVR', () => {
  const { hold, rebalancing } = run(0)
  expect(hold).toMatchObject({ netVsHold: 0n, maker: { lvr: 0n, fees: 0n, rounding: 0n } })
  expect(hold!.holder.net).toBe(hold!.holder.hold)
  expect(rebalancing).toMatchObject({ maker: { lvr: 0n, fees: 0n }, holder: { fees: 0n } })
  expect(Number(rebalancing!.maker.rebalanceCost)).toBeLessThanOrEqual(200)
  expect(rebalancing!.netVsHold).not.toBe(0n)
})

test('both books of every arm have the same result, and what is left over is less than an atom per valuation', () => {
  for (const index of [0, 1, 2, 3]) {
    for (const outcome of Object.values(run(index))) {
      const { holder, maker, net } = outcome
      expect(holder.net).toBe(net)
      expect(maker.net).toBe(net)
      const { hold, divergenceLoss, exposureDrift, fees, rebalanceCost, rounding, gas } = holder
      expect(hold - divergenceLoss + exposureDrift + fees - rebalanceCost - gas + rounding).toBe(
        net,
      )
      expect(holder.hold + outcome.netVsHold - net).toBeLessThanOrEqual(3n)
    }
  }
})

test('the same path gives the same bytes, whoever ran the others before', () => {
  const alone = text(run(5))
  for (const index of [2, 9, 4]) run(index)
  expect(text(run(5))).toBe(alone)
  expect(text(run(4))).not.toBe(alone)
})

test('a narrow range earns more fees and loses more to rebalancing than the whole curve', () => {
  const { full, range } = run(1)
  expect(full!.maker.fees).toBeGreaterThan(0n)
  expect(range!.maker.fees).toBeGreaterThan(3n * full!.maker.fees)
  expect(range!.maker.lvr).toBeGreaterThan(full!.maker.lvr)
  expect(full!.samples.inRangeSamples).toBe(full!.samples.samples)
  expect(full!.flow.noiseTrades).toBeGreaterThan(500)
  expect(full!.flow.refusedTrades).toBe(0)
})

test('without noise the markout at once is what arbitrage gained, with the other sign', () => {
  const path = generateMarketPath(gbm, seed, 0, false, 96, 3600)
  const [outcome] = runPath({
    s0: newPool({ feePips: 3000 }),
    path,
    arms: [fullRangeArm('full', 60)],
    flow: null,
    others: { kind: 'STATIC' },
    cfg: config,
    index: 0,
  })
  const [atOnce, ...later] = outcome!.markouts
  const missed = atOnce!.quote + outcome!.flow.arbitrageProfitQuote
  expect(Number(missed < 0n ? -missed : missed)).toBeLessThan(200)
  expect(later.map(({ seconds }) => seconds)).toEqual([60, 300, 1800])
})

test('arms meet the same traders, and others’ liquidity in each market is the same', () => {
  const { full, range } = run(2)
  expect(full!.flow.noiseTrades).toBe(range!.flow.noiseTrades)
  expect(full!.samples.depth[0]!.quote.length).toBe(25)
  // The narrower arm puts more of its capital within two per cent.
  expect(range!.samples.depth[0]!.quote[0]!).toBeGreaterThan(full!.samples.depth[0]!.quote[0]!)
})

test('a pool whose base is token1 gives the mirrored result', () => {
  const turned = { ...config, orientation: { base: 1, quote: 0 } }
  const outcome = run(0, { cfg: turned }).range!
  expect(outcome.maker.fees).toBeGreaterThan(0n)
  expect(outcome.holder.net).toBe(outcome.maker.net)
})

test('a v2 pair is run by the same rules', () => {
  const { full, hold } = run(0, {
    s0: newPair(),
    arms: [holdArm('hold'), fullRangeArm('full', 60)],
  })
  expect(hold!.netVsHold).toBe(0n)
  expect(full!.maker.fees).toBeGreaterThan(0n)
  expect(full!.maker.lvr).toBeGreaterThan(0n)
  expect(full!.holder.net).toBe(full!.maker.net)
})

test('a StableSwap pool of two coins is run by the same rules', () => {
  const s0 = newStablePool()
  const calm: PriceModel = { kind: 'GBM', annualDrift: 0, annualVolatility: 0.05 }
  const path = generateMarketPath(calm, seed, 0, false, 24, 3600)
  const others = { kind: 'EXIT_HAZARD', perYearMilli: 500_000, sharePips: 100_000 } as const
  for (const orientation of [
    { base: 0, quote: 1 },
    { base: 1, quote: 0 },
  ]) {
    const cfg = { ...config, orientation }
    const [arm] = runPath({
      s0,
      path,
      arms: [fullRangeArm('share', 60)],
      flow,
      others,
      cfg,
      index: 0,
    })
    expect(arm!.maker.fees).toBeGreaterThan(0n)
    expect(arm!.maker.lvr).toBeGreaterThan(0n)
    expect(arm!.flow.arbitrages).toBeGreaterThan(5)
    expect(arm!.holder.net).toBe(arm!.maker.net)
  }
})

test('a rule about depth sees every sample, of a band that nothing else asks for', () => {
  const rule = { kind: 'DEPTH_BELOW', bandPips: 10_000, timeSharePips: 0 } as const
  const failure = [1n, 10n ** 30n].map((minQuote) => ({ ...rule, minQuote }))
  const cfg = { failure, sampleEverySteps: 1 }
  const { full } = run(0, { cfg })
  expect(full!.samples.failedAt).toEqual([null, 3600])
  expect(full!.samples.depth.map(({ bandPips }) => bandPips)).toEqual([20_000])
  // Every second of ninety-six samples, and the start.
  expect(full!.samples.depth[0]!.quote).toHaveLength(49)
})

test('gas is paid per action at the fee of the step and stops arbitrage that does not pay for it', () => {
  const gas = {
    baseFee: { kind: 'AR1_LOG', meanWei: 10n ** 10n, persistence: 0.9, deviation: 0.3 },
    tipWei: 0n,
    l1DataFeeWei: 0n,
    nativePriceX18: 2000n * one,
  } as const
  const { full } = run(0, { cfg: { gas } })
  // 326,609 units at 10 gwei, at 2,000 quote each, and 280,011 units to leave at the fee of the last step.
  const leaving = full!.holder.gas - 6_532_180_000_000_000_000n
  expect(leaving % (280_011n * 2000n)).toBe(0n)
  expect(leaving / (280_011n * 2000n)).toBeGreaterThan(0n)
  expect(full!.actions.done).toEqual({ MINT: 1 })
  const onPair = run(0, { s0: newPair(), arms: [fullRangeArm('full', 60)], cfg: { gas } })
  expect(onPair.full!.actions.done).toEqual({ V2_ADD: 1 })
  expect(full!.flow.arbitrages).toBeLessThan(run(0).full!.flow.arbitrages)
})

test('a crash, an exit of others, more volume and a forced sale do what they say', () => {
  const calm = run(0)
  const crash = run(0, { scenario: crash50In24h() })
  expect(crash.hold!.net).toBeLessThan(calm.hold!.net - 400n * one)
  expect(crash.range!.samples.failedAt[1]).not.toBeNull()
  const exit = run(0, { scenario: lpExit80() })
  const [before, after] = [calm, exit].map((r) => r.range!.samples.depth[0]!.quote.at(-1)!)
  expect(after! / before!).toBeLessThan(0.6)
  expect(exit.range!.holder.net).toBe(exit.range!.maker.net)
  const busy = run(0, { scenario: volumeX10() })
  expect(busy.full!.flow.noiseTrades).toBeGreaterThan(2.5 * calm.full!.flow.noiseTrades)
  const sold = run(0, { scenario: unlockSell(10_000n * one, 86_400) })
  const volume = sold.full!.flow.noiseVolumeQuote - calm.full!.flow.noiseVolumeQuote
  expect(Number(volume / one)).toBeGreaterThan(8_000)
})

test('others leave by their hazard, follow the price, and the books still close', () => {
  for (const others of [
    { kind: 'EXIT_HAZARD', perYearMilli: 200_000, sharePips: 300_000 },
    { kind: 'FOLLOW_PRICE' },
  ] as const) {
    const path = generateMarketPath(gbm, seed, 7, false, 200, 3600)
    const cfg = config
    const s0 = newPool({ feePips: 3000, ranges: true })
    for (const s of [s0, newPair()]) {
      const arm = fullRangeArm('full', 60)
      const [outcome] = runPath({ s0: s, path, arms: [arm], flow, others, cfg, index: 14 })
      expect(outcome!.holder.net).toBe(outcome!.maker.net)
      if (others.kind === 'EXIT_HAZARD') {
        const depth = outcome!.samples.depth[0]!.quote
        expect(depth.at(-1)! / depth[0]!).toBeLessThan(0.8)
      }
    }
  }
})

test('an arm that acts re-centres, compounds and swaps, and both books still agree', () => {
  const { active } = run(3, { arms: [recentringArm()] })
  expect(active!.actions.done.MINT).toBeGreaterThan(2)
  expect(active!.holder.rebalanceCost).toBeGreaterThan(0n)
  expect(active!.ownVolumeQuote).toBeGreaterThan(0n)
  expect(active!.holder.net).toBe(active!.maker.net)
})

test('a range whose lower edge is the price takes the token it needs', () => {
  const above = rangeArm('above', { tickLower: 0, tickUpper: 600 })
  const { above: outcome } = run(0, { arms: [above] })
  expect(outcome!.samples.samples).toBe(25)
  expect(outcome!.maker.fees).toBeGreaterThan(0n)
})

/** Every day the whole position is taken out, half of the lesser side is balanced by a swap, and put back. */
function recentringArm(): MonteCarloArm {
  const range = { tickLower: -1200, tickUpper: 1200 }
  return {
    ...rangeArm('active', range),
    onStep: ({ step }, desk) => {
      if (step % 24 !== 0) return
      for (const id of [...desk.positions.keys()]) desk.close(id)
      desk.compound()
      const { base, quote } = desk.idle
      if (base > quote) desk.swap(false, (base - quote) / 2n)
      else desk.swap(true, (quote - base) / 2n)
      desk.open(range, desk.session!.liquidityFor(range, desk.idle))
      desk.payGas('MINT')
    },
  }
}
