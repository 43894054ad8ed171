import { expect, test } from 'vitest'
import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { randomStream } from '../random/xoshiro128.ts'
import { routeOf } from '../routing/route.ts'
import { splitExactIn } from './plan-execution.ts'
import {
  type ExecutionLimits,
  type ExecutionSource,
  type PoolSource,
  pays,
  type QuoteSource,
  quotePays,
} from './source.ts'

const UNIT = 10n ** 12n
const free: ExecutionLimits = {
  fill: 'WHOLE',
  maximumLegs: 16,
  minimumFirm: 0n,
  maximumMaker: null,
}

function pairOf(reserveIn: bigint, reserveOut: bigint, permille = 3n): CpmmState {
  const fee = { numerator: permille, denominator: 1000n }
  const reserves = { reserve0: reserveIn, reserve1: reserveOut }
  return {
    ...createCpmmPair({ fee }),
    ...reserves,
    balance0: reserveIn,
    balance1: reserveOut,
  }
}
const pool = (
  sourceId: string,
  reserveIn: bigint,
  reserveOut: bigint,
  gasBuy = 0n,
): PoolSource => ({
  kind: 'POOL',
  sourceId,
  gasBuy,
  route: routeOf(pairOf(reserveIn, reserveOut), { from: 0, to: 1 }),
})
const quote = (sourceId: string, change: Partial<QuoteSource> = {}): QuoteSource => ({
  kind: 'QUOTE',
  sourceId,
  maker: sourceId,
  sellAmount: 10n,
  buyAmount: 10n * UNIT,
  minimumFill: 10n,
  isFirm: true,
  gasBuy: 0n,
  ...change,
})

/** The best of every split into whole atoms, without any knowledge of the curves. */
function bruteForce(
  sources: readonly ExecutionSource[],
  amount: bigint,
  limits: ExecutionLimits,
): bigint | null {
  const tables = sources.map((source) =>
    Array.from({ length: Number(amount) + 1 }, (_, x) => payOf(source, BigInt(x))),
  )
  let best: bigint | null = null
  const amounts = sources.map(() => 0)
  const visit = (place: number, left: number, net: bigint) => {
    if (place === sources.length) {
      if (left > 0 || !keeps(sources, amounts, limits)) return
      if (best === null || net > best) best = net
      return
    }
    for (let x = 0; x <= left; x += 1) {
      const pay = tables[place]?.[x] ?? null
      if (pay === null) continue
      amounts[place] = x
      visit(place + 1, left - x, net + pay)
    }
    amounts[place] = 0
  }
  visit(0, Number(amount), 0n)
  return best
}

function payOf(source: ExecutionSource, x: bigint): bigint | null {
  if (x === 0n) return 0n
  if (source.kind === 'QUOTE' && (x < source.minimumFill || x > source.sellAmount)) return null
  const paid = pays(source, x)
  return paid === null ? null : paid - source.gasBuy
}

function keeps(sources: readonly ExecutionSource[], amounts: number[], limits: ExecutionLimits) {
  const makers = new Map<string, bigint>()
  let firm = 0n
  for (const [place, source] of sources.entries()) {
    const x = BigInt(amounts[place] ?? 0)
    if (source.kind !== 'QUOTE') continue
    makers.set(source.maker, (makers.get(source.maker) ?? 0n) + x)
    if (source.isFirm) firm += x
  }
  const most = limits.maximumMaker
  return (
    amounts.filter((x) => x > 0).length <= limits.maximumLegs &&
    firm >= limits.minimumFirm &&
    (most === null || [...makers.values()].every((sum) => sum <= most))
  )
}

test('a quote pays its price rounded down, never more than was signed for', () => {
  const signed = { sellAmount: 3n, buyAmount: 2n }
  expect([0n, 1n, 2n, 3n].map((amount) => quotePays(signed, amount))).toEqual([0n, 0n, 1n, 2n])
})

test('equals brute force on a thousand small markets, with gas, makers, firm minima and few legs', () => {
  const random = drawing(7)
  let filled = 0
  let refused = 0
  for (let market = 0; market < 1_000; market += 1) {
    const below = (most: number) => BigInt(random(most))
    const amount = 2n + below(14)
    const sources: ExecutionSource[] = [
      ...Array.from({ length: random(4) }, (_, place) => {
        const sellAmount = 1n + below(14)
        return quote(`q${place}`, {
          sellAmount,
          maker: `m${random(3)}`,
          isFirm: random(3) > 0,
          buyAmount: (sellAmount * UNIT * (900n + below(200))) / 1_000n + below(997),
          minimumFill: 1n + below(Number(sellAmount)),
          gasBuy: random(2) === 0 ? 0n : (below(300) * UNIT) / 100n,
        })
      }),
      ...Array.from({ length: random(3) }, (_, place) => {
        const reserve = 30n + below(300)
        const reserveOut = (reserve * UNIT * (900n + below(200))) / 1_000n
        return pool(`v${place}`, reserve, reserveOut, (below(200) * UNIT) / 100n)
      }),
    ]
    const limits: ExecutionLimits = {
      fill: 'WHOLE',
      maximumLegs: 1 + random(5),
      minimumFirm: random(3) === 0 ? below(Number(amount)) : 0n,
      maximumMaker: random(3) === 0 ? 1n + below(Number(amount)) : null,
    }
    const best = bruteForce(sources, amount, limits)
    const found = splitExactIn(sources, amount, limits)
    if ('unfillable' in found) {
      refused += 1
      expect(best).toBeNull()
      continue
    }
    filled += 1
    expect(found.amountIn).toBe(amount)
    expect(found.optimality.method).toBe('EXHAUSTIVE')
    expect({ market, net: found.amountOut - found.gasBuy }).toEqual({ market, net: best })
    expect(found.optimality.upperBoundNet >= (best ?? 0n)).toBe(true)
  }
  expect(Math.min(filled, refused)).toBeGreaterThan(100)
})

test('legs of a large order sum to it exactly, each paid by its own rules, and no move of an atom improves it', () => {
  const amount = 123_456_789_012_345_678_901n
  const deep = 10n ** 24n
  const sources = [
    quote('a', { sellAmount: amount / 3n, buyAmount: amount / 3n, minimumFill: 1n }),
    quote('b', {
      sellAmount: amount,
      buyAmount: (amount * 9965n) / 10_000n,
      minimumFill: amount / 5n,
    }),
    pool('v1', deep, deep),
    pool('v2', deep / 2n, deep / 2n),
  ]
  const found = splitExactIn(sources, amount, free)
  if ('unfillable' in found) throw new Error('It can be filled.')
  expect(found.legs.reduce((sum, { amountIn }) => sum + amountIn, 0n)).toBe(amount)
  for (const { source, amountIn, amountOut } of found.legs) {
    expect(pays(source, amountIn)).toBe(amountOut)
  }
  expect(found.optimality).toMatchObject({ method: 'EXHAUSTIVE', gapPips: 1n })
  expect(found.legs.map(({ source }) => source.sourceId)).toEqual(['a', 'v1', 'v2'])
})

test('ties go to fewer legs, then to the hash that sorts first', () => {
  const one = splitExactIn(
    [
      quote('z', { sellAmount: 10n }),
      quote('b', { sellAmount: 5n, buyAmount: 5n * UNIT, minimumFill: 5n }),
      quote('c', { sellAmount: 5n, buyAmount: 5n * UNIT, minimumFill: 5n }),
      quote('a', { sellAmount: 10n }),
    ],
    10n,
    free,
  )
  expect('legs' in one && one.legs.map(({ source }) => source.sourceId)).toEqual(['a'])
})

test('says how much could be filled, and whether the firm minimum is what keeps it from more', () => {
  const quotes = [
    quote('a', { sellAmount: 10n, minimumFill: 10n }),
    quote('b', { sellAmount: 7n, minimumFill: 7n, buyAmount: 7n * UNIT, isFirm: false }),
  ]
  expect(splitExactIn(quotes, 12n, free)).toEqual({
    unfillable: { largest: 10n, reason: 'CAPACITY' },
  })
  expect(splitExactIn(quotes, 7n, { ...free, minimumFirm: 5n })).toEqual({
    unfillable: { largest: 0n, reason: 'FIRM' },
  })
  expect(splitExactIn(quotes, 17n, { ...free, maximumLegs: 1 })).toEqual({
    unfillable: { largest: 10n, reason: 'CAPACITY' },
  })
})

test('an order of nothing and two sources of one name are refused', () => {
  expect(() => splitExactIn([quote('a')], 0n, free)).toThrow(RangeError)
  expect(() => splitExactIn([quote('a'), quote('a')], 1n, free)).toThrow(RangeError)
})

function drawing(seed: number): (most: number) => number {
  const random = randomStream(seed)
  return (most) => random.below(most)
}
