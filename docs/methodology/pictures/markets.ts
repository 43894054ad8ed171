import { writeFileSync } from 'node:fs'
import {
  createBook,
  createStablePool,
  midPrice,
  PRECISION,
  sqrtRatioAtTick,
} from '../../../packages/engine/exports/amm.ts'
import { slippageTable } from '../../../packages/engine/exports/depth.ts'
import { readClmmState } from '../../../packages/engine/exports/replay.ts'
import { type Chart, draw, type Layer, type Point, type Span } from './chart.ts'
import { dataset, decades, o, pair, percent, ratio, UNIT } from './market-numbers.ts'
import { fillCosts, incentives, migration, routing } from './orders.ts'

/** What a size costs on a constant product, and what of it is the fee. */
function constantProduct(): Chart {
  const market = pair(1_000n, 1_000n, 3n)
  const shares = decades(0.0001, 1, 41)
  const sizes = shares.map((share) => BigInt(Math.round(share * 1e9)) * 1_000n * 10n ** 9n)
  const table = slippageTable(market, o, sizes).filter(({ side }) => side === 'BUY')
  const at = (pick: (slip: (typeof table)[number]) => number) =>
    table.map((slip, i): Point => [shares[i]!, Math.max(pick(slip) / 1e6, 0.0001)])
  return {
    title: 'Constant product: what a purchase costs against the mid price',
    description: 'Total cost and its fee part over the size as a share of the quote reserve.',
    x: {
      label: 'size as a share of the quote reserve',
      from: 0.0001,
      to: 1,
      ticks: [0.0001, 0.001, 0.01, 0.1, 1],
      scale: 'log',
      print: percent,
    },
    y: {
      label: 'cost against the mid price',
      from: 0.001,
      to: 1,
      ticks: [0.001, 0.003, 0.01, 0.1, 1],
      scale: 'log',
      print: percent,
    },
    legend: [
      ['blue', 'all in'],
      ['orange', 'of it the fee of 0.3 %, dashed'],
    ],
    layers: [
      { kind: 'line', colour: 'blue', points: at(({ pips }) => pips) },
      { kind: 'line', colour: 'orange', dashed: true, points: at(({ feePips }) => feePips) },
    ],
  }
}

/** The liquidity of a real pool over its price. */
function concentratedLiquidity(): Chart {
  const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
  const { state } = readClmmState(JSON.parse(dataset(file)), file)
  const price = (root: bigint) => (Number((root * 10n ** 12n) >> 96n) / 1e12) ** 2 / 1e10
  const mid = price(state.sqrtPriceX96)
  const [from, to] = [mid * 0.7, mid * 1.3]
  const steps: Span[] = []
  let liquidity = 0n
  for (const [index, tick] of state.ticks.entries()) {
    liquidity += tick.liquidityNet
    const next = state.ticks[index + 1]
    if (next === undefined) break
    const left = Math.max(price(sqrtRatioAtTick(tick.index)), from)
    const right = Math.min(price(sqrtRatioAtTick(next.index)), to)
    const height = Number(liquidity) / 1e18
    if (left < right) steps.push([left, 0, height], [right, 0, height])
  }
  const top = Math.ceil(Math.max(...steps.map(([, , high]) => high)) * 25) / 25
  return {
    title: 'Concentrated liquidity: WBTC/WETH 0.3 % at block 24407242',
    description: 'Liquidity in range within ±30 % of the price, with the price.',
    x: {
      label: 'WETH per WBTC',
      from,
      to,
      ticks: [25, 30, 35, 40, 45].filter((value) => value > from && value < to),
    },
    y: {
      label: 'liquidity, 10^18',
      from: 0,
      to: top,
      ticks: Array.from({ length: 5 }, (_, i) => Math.round(top * i * 250) / 1000),
    },
    legend: [
      ['blue', 'liquidity in range'],
      ['red', 'price'],
    ],
    layers: [
      { kind: 'area', colour: 'blue', points: steps },
      {
        kind: 'line',
        colour: 'red',
        dashed: true,
        points: [
          [mid, 0],
          [mid, top],
        ],
      },
    ],
  }
}

/** The marginal price of a StableSwap pool as it goes out of balance, beside a constant product. */
function stableSwap(): Chart {
  const shares = Array.from({ length: 91 }, (_, i) => 0.05 + i * 0.01)
  const curve = (amplification: bigint): Point[] =>
    shares.map((share) => {
      const first = BigInt(Math.round(share * 1000)) * 1_000n * UNIT
      const state = {
        ...createStablePool({
          variant: 'A100',
          rates: [PRECISION, PRECISION],
          feeX10: 0n,
          amplification: amplification * 100n,
        }),
        balances: [first, 1_000_000n * UNIT - first],
      }
      const { num, den } = midPrice(state, o)
      return [share, ratio(num, den)]
    })
  const product = shares.map((share): Point => [share, (1 - share) / share])
  const visible = (points: Point[]) => points.filter(([, y]) => y >= 0.5 && y <= 1.5)
  const lines: Layer[] = [
    { kind: 'line', colour: 'blue', points: visible(curve(1000n)) },
    { kind: 'line', colour: 'orange', points: visible(curve(100n)) },
    { kind: 'line', colour: 'green', points: visible(curve(10n)) },
    { kind: 'line', colour: 'grey', dashed: true, points: visible(product) },
  ]
  return {
    title: 'StableSwap: the price holds until the pool is nearly out of one coin',
    description: 'Marginal price of coin 0 over its share of two coins, for three amplifications.',
    x: {
      label: 'share of coin 0 in the pool',
      from: 0,
      to: 1,
      ticks: [0, 0.25, 0.5, 0.75, 1],
      print: percent,
    },
    y: { label: 'coin 1 per coin 0', from: 0.5, to: 1.5, ticks: [0.5, 0.75, 1, 1.25, 1.5] },
    legend: [
      ['blue', 'A = 1000'],
      ['orange', 'A = 100'],
      ['green', 'A = 10'],
      ['grey', 'constant product, dashed'],
    ],
    layers: lines,
  }
}

/** What a displayed book holds on both sides of its middle. */
function orderBook(): Chart {
  const side = (sign: 1 | -1) =>
    Array.from({ length: 40 }, (_, i) => ({
      ticks: 10_000n + BigInt(sign * (3 + i * 5)),
      base: BigInt(20 + ((i * 37) % 23)) * UNIT,
    }))
  const book = createBook({
    tickSize: { num: 1n, den: 10_000n },
    takerFeePips: 500,
    bids: side(-1),
    asks: side(1),
  })
  const staircase = (levels: typeof book.asks): Span[] => {
    let sum = 0
    return levels.flatMap(({ ticks, base }): Span[] => {
      const x = Number(ticks) / 100 - 100
      const before = sum
      sum += Number((base * ticks) / 10_000n) / 1e18
      return [
        [x, 0, before],
        [x, 0, sum],
      ]
    })
  }
  return {
    title: 'Order book: what is displayed within a distance of the middle',
    description: 'Cumulated bids and asks of a made-up book with a tick of a basis point.',
    x: { label: 'distance from the middle, %', from: -2, to: 2, ticks: [-2, -1, 0, 1, 2] },
    y: { label: 'quote', from: 0, to: 1400, ticks: [0, 400, 800, 1200] },
    legend: [
      ['blue', 'asks, taken by a purchase'],
      ['orange', 'bids, taken by a sale'],
    ],
    layers: [
      { kind: 'area', colour: 'blue', points: staircase(book.asks) },
      { kind: 'area', colour: 'orange', points: staircase(book.bids) },
    ],
  }
}

/** Every picture of the pages about markets, by file name. */
export function drawMarkets(): Record<string, string> {
  return {
    'constant-product.svg': draw(constantProduct()),
    'concentrated-liquidity.svg': draw(concentratedLiquidity()),
    'stableswap.svg': draw(stableSwap()),
    'order-book.svg': draw(orderBook()),
    'routing.svg': draw(routing()),
    'fill-costs.svg': draw(fillCosts()),
    'incentives.svg': draw(incentives()),
    'migration.svg': draw(migration()),
  }
}

if (import.meta.main) {
  for (const [name, svg] of Object.entries(drawMarkets())) {
    writeFileSync(new URL(name, import.meta.url), svg)
  }
}
