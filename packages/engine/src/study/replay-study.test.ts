import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialState, recordedClmmEvents } from '../../test/recordings.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import { replayBaseline } from '../replay/baseline.ts'
import type { ClmmEvent, SwapEvent } from '../replay/events.ts'
import type { StudyArm, StudyCapital } from './arm.ts'
import type { ReplayStudy } from './recorded-study.ts'
import { runReplayStudy } from './replay-study.ts'

type Waterfall = Record<string, string>
type Result = {
  flowModel: string
  waterfallHolder: Waterfall
  waterfallMaker: Waterfall
  timeInRangePips: number | null
  opening: { positions: { liquidity: string }[] }
  operations: { actions: { done: Record<string, number>; refused: Record<string, number> } }
  fees: { base: string; quote: string }
  flow: { swaps: number; arbitrages: number; volumeQuote: string }
  depth: { bandPips: number; side: string; median: string; worst5: string; worst1: string }[]
  series: { tick: number; netVsHold: string }[]
}
type Report = {
  state: string
  reasons: string[]
  endSqrtPriceX96: string
  arms: { armId: string; feeBand: { low: string; high: string }; results: Result[] }[]
}

const folder = 'v3-ens-weth-from-init'
const start = initialState(folder)
const launch = recordedClmmEvents(`${folder}/events.csv`)
// ENS is token1 and the issuer's token.
const orientation = { base: 1, quote: 0 }
const capital: StudyCapital = { base: 10n ** 21n, quote: 10n ** 19n, normalization: 'AS_GIVEN' }

test('both waterfalls add up for random ranges, capital and orientation, rounding being cuts only', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 300, max: 1200 }),
      fc.integer({ min: 1, max: 800 }),
      fc.bigInt(0n, 10n ** 24n),
      fc.bigInt(1n, 10n ** 22n),
      fc.constantFrom('AS_GIVEN' as const, 'EQUAL_VALUE' as const),
      fc.boolean(),
      (lower, width, base, quote, normalization, turned) => {
        const arm = {
          armId: 'a',
          kind: 'V3_RANGE',
          tickLower: lower * 60,
          tickUpper: (lower + width) * 60,
        } as const
        const report = run({
          arms: [arm, { armId: 'hold', kind: 'HOLD' }],
          capital: { base, quote, normalization },
          orientation: turned ? { base: 0, quote: 1 } : orientation,
        })
        for (const { results } of report.arms) for (const result of results) assertAddsUp(result)
      },
    ),
    { numRuns: 60 },
  )
})

test('a long recording with a fee change adds up too, in both orientations', () => {
  const op = 'cl-weth-op-2024'
  const events = recordedClmmEvents(`${op}/events.csv.gz`, op)
  for (const base of [0, 1]) {
    const report = run({
      start: initialState(op),
      events,
      orientation: { base, quote: 1 - base },
      arms: [{ armId: 'range', kind: 'V3_RANGE', tickLower: 66_000, tickUpper: 75_000 }],
      capital: { base: 10n ** 19n, quote: 10n ** 19n, normalization: 'EQUAL_VALUE' },
      sampleSeconds: 86_400,
    })
    expect(report.state).toBe('COMPLETED')
    for (const result of report.arms[0]!.results) assertAddsUp(result)
  }
})

test('with prices outside everything is valued at them, arbitrage follows them, and the books add up', () => {
  // ENS in WETH: a price of 0.02 that rises by a thousandth at every event.
  const references = launch.map(({ timestamp }, place) => ({
    at: timestamp ?? 0,
    priceX36: (2n * 10n ** 34n * BigInt(1000 + place)) / 1000n,
  }))
  const arms = [
    { armId: 'all', kind: 'FULL_RANGE' },
    { armId: 'hold', kind: 'HOLD' },
  ] as const
  const [inside, outside] = [run({ arms }), run({ arms, references })]
  for (const { results } of outside.arms) for (const result of results) assertAddsUp(result)
  const last = BigInt(references.at(-1)!.priceX36)
  const end = BigInt(outside.endSqrtPriceX96)
  // token1 is the base: √(token1/token0) of what is 1/price.
  const implied = ((10n ** 36n) << 192n) / (end * end)
  expect(Number(implied) / Number(last)).toBeCloseTo(1, 9)
  const arbitragesOf = (report: Report) =>
    report.arms[0]!.results.find(({ flowModel }) => flowModel === 'INELASTIC_INPUT')!.flow
      .arbitrages
  expect(arbitragesOf(outside)).toBeGreaterThan(0)
  const holdOf = (report: Report) => report.arms[1]!.results[0]!.waterfallHolder.net
  expect(holdOf(outside)).not.toBe(holdOf(inside))
})

test('holding earns nothing but the price, and leaves the market as it was', () => {
  const report = run({ arms: [{ armId: 'hold', kind: 'HOLD' }] })
  const { final } = replayBaseline(start, launch)
  expect(report.endSqrtPriceX96).toBe(`${final.kind === 'UNISWAP_V3' && final.sqrtPriceX96}`)
  for (const { waterfallHolder, waterfallMaker, flow, series } of report.arms[0]!.results) {
    expect(waterfallHolder.net).toBe(waterfallHolder.hold)
    expect(waterfallMaker.net).toBe(waterfallMaker.deltaPnl)
    expect(flow.arbitrages).toBe(0)
    expect(series.at(-1)?.netVsHold).toBe('0')
    expect(series.at(-1)?.tick).toBe(final.kind === 'UNISWAP_V3' && final.tick)
  }
})

test('whoever provides pays to enter and to leave, and holding has nothing to pay', () => {
  const gas = {
    baseFee: { kind: 'CONSTANT', baseFeeWei: 10n ** 9n },
    tipWei: 0n,
    l1DataFeeWei: 0n,
    nativePriceX18: 10n ** 18n,
  } as const
  const arms = [
    { armId: 'hold', kind: 'HOLD' },
    { armId: 'full', kind: 'FULL_RANGE' },
    { armId: 'range', kind: 'V3_RANGE', tickLower: 48000, tickUpper: 69000 },
  ] as const
  const nets = (given: Partial<ReplayStudy>) =>
    run({ arms, benchmarks: true, ...given }).arms.map(({ armId, results }) => [
      armId,
      BigInt(results[0]!.waterfallHolder.net!),
    ]) as [string, bigint][]
  const free = new Map(nets({}))
  const paid = nets({ gas }).map(([armId, net]) => [armId, (free.get(armId)! - net) / 10n ** 9n])
  // Units of the gas table: minted once, and taken out whole with what it earned.
  const provided = 326_609n + 142_201n + 137_810n
  expect(Object.fromEntries(paid)).toEqual({
    hold: 0n,
    full: provided,
    range: provided,
    'benchmark-hold': 0n,
    'benchmark-full-range': provided,
    'benchmark-rebalancing': 0n,
  })
})

test('a position on a path back to its start loses nothing to divergence and keeps its fees', () => {
  const quiet = seededPool()
  const swaps = [swapEvent(10n ** 18n, 1), swapEvent(-(10n ** 18n), 2)]
  const report = run({ start: quiet, events: recordSwaps(quiet, swaps), arms: [fullRange] })
  for (const { waterfallHolder, fees } of report.arms[0]!.results) {
    expect(BigInt(waterfallHolder.fees!)).toBeGreaterThan(0n)
    expect(BigInt(fees.base) > 0n && BigInt(fees.quote) > 0n).toBe(true)
  }
})

test('with prices given, volume grows with liquidity; with inputs given, it stays', () => {
  const quiet = seededPool()
  const events = recordSwaps(quiet, [swapEvent(10n ** 18n, 1)])
  const big = { base: 10n ** 21n, quote: 10n ** 21n, normalization: 'AS_GIVEN' } as const
  const report = run({ start: quiet, events, arms: [fullRange], capital: big })
  const [inelastic, priceSetting] = report.arms[0]!.results
  // The arm doubles the liquidity, so reaching the same price takes twice the input.
  const ratio =
    Number(BigInt(priceSetting!.flow.volumeQuote)) / Number(BigInt(inelastic!.flow.volumeQuote))
  expect(ratio).toBeCloseTo(2, 3)
  expect(BigInt(report.arms[0]!.feeBand.low)).toBeLessThanOrEqual(
    BigInt(report.arms[0]!.feeBand.high),
  )
})

test('a launch is studied from the first moment that has liquidity in range', () => {
  const { window, arms } = run({ arms: [fullRange] }) as Report & { window: { fromBlock: number } }
  expect(launch[0]!.block).toBe(13578816)
  expect(window.fromBlock).toBe(13578934)
  for (const { waterfallHolder } of arms[0]!.results) {
    // An absurd price between liquidity would show as an absurd income.
    expect(BigInt(waterfallHolder.fees!)).toBeLessThan(10n ** 19n)
  }
})

test('depth delivered and time in range belong to the position alone', () => {
  const quiet = seededPool()
  const events = recordSwaps(quiet, [swapEvent(10n ** 18n, 1), swapEvent(10n ** 18n, 5000)])
  const far = { armId: 'far', kind: 'V3_RANGE', tickLower: 60_000, tickUpper: 120_000 } as const
  const report = run({ start: quiet, events, arms: [fullRange, far] })
  const [near, away] = report.arms.map((arm) => arm.results[0]!)
  expect(near!.timeInRangePips).toBe(1_000_000)
  expect(away!.timeInRangePips).toBe(0)
  expect(near!.depth).toHaveLength(4)
  for (const { median } of near!.depth) expect(BigInt(median)).toBeGreaterThan(0n)
  for (const { median } of away!.depth) expect(median).toBe('0')
})

test('the same study gives the same bytes', () => {
  const arms: StudyArm[] = [fullRange, { armId: 'hold', kind: 'HOLD' }]
  expect(JSON.stringify(run({ arms }))).toBe(JSON.stringify(run({ arms })))
})

test('arms that do the same come to the same, as each does alone', () => {
  const arms: StudyArm[] = [
    fullRange,
    { armId: 'range', kind: 'V3_RANGE', tickLower: 30_000, tickUpper: 60_000 },
    { armId: 'hold', kind: 'HOLD' },
  ]
  const report = run({ arms, benchmarks: true })
  const resultsOf = ({ arms: all }: Report) =>
    all.map(({ armId, ...rest }) => [armId, JSON.stringify(rest)] as const)
  const together = new Map(resultsOf(report))
  expect(together.size).toBe(6)
  for (const arm of arms) {
    const [[, alone] = []] = resultsOf(run({ arms: [arm] }))
    expect(together.get(arm.armId)).toBe(alone)
  }
  expect(together.get('benchmark-hold')).toBe(together.get('hold'))
  expect(together.get('benchmark-full-range')).toBe(together.get('full'))
  expect(together.get('benchmark-full-range')).not.toBe(together.get('range'))
})

test('a recording that is not exact gives a partial result, or none', () => {
  const forged = launch.map((event, index) =>
    index === 4 && event.type === 'Swap' ? { ...event, amount0: event.amount0 + 1000n } : event,
  )
  const report = run({ events: forged, arms: [fullRange] })
  expect(report).toMatchObject({ state: 'ABSTAINED', reasons: ['FIDELITY_BELOW_ALL'], arms: [] })
})

test('arms that make no sense are refused', () => {
  const off: StudyArm = { armId: 'a', kind: 'V3_RANGE', tickLower: 1, tickUpper: 60 }
  expect(() => run({ arms: [off] })).toThrow(RangeError)
  expect(() => run({ arms: [fullRange, fullRange] })).toThrow('unique IDs')
  expect(() => run({ arms: [] })).toThrow('1 to 8 candidates')
})

const fullRange: StudyArm = { armId: 'full', kind: 'FULL_RANGE' }

function run(given: Partial<ReplayStudy>): Report {
  const study: ReplayStudy = {
    start,
    events: launch,
    orientation,
    capital,
    arms: [],
    bandsPips: [20_000, 50_000],
    sampleSeconds: 600,
    ...given,
  }
  // The result is JSON by construction; its shape is what these tests check.
  return runReplayStudy(study) as unknown as Report
}

function assertAddsUp({ waterfallHolder, waterfallMaker, flow }: Result): void {
  const sum = (waterfall: Waterfall, minus: string[]) =>
    Object.entries(waterfall)
      .filter(([line]) => line !== 'net')
      .reduce(
        (total, [line, value]) => total + (minus.includes(line) ? -1n : 1n) * BigInt(value),
        0n,
      )
  expect(sum(waterfallHolder, ['divergenceLoss', 'gas', 'rebalanceCost'])).toBe(
    BigInt(waterfallHolder.net!),
  )
  expect(sum(waterfallMaker, ['lvr', 'gas', 'rebalanceCost'])).toBe(BigInt(waterfallMaker.net!))
  expect(waterfallMaker.net).toBe(waterfallHolder.net)
  const rounding = BigInt(waterfallHolder.rounding!)
  expect(rounding <= 9n && rounding >= -9n).toBe(true)
  const cuts = BigInt(4 * (flow.swaps + flow.arbitrages) + 10)
  const makerRounding = BigInt(waterfallMaker.rounding!)
  expect(makerRounding <= cuts && makerRounding >= -cuts).toBe(true)
}

/** A pool at price one with a thousand of each token over the whole range. */
function seededPool() {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const opened = applyOperation(empty, {
    kind: 'v3.initialize',
    timestamp: 0,
    sqrtPriceX96: 1n << 96n,
  })
  const range = { owner: 'other', tickLower: -887220, tickUpper: 887220 }
  const liquidity = 10n ** 21n
  return applyOperation(opened.state, { kind: 'v3.mint', timestamp: 0, ...range, liquidity }).state
}

type Wanted = { amount: bigint; timestamp: number }

/** A trade of token0 (above zero) or token1 (below zero) as exact input. */
function swapEvent(amount: bigint, timestamp: number): Wanted {
  return { amount, timestamp }
}

/** Runs trades on a pool and gives the events they leave. */
function recordSwaps(pool: ReturnType<typeof seededPool>, wanted: Wanted[]): ClmmEvent[] {
  let state = pool
  return wanted.map(({ amount, timestamp }, index) => {
    const zeroForOne = amount > 0n
    const step = applyOperation(state, {
      kind: 'v3.swap',
      timestamp,
      zeroForOne,
      amountSpecified: zeroForOne ? amount : -amount,
      sqrtPriceLimitX96: zeroForOne
        ? 4295128740n
        : 1461446703485210103287273052203988822378723970341n,
    })
    state = step.state
    if (step.outcome.reverted) throw new Error('the trade was refused')
    const place = { block: index, timestamp, logIndex: null, line: null }
    const args = step.outcome.logs[0]!.args as unknown as Omit<
      SwapEvent,
      keyof typeof place | 'type'
    >
    return { type: 'Swap', ...place, ...args }
  })
}
