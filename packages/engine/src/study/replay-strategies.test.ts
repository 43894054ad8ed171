import { describe, expect, it } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import { recordedClmmEvents } from '../../test/recordings.ts'
import { rule, strategy, wideGuards } from '../../test/strategies.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import type { StrategyDefinition } from '../strategy/definition.ts'
import type { StudyArm } from './arm.ts'
import type { ReplayStudy } from './recorded-study.ts'
import { runReplayStudy } from './replay-study.ts'

interface Result {
  flowModel: string
  waterfallHolder: Record<string, string>
  waterfallMaker: Record<string, string>
  operations: {
    actions: { done: Record<string, number>; refused: Record<string, number> }
    ownVolumeQuote: string
  }
  opening: { positions: { tickLower: number; tickUpper: number; liquidity: string }[] }
  depth: { samples: number; median: string; side: string }[]
  end: { base: string; quote: string }
  fees: { base: string; quote: string }
  series: {
    timestamp: number
    netVsHold: string
    base: string
    quote: string
    buyQuote: string[]
    sellQuote: string[]
  }[]
  actions: { block: number; timestamp: number; action: string | null; refusedBy: string | null }[]
  layouts: { block: number; positions: { tickLower: number; tickUpper: number }[] }[]
}

const folder = 'v3-wbtc-weth-2023-04'
const { state: start } = readClmmState(readDatasetJson(`${folder}/state_before.json`), folder)
const events = recordedClmmEvents(`${folder}/events.csv`)
const one = 10n ** 18n

// WBTC is token0 and the issuer's token here; WETH is the quote.
const definition = (change: Partial<StrategyDefinition> = {}): StrategyDefinition =>
  strategy({
    positions: [
      {
        positionId: 'core',
        weightPips: 1_000_000,
        template: { kind: 'RANGE', lowerPips: 1_000, upperPips: 1_000 },
      },
    ],
    rules: [
      rule(
        { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 60 },
        { kind: 'RECENTER', swap: true },
      ),
    ],
    guards: wideGuards,
    ...change,
  })

function run(arms: StudyArm[], change: Partial<ReplayStudy> = {}): Result[] {
  const result = runReplayStudy({
    start,
    events,
    orientation: { base: 0, quote: 1 },
    capital: { base: 10n ** 8n, quote: 15n * one, normalization: 'EQUAL_VALUE' },
    arms,
    bandsPips: [20_000],
    sampleSeconds: 300,
    flowModels: ['PRICE_SETTING'],
    positions: 'PARTIAL',
    ...change,
  }) as unknown as { state: string; arms: { results: Result[] }[] }
  expect(result.state).toBe('COMPLETED')
  return result.arms.map(({ results }) => results[0]!)
}

const arm = (change: Partial<StrategyDefinition> = {}): StudyArm => ({
  armId: 'strategy',
  kind: 'STRATEGY',
  definition: definition(change),
})

describe('a strategy on a recorded day', () => {
  it('follows the price, pays for it, and closes its books', () => {
    const gas = {
      baseFee: { kind: 'CONSTANT', baseFeeWei: 20n * 10n ** 9n },
      tipWei: 0n,
      l1DataFeeWei: 0n,
      nativePriceX18: one,
    } as const
    const [result] = run([arm()], { gas })
    const { done } = result!.operations.actions
    expect(done.SWAP).toBeGreaterThan(1)
    expect(done.MINT).toBe(done.SWAP! + 1)
    const { gas: paid, rebalanceCost, net } = result!.waterfallHolder
    // Units of the gas table at 20 gwei: 326,609 for each mint, and so on.
    const leaving = 142_201 + 137_810
    // Of its two positions each swap left one, and both are left at the end.
    const units = done.MINT! * 326_609 + done.SWAP! * (130_047 + leaving) + leaving
    expect(BigInt(paid!)).toBe(BigInt(units) * 20n * 10n ** 9n)
    expect(BigInt(rebalanceCost!)).toBeGreaterThan(0n)
    expect(result!.waterfallMaker.net).toBe(net)
    expect(BigInt(result!.operations.ownVolumeQuote)).toBeGreaterThan(one)
  })

  it('pays the base fee of the block in which it acts', () => {
    const model = {
      baseFee: { kind: 'CONSTANT', baseFeeWei: 1n },
      tipWei: 0n,
      l1DataFeeWei: 0n,
      nativePriceX18: one,
    } as const
    const middle = events[Math.floor(events.length / 8)]!.block
    const baseFees = [
      { block: 0, wei: 10n ** 9n },
      { block: middle, wei: 10n ** 12n },
    ]
    const [constant] = run([arm()], { gas: model })
    const [byBlock] = run([arm()], { gas: model, baseFees })
    const [gasOfConstant, gasByBlock] = [constant, byBlock].map((r) =>
      BigInt(r!.waterfallHolder.gas!),
    )
    expect(constant!.operations.actions).toEqual(byBlock!.operations.actions)
    expect(gasByBlock! > gasOfConstant! * 10n ** 9n).toBe(true)
    expect(gasByBlock! < gasOfConstant! * 10n ** 12n).toBe(true)
  })

  it('tells each thing that it did and was refused, and where its liquidity lay', () => {
    const [free] = run([arm()])
    const [kept] = run([arm({ guards: { ...wideGuards, maxSwapSlippagePips: 1 } })])
    for (const { actions, operations } of [free!, kept!]) {
      const { done, refused } = operations.actions
      expect(countBy(actions.map(({ action }) => action))).toEqual(done)
      expect(countBy(actions.map(({ refusedBy }) => refusedBy))).toEqual(refused)
      const times = actions.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
    expect(kept!.operations.actions.refused.SWAP_SLIPPAGE).toBeGreaterThan(0)
    // One layout for the opening and one for each move.
    expect(free!.layouts).toHaveLength(free!.operations.actions.done.MINT!)
    expect(free!.layouts[0]!.positions).toEqual(free!.opening.positions)
    const blocks = new Set(events.map(({ block }) => block))
    expect(free!.layouts.every(({ block }) => blocks.has(block))).toBe(true)
  })

  it('samples the depth and the inventory that its report sums up', () => {
    const [{ series, depth, end, fees }] = run([arm()]) as [Result]
    for (const [side, values] of [
      ['BUY', series.map((row) => row.buyQuote[0]!)],
      ['SELL', series.map((row) => row.sellQuote[0]!)],
    ] as const) {
      const report = depth.find((one) => one.side === side)!
      const sorted = values.map(BigInt).sort((a, b) => (a < b ? -1 : 1))
      expect(report.samples).toBe(values.length)
      expect(report.median).toBe(`${sorted[Math.ceil(sorted.length / 2) - 1]}`)
    }
    const last = series.at(-1)!
    expect(BigInt(last.base)).toBe(BigInt(end.base) + BigInt(fees.base))
    expect(BigInt(last.quote)).toBe(BigInt(end.quote) + BigInt(fees.quote))
  })

  it('with a fixed range and no rules is that fixed range', () => {
    const [fixed, ruled] = run([
      { armId: 'fixed', kind: 'V3_RANGE', tickLower: 255_000, tickUpper: 261_000 },
      {
        armId: 'ruled',
        kind: 'STRATEGY',
        definition: definition({
          positions: [
            {
              positionId: 'core',
              weightPips: 1_000_000,
              template: { kind: 'TICKS', lower: 255_000, upper: 261_000 },
            },
          ],
          rules: [],
        }),
      },
    ])
    const ticksOf = ({ opening }: Result) =>
      opening.positions.map(({ tickLower, tickUpper }) => [tickLower, tickUpper])
    expect(ticksOf(ruled!)).toEqual(ticksOf(fixed!))
    // They share out the same capital by different sums; what differs is rounding.
    for (const line of ['net', 'fees', 'divergenceLoss', 'hold']) {
      const [a, b] = [fixed, ruled].map((r) => BigInt(r!.waterfallHolder[line]!))
      const difference = a! > b! ? a! - b! : b! - a!
      expect([line, difference < one / 10n ** 6n]).toEqual([line, true])
    }
  })

  it('acts later when it is slower, and is refused what its guards forbid', () => {
    const firstChange = (results: Result) => results.operations.actions.done.SWAP ?? 0
    const [quick] = run([arm()])
    const [slow] = run([arm()], { actionLatencySeconds: 7200 })
    expect(firstChange(slow!)).toBeLessThan(firstChange(quick!))
    const [guarded] = run([arm({ guards: { ...wideGuards, maxSwapSlippagePips: 1 } })])
    expect(guarded!.operations.actions.done).toEqual({ MINT: 1 })
    expect(guarded!.operations.actions.refused.SWAP_SLIPPAGE).toBeGreaterThan(0)
  })

  it('sees nothing of what comes after', () => {
    const cut = Math.floor(events.length * 0.6)
    const whole = run([arm()])[0]!
    const part = run([arm()], { events: events.slice(0, cut) })[0]!
    const until = events[cut - 1]!.timestamp!
    const before = (result: Result) => result.series.filter(({ timestamp }) => timestamp < until)
    expect(before(part).length).toBeGreaterThan(50)
    expect(before(part)).toEqual(before(whole))
  })
})

function countBy(names: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) if (name !== null) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

it('a study whose pools leave the ticks that its start lists is partial', () => {
  const study = (tickWindow: { lowest: number; highest: number }) =>
    runReplayStudy({
      start,
      events,
      tickWindow,
      orientation: { base: 0, quote: 1 },
      positions: 'PARTIAL',
      capital: { base: 10n ** 8n, quote: 15n * one, normalization: 'EQUAL_VALUE' },
      arms: [{ armId: 'hold', kind: 'HOLD' }],
      bandsPips: [20_000],
      sampleSeconds: 3600,
    }) as unknown as { state: string; reasons: string[] }
  expect(study({ lowest: 239_820, highest: 275_760 })).toMatchObject({ state: 'COMPLETED' })
  // The price is at tick 257,779, and depth is looked for 203 ticks to each side.
  expect(study({ lowest: 257_640, highest: 275_760 })).toMatchObject({
    state: 'PARTIAL',
    reasons: ['TICK_WINDOW_LEFT'],
  })
})
