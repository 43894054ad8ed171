import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson, readDatasetRows } from '../../test/datasets.ts'
import { createBook } from '../amm/order-book/state.ts'
import { midPrice, swapExactIn, swapExactOut } from '../amm/swap.ts'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { readClmmState } from '../replay/read/clmm-state.ts'
import { decomposeFill, type Fill, opportunityCost } from './decompose-fill.ts'
import type { FillCosts } from './fill-costs.ts'
import { type BlockSwap, findSandwiches } from './sandwich.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const pool = readClmmState(readDatasetJson(file), file).state
const o = { base: 0, quote: 1 }
const BUY = { from: 1, to: 0 }

test('the sandwich of block 12775690 is found with its four victims and its profit', () => {
  const swaps = readDatasetRows('v2-mainnet-swaps/swaps.csv')
    .filter(({ blockNumber }) => blockNumber === '12775690')
    .map(toBlockSwap)
  const [recorded] = readDatasetJson<
    {
      frontrun_swap: { transaction_position: number }
      sandwiched_swaps: { transaction_position: number }[]
    }[]
  >('v2-mainnet-swaps/sandwich_12775690.json')
  const [found, ...others] = findSandwiches(swaps)
  expect(others).toEqual([])
  expect(found).toMatchObject({ confidence: 'HIGH', profit: 49991481915322274n })
  const transactionOf = ({ position }: BlockSwap) => Math.floor(position / 1000)
  expect(transactionOf(found!.front)).toBe(recorded!.frontrun_swap.transaction_position)
  expect(found!.victims.map(transactionOf)).toEqual(
    recorded!.sandwiched_swaps.map(({ transaction_position }) => transaction_position),
  )
})

test('a router that everyone calls does not make strangers one party', () => {
  const swap = (position: number, zeroForOne: boolean, sender: string): BlockSwap => ({
    position,
    pool: '0xp',
    zeroForOne,
    amountIn: 100n,
    amountOut: 100n,
    sender,
    to: `0xcontract${sender}`,
    recipient: sender,
  })
  const strangers = [swap(1, true, '0xa'), swap(2, true, '0xv'), swap(3, false, '0xb')]
  expect(findSandwiches(strangers)).toEqual([])
  const attacker = [swap(1, true, '0xa'), swap(2, true, '0xv'), swap(3, false, '0xA')]
  expect(findSandwiches(attacker)).toHaveLength(1)
  const alone = [swap(1, true, '0xa'), swap(3, false, '0xa')]
  expect(findSandwiches(alone)).toEqual([])
  expect(() => findSandwiches([swap(2, true, '0xa'), swap(1, true, '0xa')])).toThrow(RangeError)
})

test('what is sold again tells how sure it is: within 1 % HIGH, within 5 % MEDIUM, beyond none', () => {
  const swap = (position: number, zeroForOne: boolean, sender: string, amountIn = 10_000n) => ({
    position,
    pool: '0xp',
    zeroForOne,
    amountIn,
    amountOut: 10_000n,
    sender,
    to: `0xcontract${sender}`,
    recipient: sender,
  })
  const confidenceAt = (sold: bigint) =>
    findSandwiches([swap(1, true, '0xa'), swap(2, true, '0xv'), swap(3, false, '0xa', sold)])[0]
      ?.confidence
  const stays = [9600n, 10_400n].map((sold) =>
    findSandwiches([swap(1, true, '0xa'), swap(2, true, '0xv'), swap(3, false, '0xa', sold)]).map(
      ({ profit, kept }) => [profit, kept],
    ),
  )
  expect(stays).toEqual([[[0n, 400n]], [[0n, -400n]]])
  const told = [9499n, 9500n, 9899n, 9900n, 10_100n, 10_101n, 10_500n, 10_501n].map(confidenceAt)
  expect(told).toEqual([
    ...[undefined, 'MEDIUM', 'MEDIUM', 'HIGH', 'HIGH', 'MEDIUM', 'MEDIUM', undefined],
  ])
})

test('a sandwich within another is told as part of the outer one, whose victims both are', () => {
  const swap = (position: number, zeroForOne: boolean, sender: string): BlockSwap => ({
    position,
    pool: '0xp',
    zeroForOne,
    amountIn: 100n,
    amountOut: 100n,
    sender,
    to: `0xcontract${sender}`,
    recipient: sender,
  })
  const nested = [
    ...[swap(1, true, '0xa'), swap(2, true, '0xb'), swap(3, true, '0xv')],
    ...[swap(4, false, '0xb'), swap(5, false, '0xa')],
  ]
  const found = findSandwiches(nested)
  expect(found.map(({ front, back }) => [front.sender, back.sender])).toEqual([['0xa', '0xa']])
  expect(found[0]!.victims.map(({ sender }) => sender)).toEqual(['0xb', '0xv'])
})

test('a staged sandwich is recovered to the atom', () => {
  const before = pair()
  const front = swapExactIn(before, BUY, 50n * 10n ** 18n)
  const victim = swapExactIn(front.state, BUY, 10n * 10n ** 18n)
  const fill = plainFill('BUY', before, victim.amountOut, victim.amountIn)
  const costs = decomposeFill(front.state, fill, { counterfactual: before })
  const fair = swapExactOut(before, BUY, victim.amountOut).amountIn
  expect(costs.mev).toBe(victim.amountIn - fair)
  expect(costs.mev).toBeGreaterThan(0n)
  expect(costs).toMatchObject({ timing: 0n, spread: 0n, residual: 0n, gas: 7n })
  expectExact(costs)
})

test('without a sandwich a plain token leaves no residual, bought or sold, on every kind of market', () => {
  for (const market of [pair(), pool, book()]) {
    const mid = midPrice(market, o)
    for (const side of ['BUY', 'SELL'] as const) {
      const amount = market.kind === 'ORDER_BOOK' ? 50n : 10n ** 7n
      const d = side === 'BUY' ? BUY : { from: 0, to: 1 }
      const swap = side === 'BUY' ? swapExactOut(market, d, amount) : swapExactIn(market, d, amount)
      const [base, quote] =
        side === 'BUY' ? [swap.amountOut, swap.amountIn] : [swap.amountIn, swap.amountOut]
      const fill = { ...plainFill(side, market, base, quote), arrivalPrice: mid }
      const costs = decomposeFill(market, fill, null)
      expect(costs).toMatchObject({ delay: 0n, timing: 0n, mev: 0n, residual: 0n })
      expect(costs.fees > 0n).toBe(true)
      expect(costs.spread > 0n).toBe(market.kind === 'ORDER_BOOK')
      expectExact(costs)
    }
  }
})

test('a purchase of a coarse token by its input leaves no residual either', () => {
  // One satoshi of WBTC is worth ten thousand times what the smallest input adds.
  const swap = swapExactIn(pool, BUY, 123_456_789_012_345_678n)
  const fill = plainFill('BUY', pool, swap.amountOut, swap.amountIn)
  expect(decomposeFill(pool, fill, null)).toMatchObject({ residual: 0n, mev: 0n })
  expect(swapExactOut(pool, BUY, swap.amountOut).amountIn).toBeLessThan(swap.amountIn)
})

test('a fee on transfer shows as residual, valued at the mid before the fill', () => {
  const swap = swapExactIn(pair(), BUY, 10n ** 18n)
  const fill = plainFill('BUY', pair(), swap.amountOut, swap.amountIn)
  const short = { ...fill.wallet, base: fill.base - fill.base / 100n }
  const costs = decomposeFill(pair(), { ...fill, wallet: short }, null)
  const mid = midPrice(pair(), o)
  expect(costs.residual).toBe(((fill.base / 100n) * mid.num) / mid.den)
  expectExact(costs)
})

test('what a seller’s wallet lacks of the proceeds, or gave beyond the sale, is a cost to the atom', () => {
  const sold = 10n ** 18n
  const { amountOut } = swapExactIn(pair(), { from: 0, to: 1 }, sold)
  const fill = plainFill('SELL', pair(), sold, amountOut)
  const plain = decomposeFill(pair(), fill, null)
  const short = decomposeFill(
    pair(),
    { ...fill, wallet: { base: sold, quote: amountOut - 12_345n } },
    null,
  )
  expect(short.residual).toBe(12_345n)
  expect(short.shortfall - plain.shortfall).toBe(12_345n)
  // The mid is two quote per base.
  const beyond = decomposeFill(
    pair(),
    { ...fill, wallet: { base: sold + 700n, quote: amountOut } },
    null,
  )
  expect(beyond.residual).toBe(1400n)
  const rebate = decomposeFill(
    pair(),
    { ...fill, wallet: { base: sold - 700n, quote: amountOut + 5n } },
    null,
  )
  expect(rebate.residual).toBe(-1405n)
  for (const costs of [short, beyond, rebate]) expectExact(costs)
})

test('without a decision price there is no delay, and the shortfall counts from arrival', () => {
  const swap = swapExactIn(pair(), BUY, 10n ** 18n)
  const fill = { ...plainFill('BUY', pair(), swap.amountOut, swap.amountIn), decisionPrice: null }
  const costs = decomposeFill(pair(), fill, null)
  expect(costs.delay).toBeNull()
  expect(costs.totals[0]).toBe(costs.totals[1])
})

test('the parts add up to the shortfall on every fill, whatever the prices were', () => {
  const price = fc.record({ num: fc.bigInt(1n, 10n ** 24n), den: fc.bigInt(1n, 10n ** 24n) })
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.bigInt(100n, 10n ** 20n),
      fc.bigInt(100n, 10n ** 20n),
      price,
      price,
      fc.bigInt(0n, 1000n),
      (buys, size, front, decisionPrice, arrivalPrice, tax) => {
        const side = buys ? 'BUY' : 'SELL'
        const d = buys ? BUY : { from: 0, to: 1 }
        const pre = swapExactIn(pair(), d, front).state
        const swap = swapExactIn(pre, d, size)
        if (swap.amountOut === 0n) return
        const [base, quote] = buys
          ? [swap.amountOut, swap.amountIn]
          : [swap.amountIn, swap.amountOut]
        const wallet = buys
          ? { base: base - (base * tax) / 10_000n, quote }
          : { base, quote: quote - (quote * tax) / 10_000n }
        const fill: Fill = {
          ...plainFill(side, pair(), base, quote),
          decisionPrice,
          arrivalPrice,
          wallet,
        }
        const costs = decomposeFill(pre, fill, { counterfactual: pair() })
        expectExact(costs)
        expect(costs.mev >= -1n).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test('what was not filled costs what the price did meanwhile', () => {
  const [was, is] = [
    { num: 2n, den: 1n },
    { num: 3n, den: 1n },
  ]
  expect(opportunityCost('BUY', 10n, was, is)).toBe(10n)
  expect(opportunityCost('SELL', 10n, was, is)).toBe(-10n)
})

function expectExact(costs: FillCosts): void {
  const { delay, timing, spread, impact, fees, mev, residual, gas, shortfall } = costs
  const exact = [delay, timing, spread, impact, fees, mev, residual, gas]
  const sum = exact.reduce<bigint>((all, part) => all + (part ?? 0n), 0n)
  expect(sum).toBe(shortfall)
}

function plainFill(
  side: 'BUY' | 'SELL',
  market: CpmmState | ClmmState | ReturnType<typeof book>,
  base: bigint,
  quote: bigint,
): Fill {
  const mid = midPrice(market, o)
  return {
    side,
    orientation: o,
    base,
    quote,
    decisionPrice: mid,
    arrivalPrice: mid,
    wallet: { base, quote },
    gasQuote: 7n,
  }
}

function pair(): CpmmState {
  const reserves = { reserve0: 10n ** 21n, reserve1: 2n * 10n ** 21n }
  return {
    ...createCpmmPair({}),
    ...reserves,
    balance0: reserves.reserve0,
    balance1: reserves.reserve1,
  }
}

test('a fill that the pool could not have filled has no costs', () => {
  const thin: ClmmState = {
    ...pool,
    ticks: [],
    liquidity: 0n,
  }
  const fill: Fill = {
    side: 'BUY',
    orientation: o,
    base: 10n ** 21n,
    quote: 10n ** 21n,
    decisionPrice: null,
    arrivalPrice: midPrice(pool, o),
    wallet: { base: 10n ** 21n, quote: 10n ** 21n },
    gasQuote: 0n,
  }
  expect(() => decomposeFill(thin, fill, null)).toThrow('the pool reverts')
  expect(() => decomposeFill(thin, { ...fill, side: 'SELL' }, null)).toThrow('the pool reverts')
})

function book() {
  return createBook({
    tickSize: { num: 1n, den: 1n },
    takerFeePips: 1000,
    bids: [
      { ticks: 990n, base: 20n },
      { ticks: 980n, base: 100n },
    ],
    asks: [
      { ticks: 1010n, base: 20n },
      { ticks: 1030n, base: 100n },
    ],
  })
}

function toBlockSwap(row: Record<string, string>): BlockSwap {
  const zeroForOne = BigInt(row.amount0In!) > 0n
  const [amountIn, amountOut] = zeroForOne
    ? [row.amount0In!, row.amount1Out!]
    : [row.amount1In!, row.amount0Out!]
  // Positions within a transaction follow the order of its traces.
  const [first, second] = row.traceAddress!.split('/')
  const within = Number(first || 0) * 30 + Number(second ?? 0)
  return {
    position: Number(row.transactionPosition) * 1000 + within,
    pool: row.pair!,
    zeroForOne,
    amountIn: BigInt(amountIn),
    amountOut: BigInt(amountOut),
    sender: row.txFrom!,
    to: row.txTo!,
    recipient: '',
  }
}
