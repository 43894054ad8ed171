import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDatasetJson } from '../../test/datasets.ts'
import type { Market } from '../amm/market.ts'
import { midPrice, swapExactIn, swapExactOut } from '../amm/swap.ts'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import { decomposeByPrices } from './decompose-by-prices.ts'
import { decomposeFill } from './decompose-fill.ts'
import {
  averagePrice,
  branchSize,
  decomposeRoute,
  legPrice,
  type RoutedFill,
  type RouteLeg,
  routePrice,
} from './decompose-route.ts'
import { COST_PARTS, type FillCosts, partsInPips, sumCosts } from './fill-costs.ts'
import { branchesOf, type TokenSwap } from './route.ts'

const e18 = 10n ** 18n
const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const v3 = readClmmState(readDatasetJson(file), file).state

const pair = (reserve0: bigint, reserve1: bigint): CpmmState => ({
  ...createCpmmPair({}),
  reserve0,
  reserve1,
  balance0: reserve0,
  balance1: reserve1,
})

type Hop = { pool: string; from: number; to: number }
type Worlds = Map<string, Market>

/** Carries out one branch as a router does, moving the worlds on. */
function travel(worlds: Worlds, hops: readonly Hop[], amountIn: bigint): RouteLeg[] {
  let amount = amountIn
  return hops.map(({ pool, from, to }) => {
    const market = worlds.get(pool)!
    const swap = swapExactIn(market, { from, to }, amount)
    worlds.set(pool, swap.state)
    const leg = { pool, market, from, to, amountIn: swap.amountIn, amountOut: swap.amountOut }
    amount = swap.amountOut
    return leg
  })
}

function fillOf(side: 'BUY' | 'SELL', branches: RouteLeg[][]): RoutedFill {
  const before = new Map<string, Market>()
  for (const leg of branches.flat()) if (!before.has(leg.pool)) before.set(leg.pool, leg.market)
  const sizes = branches.map((legs) => branchSize(side, legs))
  const sum = (name: 'base' | 'quote') => sizes.reduce((all, size) => all + size[name], 0n)
  return {
    side,
    branches,
    decisionPrice: null,
    gasQuote: 5n,
    arrivalPrices: branches.map((legs) =>
      routePrice(legs.map((leg) => legPrice(side, before.get(leg.pool)!, leg))),
    ),
    wallet: { base: sum('base'), quote: sum('quote') },
  }
}

const sumOfParts = (costs: FillCosts) =>
  COST_PARTS.reduce((sum, part) => sum + (costs[part] ?? 0n), 0n)

// 1 middle token is 20 quote; the wrapped bitcoin of the v3 pool costs about 32 middle tokens.
const worldsOf = (): Worlds =>
  new Map<string, Market>([
    ['middle-quote', pair(10n ** 22n, 2n * 10n ** 23n)],
    ['base-middle', v3],
    ['base-quote', pair(10n ** 11n, 650_000n * e18)],
  ])
/** quote → middle → base */
const through: Hop[] = [
  { pool: 'middle-quote', from: 1, to: 0 },
  { pool: 'base-middle', from: 1, to: 0 },
]
const direct: Hop[] = [{ pool: 'base-quote', from: 1, to: 0 }]
const back = (hops: readonly Hop[]) =>
  hops.map(({ pool, from, to }) => ({ pool, from: to, to: from })).reverse()

describe('a fill through several markets', () => {
  test('is one fill: no residual, its price the product of the legs, both fees in quote', () => {
    for (const [side, hops, amount] of [
      ['BUY', through, 1000n * e18],
      ['SELL', back(through), 10n ** 8n],
    ] as const) {
      const worlds = worldsOf()
      const legs = travel(worlds, hops, amount)
      const costs = decomposeRoute(fillOf(side, [legs]), null)
      expect(costs).toMatchObject({ timing: 0n, mev: 0n, residual: 0n, gas: 5n, delay: null })
      expect(costs.impact! > 0n && costs.fees > 0n).toBe(true)
      expect(sumOfParts(costs)).toBe(costs.shortfall)
      // The fee of each leg, by hand, at the prices before the fill.
      const [first, second] = legs.map((leg) => legPrice(side, leg.market, leg))
      const feeOf = (leg: RouteLeg) => swapExactIn(leg.market, leg, leg.amountIn).fee
      const [fee0, fee1] = legs.map(feeOf)
      const expected =
        side === 'BUY'
          ? fee0! + (fee1! * first!.num) / first!.den
          : (fee0! * first!.num * second!.num) / (first!.den * second!.den) +
            (fee1! * second!.num) / second!.den
      expect(costs.fees).toBe(expected)
      const { base } = branchSize(side, legs)
      const mid = routePrice([first!, second!])
      const sign = side === 'BUY' ? 1n : -1n
      expect(costs.totals[2]).toBe(sign * floor(sign * base * mid.num * sign, mid.den))
    }
  })

  test('that is split sums its branches, also where one market takes part twice', () => {
    const worlds = worldsOf()
    const branches = [
      travel(worlds, direct, 400n * e18),
      travel(worlds, through, 600n * e18),
      travel(worlds, direct, 100n * e18),
    ]
    const costs = decomposeRoute(fillOf('BUY', branches), null)
    expect(costs).toMatchObject({ timing: 0n, mev: 0n, residual: 0n })
    const alone = decomposeRoute(fillOf('BUY', branches.slice(0, 1)), null)
    expect(costs.impact! > alone.impact!).toBe(true)
    expect(costs.totals[6]).toBe(1100n * e18)
    expect(sumOfParts(costs)).toBe(costs.shortfall)
  })

  test('of one leg is what decomposeFill says', () => {
    const worlds = worldsOf()
    const [leg] = travel(worlds, direct, 300n * e18)
    const routed = fillOf('BUY', [[leg!]])
    const plain = decomposeFill(
      leg!.market,
      {
        side: 'BUY',
        orientation: { base: 0, quote: 1 },
        base: leg!.amountOut,
        quote: leg!.amountIn,
        decisionPrice: null,
        arrivalPrice: routed.arrivalPrices[0]!,
        gasQuote: 5n,
        wallet: routed.wallet!,
      },
      null,
    )
    expect(decomposeRoute(routed, null)).toEqual(plain)
  })

  test('loses to a sandwich on one of its markets what it would have saved without, to the atom', () => {
    for (const side of ['BUY', 'SELL'] as const) {
      const hops = side === 'BUY' ? through : back(through)
      const fair = worldsOf()
      const worlds = worldsOf()
      // The attacker pushes the pair in the direction of the fill.
      const leg = hops.find(({ pool }) => pool === 'middle-quote')!
      travel(worlds, [leg], side === 'BUY' ? 5000n * e18 : 300n * e18)
      const legs = travel(worlds, hops, side === 'BUY' ? 1000n * e18 : 10n ** 8n)
      const fill = fillOf(side, [legs])
      const costs = decomposeRoute(fill, new Map([['middle-quote', fair.get('middle-quote')!]]))
      const { base, quote } = branchSize(side, legs)
      if (side === 'BUY') {
        // The market that nobody touched gave what it gave; the pair would have asked for less.
        const needed = swapExactOut(fair.get('middle-quote')!, hops[0]!, legs[1]!.amountIn).amountIn
        expect(costs.mev).toBe(quote - needed)
      } else {
        const without = travel(fair, hops, base).at(-1)!.amountOut
        expect(costs.mev).toBe(without - quote)
      }
      expect(costs.mev! > 0n).toBe(true)
      expect(costs.residual).toBe(0n)
    }
  })

  test('whose middle token takes a fee on transfer shows it as residual, sandwiched or not', () => {
    const worlds = worldsOf()
    const [first] = travel(worlds, through.slice(0, 1), 1000n * e18)
    const [second] = travel(worlds, through.slice(1), (first!.amountOut * 99n) / 100n)
    const fill = fillOf('BUY', [[first!, second!]])
    const plain = decomposeRoute(fill, null)
    const cleaned = swapExactOut(first!.market, through[0]!, second!.amountIn).amountIn
    expect(plain.residual).toBe(first!.amountIn - cleaned)
    expect(plain.residualParts).toEqual([{ cause: 'NOT_TAKEN_FROM_POOLS', amount: plain.residual }])
    const attacked = decomposeRoute(fill, new Map([['base-middle', v3]]))
    expect(attacked.residual).toBe(plain.residual)
    expect(attacked.mev).toBe(0n)
  })

  test('of known prices only leaves impact and sandwich together, and the same sum', () => {
    for (const side of ['BUY', 'SELL'] as const) {
      const hops = side === 'BUY' ? through : back(through)
      const worlds = worldsOf()
      const legs = travel(worlds, hops, side === 'BUY' ? 1000n * e18 : 10n ** 8n)
      const fill = fillOf(side, [legs])
      const exact = decomposeRoute(fill, null)
      const byPrices = decomposeByPrices({
        ...fill,
        branches: [
          legs.map((leg) => ({
            ...leg,
            price: legPrice(side, leg.market, leg),
            feePips: 'feePips' in leg.market ? leg.market.feePips : 3000,
          })),
        ],
      })
      expect(byPrices).toMatchObject({ impact: null, mev: null, residual: 0n })
      expect(byPrices.shortfall).toBe(exact.shortfall)
      expect(byPrices.totals[4]).toBeNull()
      const gap = byPrices.impactPlusMev - exact.impactPlusMev
      // The carried fee of coarse satoshis is rounded otherwise, and that is all.
      expect(gap * 100_000n < exact.fees && gap * -100_000n < exact.fees).toBe(true)
    }
  })
})

describe('the parts', () => {
  test('add up exactly on random routes, sandwiched and taxed, per fill and in total and in pips', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.bigInt(10n ** 15n, 10n ** 21n),
        fc.bigInt(0n, 10n ** 21n),
        fc.bigInt(0n, 500n),
        fc.bigInt(1n, 10n ** 30n),
        fc.option(fc.bigInt(-(10n ** 20n), 10n ** 20n)),
        fc.constantFrom(1, 2, 3),
        (buys, size, front, tax, price, opportunity, count) => {
          const side = buys ? 'BUY' : 'SELL'
          const turn = (hops: Hop[]) => (buys ? hops : back(hops))
          const before = worldsOf()
          const worlds = worldsOf()
          if (front > 10n ** 15n) travel(worlds, turn(through.slice(0, 1)), front / 10n)
          const amount = buys ? size : size / 10n ** 12n + 100_000n
          const branches = [through, direct, through]
            .slice(0, count)
            .map((hops) => travel(worlds, turn(hops), amount))
          const fill = fillOf(side, branches)
          const wallet = { ...fill.wallet!, base: (fill.wallet!.base * (1000n - tax)) / 1000n }
          const decisionPrice = { num: price, den: 10n ** 12n }
          const map =
            front > 10n ** 15n ? new Map([['middle-quote', before.get('middle-quote')!]]) : null
          const costs = decomposeRoute({ ...fill, wallet, decisionPrice }, map)
          expect(sumOfParts(costs)).toBe(costs.shortfall)
          expect(costs.residualParts.reduce((sum, part) => sum + part.amount, 0n)).toBe(
            costs.residual,
          )
          const total = sumCosts([costs, costs], opportunity)
          const parts = [...COST_PARTS.map((part) => total[part] ?? 0n), opportunity ?? 0n]
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total.shortfall)
          const pips = partsInPips(parts, total.decided)
          expect(pips === null).toBe(total.decided === 0n)
          expect(pips?.parts.reduce((sum, part) => sum + part, 0n)).toBe(pips?.total)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('of nothing have no pips', () => {
    expect(partsInPips([1n, 2n], 0n)).toBeNull()
    expect(partsInPips([1n, 1n, 1n], -3n)).toEqual({
      parts: [333333n, 333334n, 333333n],
      total: 1000000n,
    })
  })
})

describe('branches', () => {
  const swap = (
    tokenIn: string,
    tokenOut: string,
    amountIn: bigint,
    amountOut: bigint,
    pool = `${tokenIn}${tokenOut}`,
  ): TokenSwap => ({
    pool,
    tokenIn,
    tokenOut,
    amountIn,
    amountOut,
  })

  test('are chains from the token given to the token taken', () => {
    const direct = swap('Q', 'B', 10n, 5n)
    const first = swap('Q', 'X', 20n, 100n)
    const second = swap('X', 'B', 100n, 10n)
    const taxed = swap('X', 'B', 99n, 10n)
    expect(branchesOf([direct], 'q', 'b')).toEqual([[direct]])
    expect(branchesOf([first, direct, second], 'Q', 'B')).toEqual([[first, second], [direct]])
    expect(branchesOf([first, taxed], 'Q', 'B')).toEqual([[first, taxed]])
    const other = swap('Q', 'X', 19n, 98n, 'QX2')
    const its = swap('X', 'B', 98n, 9n, 'XB2')
    expect(branchesOf([first, other, its, second], 'Q', 'B')).toEqual([
      [first, second],
      [other, its],
    ])
  })

  test('are none where swaps merge, turn back, end elsewhere or belong to nothing', () => {
    const first = swap('Q', 'X', 20n, 100n)
    for (const swaps of [
      [],
      [first],
      [swap('Q', 'B', 10n, 5n), swap('B', 'Q', 5n, 10n)],
      [first, swap('X', 'B', 50n, 5n)],
      [swap('X', 'B', 100n, 10n), first],
      [swap('Q', 'B', 10n, 5n), swap('Y', 'Z', 1n, 1n)],
    ]) {
      expect(branchesOf(swaps, 'Q', 'B')).toBeNull()
    }
  })

  test('weigh their prices by base', () => {
    expect(
      averagePrice(
        [1n, 3n],
        [
          { num: 2n, den: 1n },
          { num: 4n, den: 2n },
        ],
      ),
    ).toEqual({ num: 16n, den: 8n })
    expect(midPrice(pair(4n, 8n), { base: 0, quote: 1 })).toEqual({ num: 8n, den: 4n })
  })
})

const floor = (num: bigint, den: bigint) => {
  const cut = num / den
  return num < 0n && cut * den !== num ? cut - 1n : cut
}
