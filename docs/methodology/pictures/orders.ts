import {
  type ClmmState,
  type CpmmState,
  createClmmPool,
  createCpmmPair,
  type Market,
  midPrice,
  mint,
  swapExactIn,
  swapExactOut,
} from '../../../packages/engine/exports/amm.ts'
import { decomposeFill, type Fill } from '../../../packages/engine/exports/attribution.ts'
import { incentiveResponse } from '../../../packages/engine/exports/incentives.ts'
import { type PlanStep, simulatePlan } from '../../../packages/engine/exports/migration.ts'
import { applyOperation } from '../../../packages/engine/exports/parity.ts'
import { splitOrder } from '../../../packages/engine/exports/routing.ts'
import type { Chart, Layer, Point } from './chart.ts'
import { dataset, decades, o, pair, percent, ratio, UNIT } from './market-numbers.ts'

/** An order over three markets beside each of them alone. */
export function routing(): Chart {
  const markets = [pair(1_000n, 1_000n, 3n), pair(4_000n, 4_010n, 10n), pair(300n, 299n, 0n)]
  const venues = markets.map((market, index) => ({ venueId: `${index}`, market, gasQuote: 0n }))
  const sizes = decades(0.1, 1000, 41)
  const atoms = (size: number) => BigInt(Math.round(size * 1e6)) * 10n ** 12n
  const cost = (spent: bigint, got: bigint) => Math.max(ratio(spent, got) - 1, 0.0001)
  const alone = (market: Market) =>
    sizes.map((size): Point => {
      const { amountOut } = swapExactIn(market, { from: 1, to: 0 }, atoms(size))
      return [size, cost(atoms(size), amountOut)]
    })
  const together = sizes.map((size): Point => {
    const { amountOut } = splitOrder(
      venues,
      venues.map(() => o),
      'BUY',
      atoms(size),
    )
    return [size, cost(atoms(size), amountOut)]
  })
  const visible = (points: Point[]) => points.filter(([, y]) => y <= 1)
  return {
    title: 'Routing: one order over three pairs, and over each alone',
    description: 'Cost above par over the size: the split is never above any single market.',
    x: {
      label: 'size, quote',
      from: 0.1,
      to: 1000,
      ticks: [0.1, 1, 10, 100, 1000],
      scale: 'log',
    },
    y: {
      label: 'paid above par',
      from: 0.0001,
      to: 1,
      ticks: [0.0001, 0.001, 0.01, 0.1, 1],
      scale: 'log',
      print: percent,
    },
    legend: [
      ['blue', 'split'],
      ['orange', 'deep, fee 1 %'],
      ['green', 'middle, fee 0.3 %'],
      ['purple', 'thin, no fee'],
    ],
    layers: [
      { kind: 'line', colour: 'orange', dashed: true, points: visible(alone(markets[1]!)) },
      { kind: 'line', colour: 'green', dashed: true, points: visible(alone(markets[0]!)) },
      { kind: 'line', colour: 'purple', dashed: true, points: visible(alone(markets[2]!)) },
      { kind: 'line', colour: 'blue', points: together },
    ],
  }
}

/** The largest victim of a recorded sandwich, part by part. */
export function fillCosts(): Chart {
  const rows = dataset('v2-mainnet-swaps/swaps.csv')
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(','))
  const header = rows[0]!
  const cell = (row: string[], name: string) => row[header.indexOf(name)]!
  const pool = '0xefb47fcfcad4f96c83d4ca676842fb03ef20a477'
  const inBlock = rows
    .filter((row) => cell(row, 'blockNumber') === '12775690' && cell(row, 'pair') === pool)
    .toSorted(
      (a, b) => Number(cell(a, 'transactionPosition')) - Number(cell(b, 'transactionPosition')),
    )
  const at = (position: number) =>
    inBlock.find((row) => cell(row, 'transactionPosition') === `${position}`)!
  // The attacker is at 2 and 7; the largest of the four victims between them at 6.
  const [front, victim] = [at(2), at(6)]
  const without = [3, 4, 5].reduce((market, position) => {
    const row = at(position)
    const d = { from: 1, to: 0 }
    const isExactOut = cell(row, 'class') === 'EXACT_OUT'
    return isExactOut
      ? swapExactOut(market, d, BigInt(cell(row, 'amount0Out'))).state
      : swapExactIn(market, d, BigInt(cell(row, 'amount1In'))).state
  }, reserves(front))
  const fill: Fill = {
    side: 'BUY',
    orientation: o,
    decisionPrice: null,
    gasQuote: 0n,
    base: BigInt(cell(victim, 'amount0Out')),
    quote: BigInt(cell(victim, 'amount1In')),
    arrivalPrice: midPrice(without, o),
    wallet: {
      base: BigInt(cell(victim, 'amount0Out')),
      quote: BigInt(cell(victim, 'amount1In')),
    },
  }
  function reserves(row: string[]): CpmmState {
    const [reserve0, reserve1] = ['reserve0Before', 'reserve1Before'].map((name) =>
      BigInt(cell(row, name)),
    ) as [bigint, bigint]
    const held = { reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
    return { ...createCpmmPair({}), ...held }
  }
  const costs = decomposeFill(reserves(victim), fill, { counterfactual: without })
  const share = (value: bigint) => ratio(value, costs.totals[0]!)
  const parts = ['impact', 'fees', 'mev'] as const
  const names = ['own impact', 'pool fee', 'sandwich', 'shortfall']
  const values = [...parts.map((part) => share(costs[part])), share(costs.shortfall)]
  const top = Math.ceil(Math.max(...values) * 50) / 50
  return {
    title: 'A fill in block 12775690: where its money went',
    description:
      'Impact, fee and sandwich of the largest victim, as shares of its value on arrival.',
    x: { label: 'part of the shortfall', from: 0, to: 4, ticks: [] },
    y: {
      label: 'of the value on arrival',
      from: 0,
      to: top,
      ticks: [0, top / 2, top],
      print: percent,
    },
    legend: [
      ['blue', 'parts'],
      ['orange', 'all together'],
    ],
    layers: [
      {
        kind: 'bars',
        colour: 'blue',
        width: 0.6,
        points: values.slice(0, 3).map((value, i): Point => [i + 0.5, value]),
      },
      { kind: 'bars', colour: 'orange', width: 0.6, points: [[3.5, values[3]!]] },
      ...values.map(
        (value, i): Layer => ({
          kind: 'label',
          colour: i < 3 ? 'blue' : 'orange',
          anchor: 'middle',
          at: [i + 0.5, value + top * 0.02],
          text: `${names[i]} ${percent(value)}`,
        }),
      ),
    ],
  }
}

/** Liquidity under the same reward for three degrees of response. */
export function incentives(): Chart {
  const baseline = {
    liquidity: 1_000_000,
    volumePerDay: 500_000,
    feeShare: 0.003,
    ownLiquidity: 250_000,
  }
  const path = (response: number): Point[] => {
    const draw = { elasticity: 0.4, response, speedPerDay: 0.15, retention: 0.25 }
    const { days, afterwards } = incentiveResponse(baseline, draw, 1200, 45)
    const ends = days.map(({ day, liquidity }): Point => [day, liquidity / 1e6])
    return [[0, 1], ...ends, [46, afterwards / 1e6], [60, afterwards / 1e6]]
  }
  return {
    title: 'Incentives: 1,200 a day for 45 days, by how far providers follow the yield',
    description: 'Liquidity of others over sixty days for responses of all, a half and a quarter.',
    x: { label: 'days', from: 0, to: 60, ticks: [0, 15, 30, 45, 60] },
    y: { label: 'liquidity, millions', from: 0.8, to: 2.6, ticks: [1, 1.5, 2, 2.5] },
    legend: [
      ['blue', 'χ = 1'],
      ['orange', 'χ = 0.5, dashed'],
      ['green', 'χ = 0.25'],
    ],
    layers: [
      { kind: 'line', colour: 'blue', points: path(1) },
      { kind: 'line', colour: 'orange', dashed: true, points: path(0.5) },
      { kind: 'line', colour: 'green', points: path(0.25) },
    ],
  }
}

/** Depth while liquidity moves from one pool to another, in one, two and four tranches. */
export function migration(): Chart {
  const open = (): ClmmState => {
    const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
    const first = { kind: 'v3.initialize', timestamp: 1, sqrtPriceX96: 1n << 96n } as const
    return applyOperation(empty, first).state
  }
  const mine = { owner: 'treasury', tickLower: -6000, tickUpper: 6000 }
  const narrow = { owner: 'treasury', tickLower: -3000, tickUpper: 3000 }
  const others = { owner: 'others', tickLower: -60_000, tickUpper: 60_000 }
  const liquidity = 1_000_000n * UNIT
  const { state: shared } = mint(open(), others, liquidity / 10n)
  const worlds = {
    old: { market: mint(shared, mine, liquidity).state, orientation: o },
    new: { market: open(), orientation: o },
  }
  const limits = {
    minDepth: [{ bandPips: 20_000, side: 'SELL', quote: 0n }] as const,
    priceBand: { lowest: { num: 1n, den: 2n }, highest: { num: 2n, den: 1n } },
    maxSlippagePips: 50_000,
  }
  const stairs = (tranches: number): Point[] => {
    const part = BigInt(tranches)
    const steps = Array.from({ length: tranches }, (): PlanStep[] => [
      { kind: 'REMOVE', world: 'old', position: mine, liquidity: liquidity / part },
      { kind: 'COLLECT', world: 'old', position: mine },
      { kind: 'APPROVE', world: 'new' },
      {
        kind: 'MINT',
        world: 'new',
        position: narrow,
        amounts: { base: (259_000n * UNIT) / part, quote: (259_000n * UNIT) / part },
      },
    ]).flat()
    const before: PlanStep = { kind: 'VERIFY' }
    const outcomes = simulatePlan(worlds, { base: 0n, quote: 0n }, [before, ...steps], limits)
    return outcomes.flatMap(({ depth }, i): Point[] => {
      const [at, wide] = [i / outcomes.length, 1 / outcomes.length]
      const height = Number(depth[1]!.quote / UNIT)
      return [
        [at, height],
        [at + wide, height],
      ]
    })
  }
  return {
    title: 'Migration: depth of both pools together while the liquidity moves',
    description: 'Depth on the sell side within 2 % after each step, by tranches.',
    x: { label: 'share of the steps done', from: 0, to: 1, ticks: [0, 0.5, 1], print: percent },
    y: {
      label: 'depth at 2 %, quote',
      from: 0,
      to: 25_000,
      ticks: [0, 5_000, 10_000, 15_000, 20_000],
    },
    legend: [
      ['blue', 'four tranches'],
      ['orange', 'two, dashed'],
      ['green', 'all at once'],
    ],
    layers: [
      { kind: 'line', colour: 'green', points: stairs(1) },
      { kind: 'line', colour: 'orange', dashed: true, points: stairs(2) },
      { kind: 'line', colour: 'blue', points: stairs(4) },
    ],
  }
}
