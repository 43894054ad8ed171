import { describe, expect, it } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { initialState, recordedClmmEvents } from '../../test/recordings.ts'
import { applyOperation } from '../parity/apply-operation.ts'
import type { ClmmEvent, SwapEvent } from '../replay/events.ts'
import type { StudyArm } from './arm.ts'
import type { ReplayStudy } from './recorded-study.ts'
import type { ReplayMeasures } from './replay-measures.ts'
import { runReplayStudy } from './replay-study.ts'

type Text<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? Text<Item>[]
    : T extends object
      ? { [Key in keyof T]: Text<T[Key]> }
      : T
type Result = {
  waterfallHolder: Record<string, string>
  waterfallMaker: Record<string, string>
  measures?: Text<ReplayMeasures>
}
type Report = { arms: { armId: string; kind: string; results: Result[] }[] }

const one = 10n ** 18n
const pool = newPool({ feePips: 3000 })
/** A sale, a large sale, a large purchase and a sale, in token0 and then token1. */
const events = trades([
  { at: 100, amount: 10n * one },
  { at: 200, amount: 300n * one },
  { at: 2000, amount: -300n * one },
  { at: 4000, amount: 10n * one },
])
const range = { armId: 'range', kind: 'V3_RANGE', tickLower: -60, tickUpper: 60 } as const
const fullRange = { armId: 'full', kind: 'FULL_RANGE' } as const
const hold = { armId: 'hold', kind: 'HOLD' } as const

describe('measures of a replay', () => {
  it('names the block and time at which a rule broke, and says where one held', () => {
    const { failure } = measuresOf([range], {
      failure: [
        { kind: 'PRICE_BELOW', priceX18: (one * 97n) / 100n },
        { kind: 'OUT_OF_RANGE', timeSharePips: 200_000 },
        { kind: 'OUT_OF_RANGE', timeSharePips: 900_000 },
        { kind: 'DRAWDOWN', pips: 500_000 },
      ],
    })
    // Of 3,900 s, the thirty samples of a minute between the large sale and the large purchase.
    const timeSharePips = 461_538
    expect(failure).toEqual([
      { kind: 'PRICE_BELOW', failed: true, timeSharePips, block: 11, timestamp: 220 },
      // A fifth of 3,900 s is 780 s, which the fourteenth sample outside passes.
      { kind: 'OUT_OF_RANGE', failed: true, timeSharePips, block: 11, timestamp: 1000 },
      { kind: 'OUT_OF_RANGE', failed: false, timeSharePips, block: null, timestamp: null },
      { kind: 'DRAWDOWN', failed: false, timeSharePips: 0, block: null, timestamp: null },
    ])
  })

  it('follows depth after the two trades that took more than half of it', () => {
    const { recovery } = measuresOf([fullRange])
    expect(recovery).toMatchObject({ shocks: 2 })
    expect(recovery!.after.map(({ seconds, n }) => [seconds, n])).toEqual([
      [0, 2],
      [60, 2],
      [300, 2],
      [1800, 2],
      [3600, 1],
    ])
    // The price is back by then, and with it the depth of the whole curve.
    const last = recovery!.after.at(-1)!
    expect(last.medianPips).toBeGreaterThan(990_000)
    expect(last.medianPips).toBeLessThan(1_010_000)
    expect(measuresOf([hold])).toMatchObject({ recovery: null, markouts: [], slippage: [] })
  })

  it('values the flow of the pool at the price in force so much later', () => {
    const { markouts } = measuresOf([fullRange])
    for (const { seconds, quote } of markouts) {
      const due = swaps().filter(({ at }) => at + seconds <= 4000)
      const expected = due.reduce((sum, { at, base, inQuote }) => {
        const later = swaps().findLast((swap) => swap.at <= at + seconds)!
        return sum + base * later.price + inQuote
      }, 0)
      // The arm is a thousandth of the pool.
      expect(Math.abs(Number(quote) - expected)).toBeLessThan(Math.abs(expected) / 100)
    }
    expect(markouts.map(({ seconds }) => seconds)).toEqual([0, 60, 300, 1800])
  })

  it('samples slippage of each size on both sides, the worst no better than the median', () => {
    const { slippage, samples } = measuresOf([fullRange], { tradeSizesQuote: [one, 100n * one] })
    expect(slippage.map(({ sizeQuote, side }) => `${side} ${sizeQuote}`)).toEqual([
      `BUY ${one}`,
      `SELL ${one}`,
      `BUY ${100n * one}`,
      `SELL ${100n * one}`,
    ])
    for (const { median, worst5, worst1, samples: taken } of slippage) {
      expect(median).toBeGreaterThanOrEqual(3000)
      expect(worst5).toBeGreaterThanOrEqual(median)
      expect(worst1).toBeGreaterThanOrEqual(worst5)
      expect(taken).toBe(samples)
    }
    expect(slippage[2]!.median).toBeGreaterThan(slippage[0]!.median)
  })

  it('compares what base changed hands at with the average of the recorded trades', () => {
    const { inventory, maxDrawdown } = measuresOf([range])
    const volume = swaps().reduce(
      (sum, { base, inQuote }) => [sum[0]! + Math.abs(base), sum[1]! + Math.abs(inQuote)],
      [0, 0],
    )
    expect(Number(inventory.vwapX18) / 1e18).toBeCloseTo(volume[1]! / volume[0]!, 12)
    expect(inventory.quoteDepletedAt).toBe(120)
    expect(BigInt(maxDrawdown)).toBeGreaterThan(0n)
    const aimed = measuresOf([hold], { targetBaseShare: { pips: 500_000, tolerancePips: 1_000 } })
    expect(aimed.inventory).toMatchObject({ hasTarget: true, secondsToTarget: 0 })
  })

  it('adds nothing unless it is asked for', () => {
    const { arms } = run({ arms: [fullRange] })
    expect(arms).toHaveLength(1)
    expect(arms[0]!.results[0]).not.toHaveProperty('measures')
  })

  it('leaves every other figure of a recording as it is', () => {
    const folder = 'v3-ens-weth-from-init'
    const recording = {
      start: initialState(folder),
      events: recordedClmmEvents(`${folder}/events.csv`),
      arms: [fullRange, hold],
      sampleSeconds: 600,
    }
    const plain = run(recording)
    const measured = run({ ...recording, measures: { tradeSizesQuote: [one], failure: [] } })
    for (const { results } of measured.arms) for (const result of results) delete result.measures
    // Only the measures name sizes to be quoted at the end.
    expect({ ...measured, endMarket: null }).toEqual({ ...plain, endMarket: null })
  })
})

describe('benchmarks of a replay', () => {
  it('stand beside the arms when asked for: holding, the whole curve, and rebalancing for free', () => {
    const { arms } = run({ arms: [{ ...fullRange, armId: 'mine' }], benchmarks: true })
    expect(arms.map(({ armId }) => armId)).toEqual([
      'mine',
      'benchmark-hold',
      'benchmark-full-range',
      'benchmark-rebalancing',
    ])
    const [mine, held, full, rebalancing] = arms.map(({ results }) => results[0]!)
    expect(full).toEqual(mine)
    expect(held!.waterfallHolder.net).toBe(held!.waterfallHolder.hold)
    expect(rebalancing!.waterfallMaker).toMatchObject({ lvr: '0', fees: '0' })
  })

  it('keep their ids to themselves', () => {
    const arm: StudyArm = { armId: 'benchmark-hold', kind: 'HOLD' }
    expect(() => run({ arms: [arm], benchmarks: true })).toThrow('the ID of a benchmark')
  })
})

function run(given: Partial<ReplayStudy>): Report {
  // The result is JSON by construction; its shape is what these tests check.
  return runReplayStudy({
    start: pool,
    events,
    orientation: { base: 0, quote: 1 },
    capital: { base: 10n * one, quote: 10n * one, normalization: 'EQUAL_VALUE' },
    arms: [],
    bandsPips: [20_000],
    sampleSeconds: 60,
    flowModels: ['INELASTIC_INPUT'],
    ...given,
  }) as unknown as Report
}

function measuresOf(arms: StudyArm[], terms: Partial<ReplayStudy['measures']> = {}) {
  const measures = { tradeSizesQuote: [], failure: [], ...terms }
  // One arm, one flow model, and measures were asked for.
  return run({ arms, measures }).arms[0]!.results[0]!.measures!
}

/** The recorded swaps as numbers: base and quote that the pool took in, and its price afterwards. */
function swaps() {
  return events.flatMap((event) => {
    if (event.type !== 'Swap') return []
    const root = Number(event.sqrtPriceX96) / 2 ** 96
    const [base, inQuote] = [Number(event.amount0), Number(event.amount1)]
    return [{ at: event.timestamp!, base, inQuote, price: root * root }]
  })
}

/** Events of exact inputs: token0 above zero, token1 below. */
function trades(wanted: { at: number; amount: bigint }[]): ClmmEvent[] {
  let state = pool
  return wanted.map(({ at: timestamp, amount }, index) => {
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
    const place = { block: 10 + index, timestamp, logIndex: null, line: null }
    // A swap leaves one log, with the arguments of its event.
    const args = step.outcome.logs[0]!.args as unknown as Omit<
      SwapEvent,
      keyof typeof place | 'type'
    >
    return { type: 'Swap', ...place, ...args }
  })
}
