import { describe, expect, it } from 'vitest'
import { newPair } from '../../test/monte-carlo-market.ts'
import { rule, strategy, wideGuards } from '../../test/strategies.ts'
import { jump, runAlong, type Seen } from '../../test/strategy-run.ts'
import type { Action, RangeTemplate, StrategyDefinition, Trigger } from './definition.ts'

const one = 10n ** 18n
const left: Trigger = { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 300 }
const always: Trigger = { kind: 'EVERY', seconds: 300 }
const recenter = (swap: boolean): Action => ({ kind: 'RECENTER', swap })
const plan = (template: RangeTemplate, weightPips = 1_000_000, positionId = 'core') => ({
  positionId,
  weightPips,
  template,
})

/** First step after which something was seen. */
const stepOf = (seen: readonly Seen[], what: (seen: Seen) => boolean) => seen.findIndex(what)
const total = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, n) => sum + n, 0)

describe('a strategy at its start', () => {
  it('puts all of its capital to work where it may convert it first', () => {
    const { seen } = runAlong(strategy(), [1])
    const [{ idle, ranges } = { idle: { base: 1n, quote: 1n }, ranges: [] }] = seen
    expect(ranges).toEqual(['-540..540'])
    // What is left is what rounding leaves.
    expect([idle.base < one / 10n ** 9n, idle.quote < one / 10n ** 9n]).toEqual([true, true])
  })

  it('uses what it was given, and leaves the rest idle', () => {
    const capital = { base: 1000n * one, quote: 100n * one, normalization: 'AS_GIVEN' } as const
    const { seen } = runAlong(strategy(), [1], { capital })
    const { idle } = seen[0]!
    expect(idle.quote).toBeLessThan(one / 10n ** 9n)
    expect(idle.base).toBeGreaterThan(890n * one)
  })

  it('keeps its idle share, in the proportion of its target', () => {
    const inventory = {
      targetBaseSharePips: 250_000,
      minBaseSharePips: 0,
      maxBaseSharePips: 1_000_000,
    }
    const { seen } = runAlong(
      strategy({
        idlePips: 400_000,
        positions: [plan({ kind: 'FULL_RANGE' }, 600_000)],
        inventory,
      }),
      [1],
    )
    const { base, quote } = seen[0]!.idle
    // 40 % of 2000, a quarter of it in base.
    expect(Number(base / 10n ** 15n) / 1000).toBeCloseTo(200, 2)
    expect(Number(quote / 10n ** 15n) / 1000).toBeCloseTo(600, 2)
  })

  it('divides a ladder over its rungs, on the side of the token that it sells', () => {
    for (const base of [0, 1] as const) {
      const ladder = {
        kind: 'LADDER',
        side: 'BASE',
        count: 3,
        firstOffsetPips: 0,
        widthPips: 30_000,
        growthPips: 0,
      } as const
      const capital = { base: 900n * one, quote: 0n, normalization: 'AS_GIVEN' } as const
      const { seen } = runAlong(strategy({ positions: [plan(ladder)] }), [1], { capital, base })
      const expected =
        base === 0 ? ['60..360', '360..660', '660..960'] : ['-360..0', '-660..-360', '-960..-660']
      expect(seen[0]!.ranges).toEqual(expected)
      expect(seen[0]!.idle.base).toBeLessThan(one / 10n ** 9n)
    }
  })

  it('with a width of the volatility takes the one it is told until it has seen enough', () => {
    const template = {
      kind: 'VOL_SCALED',
      kMilli: 1000,
      horizonSeconds: 86_400,
      volWindowSeconds: 36_000,
    } as const
    const scaled = strategy({
      positions: [plan(template)],
      rules: [rule({ kind: 'EVERY', seconds: 3600 }, recenter(true))],
    })
    expect(() => runAlong(scaled, [1])).toThrow('requires a known volatility')
    const prices = Array.from({ length: 40 }, (_, step) => (step % 2 === 0 ? 1 : 1.02))
    const { seen } = runAlong(scaled, prices, { terms: { volatility: 0.01 / Math.sqrt(86_400) } })
    expect(seen[0]!.ranges).toEqual(['-120..120'])
    // Two per cent in each 300 s are some thirty per cent in a day.
    const [lower, upper] = seen.at(-1)!.ranges[0]!.split('..').map(Number)
    expect(upper! - lower!).toBeGreaterThan(4000)
  })
})

describe('a trigger', () => {
  const first = (
    when: Trigger,
    prices: readonly number[],
    change: Partial<StrategyDefinition> = {},
  ) => {
    const { seen } = runAlong(
      strategy({ rules: [rule(when, { kind: 'WITHDRAW', sharePips: 1_000_000 })], ...change }),
      prices,
    )
    return stepOf(seen, ({ liquidity }) => liquidity === 0n)
  }

  it('is followed by its action at a later step, never at its own', () => {
    expect(first({ kind: 'MOVE', pips: 30_000 }, jump(5, 1.05, 12))).toBe(6)
    const late = runAlong(
      strategy({
        rules: [rule({ kind: 'MOVE', pips: 30_000 }, { kind: 'WITHDRAW', sharePips: 1_000_000 })],
      }),
      jump(5, 1.05, 12),
      { terms: { actionLatencySeconds: 901 } },
    )
    expect(stepOf(late.seen, ({ liquidity }) => liquidity === 0n)).toBe(9)
  })

  it.each<[string, Trigger, readonly number[], number]>([
    ['waits for the seconds out of range', { ...left, seconds: 900 }, jump(4, 1.2, 12), 7],
    [
      'counts from when the range was left',
      { ...left, seconds: 600 },
      [1, 1, 1.2, 1, 1.2, 1.2, 1.2, 1.2, 1.2],
      6,
    ],
    [
      'is not touched by a move that is too small',
      { kind: 'MOVE', pips: 60_000 },
      jump(3, 1.05, 9),
      -1,
    ],
    ['sees a move down as one up', { kind: 'MOVE', pips: 30_000 }, jump(3, 0.95, 9), 4],
    ['comes every so many seconds', { kind: 'EVERY', seconds: 1500 }, jump(1, 1, 12), 6],
    ['sees a share of base that rose', { kind: 'BASE_SHARE', above: 900_000 }, jump(3, 0.9, 9), 4],
    ['sees a share of base that fell', { kind: 'BASE_SHARE', below: 100_000 }, jump(3, 1.1, 9), 4],
    ['sees base that was sold', { kind: 'SOLD_BASE', amount: 500n * one }, jump(3, 1.04, 9), 4],
    [
      'does not see base that was not',
      { kind: 'SOLD_BASE', amount: 1001n * one },
      jump(3, 1.5, 9),
      -1,
    ],
    [
      'sees depth that is gone',
      { kind: 'DEPTH_BELOW', bandPips: 20_000, side: 'BUY', quote: 1000n * one },
      // Far above every range of the pool only the full range is left.
      jump(3, 3, 9),
      4,
    ],
    [
      'sees a volatility that rose',
      { kind: 'VOL_RATIO', shortSeconds: 2700, longSeconds: 8100, aboveMilli: 1300 },
      Array.from({ length: 60 }, (_, step) =>
        step < 30 ? 1 + 0.004 * (step % 2) : 1 + 0.04 * (step % 2),
      ),
      32,
    ],
  ])('%s', (_name, when, prices, step) => {
    expect(first(when, prices)).toBe(step)
  })

  it('sees fees that were earned and not collected', () => {
    const prices = Array.from({ length: 40 }, (_, step) => 1 + 0.02 * (step % 2))
    const fees = (quote: bigint) => first({ kind: 'FEES_ABOVE', quote }, prices)
    const early = fees(one / 10n)
    const later = fees(2n * one)
    expect(early).toBeGreaterThan(0)
    expect(later).toBeGreaterThan(early)
  })

  it('waits for all that are named', () => {
    const both = rule(
      { kind: 'EVERY', seconds: 300 },
      { kind: 'WITHDRAW', sharePips: 1_000_000 },
      { all: [{ kind: 'MOVE', pips: 30_000 }] },
    )
    const { seen } = runAlong(strategy({ rules: [both] }), jump(5, 1.05, 12))
    expect(stepOf(seen, ({ liquidity }) => liquidity === 0n)).toBe(6)
  })
})

describe('an action', () => {
  it('lays the range anew around the price, with a swap so that both sides are used', () => {
    const along = (swap: boolean) =>
      runAlong(strategy({ rules: [rule(left, recenter(swap))] }), jump(4, 1.1, 12)).seen.at(-1)!
    const withSwap = along(true)
    const without = along(false)
    // ln 1.1 is tick 953, less the fee that arbitrage leaves: 923. From there ln 0.95 is −513 ticks, ln 1.05 is 488.
    expect(withSwap.ranges).toEqual(['360..1440'])
    // A single atom of base is left, and buys no more than that.
    expect(without.liquidity).toBeLessThan(1000n)
    expect(withSwap.done).toMatchObject({ MINT: 2, SWAP: 1, DECREASE_ALL: 1, COLLECT: 1 })
    // After the swap nearly nothing is idle.
    expect(withSwap.idle.base + withSwap.idle.quote).toBeLessThan(one / 10n)
    // Without one everything is quote, of which a range around the price takes none alone.
    expect(without.idle.quote).toBeGreaterThan(2000n * one)
  })

  it('lays other ranges in place of those there are', () => {
    const reshape: Action = {
      kind: 'RESHAPE',
      templates: [
        { weightPips: 500_000, template: { kind: 'FULL_RANGE' } },
        {
          weightPips: 500_000,
          template: { kind: 'SINGLE_SIDED', side: 'QUOTE', offsetPips: 0, widthPips: 60_000 },
        },
      ],
    }
    const { seen } = runAlong(strategy({ rules: [rule(left, reshape)] }), jump(4, 0.9, 12), {
      capital: { base: 1000n * one, quote: 1000n * one, normalization: 'AS_GIVEN' },
    })
    // Everything is base below the range, so the quote side gets nothing.
    expect(seen.at(-1)!.ranges).toEqual([])
    const up = runAlong(
      strategy({ rules: [rule({ kind: 'MOVE', pips: 20_000 }, reshape)] }),
      jump(4, 1.03, 8),
    )
    expect(up.seen.at(-1)!.ranges).toEqual(['-887220..887220', '-360..240'])
  })

  it('puts fees into the positions that earned them', () => {
    const prices = Array.from({ length: 60 }, (_, step) => 1 + 0.02 * (step % 2))
    const compounding = strategy({
      rules: [rule({ kind: 'EVERY', seconds: 3000 }, { kind: 'COMPOUND' }, { cooldownSeconds: 0 })],
    })
    const { seen } = runAlong(compounding, prices)
    const plain = runAlong(strategy(), prices).seen
    expect(seen.at(-1)!.liquidity).toBeGreaterThan(plain.at(-1)!.liquidity)
    expect(seen.at(-1)!.done).toMatchObject({ MINT: 1, INCREASE: 5, COLLECT: 5 })
    expect(seen.at(-1)!.ranges).toEqual(plain.at(-1)!.ranges)
  })

  it('takes out what was sold, and leaves what was not', () => {
    const ladder: RangeTemplate = {
      kind: 'LADDER',
      side: 'BASE',
      count: 3,
      firstOffsetPips: 0,
      widthPips: 30_000,
      growthPips: 0,
    }
    const { seen } = runAlong(
      strategy({
        positions: [plan(ladder)],
        rules: [rule({ kind: 'EVERY', seconds: 600 }, { kind: 'COLLECT_TO_IDLE', side: 'QUOTE' })],
      }),
      jump(3, 1.05, 9),
      { capital: { base: 900n * one, quote: 0n, normalization: 'AS_GIVEN' } },
    )
    // ln 1.05 is tick 488: the first rung is sold, the second in part.
    expect(seen.at(-1)!.ranges).toEqual(['360..660', '660..960'])
    expect(seen.at(-1)!.idle.quote).toBeGreaterThan(300n * one)
  })

  it('lays what is held beside the price without a swap', () => {
    const { seen } = runAlong(
      strategy({ rules: [rule({ kind: 'MOVE', pips: 20_000 }, { kind: 'TO_SINGLE_SIDED' })] }),
      jump(3, 1.03, 6),
    )
    const { ranges, done } = seen.at(-1)!
    expect(ranges).toHaveLength(2)
    // As wide as before, on both sides of the tick.
    expect(ranges).toEqual(['300..1380', '-840..240'])
    expect(done.SWAP).toBe(undefined)
  })

  it('lays two ranges beside the price each time, however often', () => {
    const beside = rule({ kind: 'EVERY', seconds: 600 }, { kind: 'TO_SINGLE_SIDED' })
    const often = { ...beside, cooldownSeconds: 0, maxPerDay: 100 }
    const prices = Array.from({ length: 24 }, (_, step) => 1 + 0.01 * (step % 3))
    const { seen } = runAlong(strategy({ rules: [often] }), prices)
    const { ranges, done } = seen.at(-1)!
    expect(ranges).toHaveLength(2)
    expect(done.MINT!).toBe(done.DECREASE_ALL! + 2)
    expect(done.DECREASE_ALL!).toBeGreaterThan(10)
  })

  it('withdraws a share', () => {
    const { seen } = runAlong(
      strategy({
        rules: [rule(always, { kind: 'WITHDRAW', sharePips: 250_000 }, { maxPerDay: 1 })],
      }),
      jump(1, 1, 6),
    )
    expect((seen.at(-1)!.liquidity * 4n) / 3n / 10n ** 6n).toBe(seen[0]!.liquidity / 10n ** 6n)
    expect(seen.at(-1)!.done).toMatchObject({ DECREASE: 1, COLLECT: 1 })
  })

  it('is the end of the strategy when the end has come', () => {
    const { seen } = runAlong(
      strategy({
        rules: [rule(always, { kind: 'COMPOUND' })],
        end: { when: { kind: 'SOLD_BASE', amount: 500n * one }, do: 'WITHDRAW' },
      }),
      [...jump(3, 1.06, 6), 1, 1, 1, 1],
    )
    const ended = stepOf(seen, ({ liquidity }) => liquidity === 0n)
    expect(ended).toBeGreaterThan(3)
    expect(seen.at(-1)).toEqual({ ...seen[ended]! })
  })

  it('works on a share of a pair as on a range of a pool', () => {
    const { seen } = runAlong(
      strategy({
        positions: [plan({ kind: 'FULL_RANGE' })],
        rules: [rule({ kind: 'MOVE', pips: 20_000 }, recenter(true))],
      }),
      jump(3, 1.1, 8),
      { market: newPair() },
    )
    expect(seen.at(-1)!.done).toEqual({ V2_ADD: 2, V2_REMOVE: 1 })
    expect(seen.at(-1)!.liquidity).toBeGreaterThan(0n)
  })
})

describe('a guard', () => {
  const gas = {
    baseFee: { kind: 'CONSTANT', baseFeeWei: 10n ** 9n },
    tipWei: 0n,
    l1DataFeeWei: 0n,
    nativePriceX18: 10n ** 18n,
  } as const
  const guarded = (
    guards: Partial<StrategyDefinition['guards']>,
    change: Partial<StrategyDefinition> = {},
  ) =>
    runAlong(
      strategy({
        rules: [rule(left, recenter(true))],
        guards: { ...wideGuards, ...guards },
        ...change,
      }),
      jump(4, 1.1, 12),
      { gas },
    ).seen.at(-1)!

  it.each<[string, Partial<StrategyDefinition['guards']>, Partial<StrategyDefinition>]>([
    ['GAS', { maxGasQuotePerAction: 10n ** 14n }, {}],
    ['SWAP_SLIPPAGE', { maxSwapSlippagePips: 3000 }, {}],
    ['TWAP_DEVIATION', { maxTwapDeviationPips: 20_000, twapWindowSeconds: 86_400 }, {}],
    ['TURNOVER', { maxTurnoverQuotePerDay: 100n * one }, {}],
    [
      'INVENTORY_BOUNDS',
      {},
      { inventory: { targetBaseSharePips: 0, minBaseSharePips: 0, maxBaseSharePips: 100_000 } },
    ],
  ])('%s refuses, counts the refusal and leaves everything as it was', (name, guards, change) => {
    const refused = guarded(guards, change)
    expect(Object.keys(refused.refused)).toEqual([name])
    expect(total(refused.refused)).toBeGreaterThan(1)
    expect(refused.done).toEqual({ MINT: 1 })
    expect(refused.ranges).toEqual(['-540..540'])
  })

  it('that is wide enough lets the same action pass', () => {
    const passed = guarded({
      maxGasQuotePerAction: one,
      maxSwapSlippagePips: 60_000,
      maxTurnoverQuotePerDay: 3000n * one,
    })
    expect(passed.refused).toEqual({})
    expect(passed.done).toMatchObject({ SWAP: 1, MINT: 2 })
  })

  it('of turnover counts what was spent on the same day, and begins anew with the next', () => {
    // Recentred after jumps at steps 4, 40 and 80, each for about a thousand; a day has 288 steps.
    const prices = Array.from({ length: 300 }, (_, step) =>
      step < 4 ? 1 : step < 40 ? 1.1 : step < 80 ? 1.21 : 1.331,
    )
    const along = (maxTurnoverQuotePerDay: bigint) =>
      runAlong(
        strategy({
          rules: [rule(left, recenter(true), { cooldownSeconds: 300, maxPerDay: 999 })],
          guards: { ...wideGuards, maxTurnoverQuotePerDay },
        }),
        prices,
      )
    const free = along(10n ** 40n)
    expect(free.seen[287]!.done).toMatchObject({ SWAP: 3 })
    const spent = free.outcome.ownVolumeQuote
    expect(along(spent).seen.at(-1)!.refused).toEqual({})
    const { seen } = along(spent - 1n)
    expect(seen[287]!.done).toMatchObject({ SWAP: 2 })
    expect(Object.keys(seen[287]!.refused)).toEqual(['TURNOVER'])
    expect(seen[290]!.done).toMatchObject({ SWAP: 3 })
  })

  it('of time between actions, cooldowns and times a day hold actions back', () => {
    const times = (change: object, guards: object = {}) =>
      runAlong(
        strategy({
          rules: [
            rule(always, { kind: 'COMPOUND' }, { cooldownSeconds: 300, maxPerDay: 99, ...change }),
          ],
          guards: { ...wideGuards, ...guards },
        }),
        Array.from({ length: 61 }, (_, step) => 1 + 0.01 * (step % 2)),
      ).seen.at(-1)!.done.COLLECT
    // A trigger, its action a step later, and so on.
    expect(times({})).toBe(30)
    expect(times({ cooldownSeconds: 3000 })).toBe(6)
    expect(times({ maxPerDay: 3 })).toBe(3)
    expect(times({}, { minSecondsBetweenActions: 6000 })).toBe(3)
  })
})

describe('a run of a strategy', () => {
  const busy = strategy({
    positions: [
      plan({ kind: 'RANGE', lowerPips: 20_000, upperPips: 20_000 }, 700_000),
      plan({ kind: 'FULL_RANGE' }, 200_000, 'wide'),
    ],
    idlePips: 100_000,
    rules: [
      rule(left, recenter(true), { cooldownSeconds: 900, maxPerDay: 90 }),
      rule({ kind: 'FEES_ABOVE', quote: one }, { kind: 'COMPOUND' }, { cooldownSeconds: 900 }),
    ],
  })
  const prices = Array.from({ length: 80 }, (_, step) => 1 + 0.003 * ((step * step) % 23))

  it('sees nothing of what comes after', () => {
    const whole = runAlong(busy, prices, { flow: true }).seen
    for (const cut of [11, 29, 53]) {
      const other = prices.map((price, step) => (step <= cut ? price : price * 1.3))
      const changed = runAlong(busy, other, { flow: true }).seen
      expect(changed.slice(0, cut)).toEqual(whole.slice(0, cut))
      expect(changed.at(-1)).not.toEqual(whole.at(-1))
    }
  })

  it('is the same each time', () => {
    const once = runAlong(busy, prices, { flow: true })
    expect(runAlong(busy, prices, { flow: true })).toEqual(once)
    expect(total(once.outcome.actions.done)).toBeGreaterThan(20)
  })

  it('closes both books, whatever it does', () => {
    const { holder, maker, net } = runAlong(busy, prices, { flow: true }).outcome
    expect(holder.net).toBe(net)
    expect(maker.net).toBe(net)
    expect(holder.rebalanceCost).toBeGreaterThan(0n)
  })
})
