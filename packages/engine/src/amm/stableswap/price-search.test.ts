import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bisectedInput } from '../../../test/bisected-input.ts'
import { stableRecordings } from '../../../test/stable-recordings.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import { largestWithin } from '../bisection.ts'
import type { Dir } from '../market.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { stableMidPrice } from './price.ts'
import { PriceSearch } from './price-search.ts'
import { createStablePool, rateOfDecimals, type StableState, type StableVariant } from './state.ts'

const VARIANTS: readonly StableVariant[] = ['CLASSIC', 'A100', 'A100_TWO_COIN', 'NG']
const BANDS = [10, 1000, 10_000, 20_000, 100_000, 500_000, 999_999]
const LARGEST = 1n << 128n

test('the place found in every recorded pool is that of the bisection, with a third of the questions', () => {
  for (const { state } of stableRecordings()) {
    let asked = 0
    let searches = 0
    for (const d of directionsOf(state)) {
      for (const pips of [1000, 20_000, 500_000]) {
        const limit = limitOf(state, d, pips)
        const search = new PriceSearch(state, d)
        expect(largestWithin(search.within(limit), LARGEST)).toBe(bisectedInput(state, d, limit))
        asked += search.tried
        searches += 1
      }
    }
    // A bisection asks about twice for each binary digit of its answer: 80 times, and 170 of a coin of 18 decimals.
    expect(asked / searches).toBeLessThan(60)
  }
})

test('in random pools of every build the place found is that of the bisection', () => {
  fc.assert(
    fc.property(pools(), fc.nat(7), fc.nat(6), fc.constantFrom(...BANDS), (state, a, b, pips) => {
      const coins = state.rates.length
      const from = a % coins
      const d = { from, to: (from + 1 + (b % (coins - 1))) % coins }
      const limit = attempt(() => limitOf(state, d, pips))
      if (limit === null) return
      const within = new PriceSearch(state, d).within(limit)
      expect(largestWithin(within, LARGEST)).toBe(bisectedInput(state, d, limit))
    }),
    { numRuns: 150 },
  )
})

test('a payment of a coarse coin can bring the price back, and the bisection is still followed', () => {
  // Each atom of the third coin that leaves raises the price by more than it had fallen since the last.
  const empty = createStablePool({
    variant: 'A100',
    rates: [18, 8, 6].map(rateOfDecimals),
    amplification: 150_200n,
    feeX10: 80_735_159n,
    adminFeeX10: 5_000_000_000n,
  })
  const state = { ...empty, balances: [6128210000000928975n, 5608778n, 484955n] }
  const d = { from: 1, to: 2 }
  const limit = limitOf(state, d, 10_000)
  const search = new PriceSearch(state, d)
  expect([56468n, 56469n, 56470n, 56471n].map((input) => search.isWithin(input, limit))).toEqual([
    ...[true, false, true, false],
  ])
  expect(largestWithin(search.within(limit), LARGEST)).toBe(bisectedInput(state, d, limit))
})

test('a step of the fee off the peg brings the price back, and the bisection is still followed', () => {
  const ng = (feeX10: bigint, offpegFeeMultiplierX10: bigint, rates: readonly bigint[]) => ({
    ...createStablePool({
      variant: 'NG',
      rates,
      amplification: 411_700n,
      feeX10,
      offpegFeeMultiplierX10,
      adminFeeX10: 5_000_000_000n,
    }),
  })
  const coarse = ng(67_657_041n, 13_700_000_000n, [10n ** 30n, 11_854_930_000n * 10n ** 18n])
  const fine = ng(350_577_422n, 50_000_000_000n, [10n ** 18n, 10n ** 18n])
  for (const [state, d, pips] of [
    [{ ...coarse, balances: [38_061_718n, 414_061_906_813n] }, { from: 0, to: 1 }, 958_036],
    [
      {
        ...fine,
        balances: [8_217_244_570_000_000_367_917n, 57_456_363_000_000_561_044n],
        ramp: { initialA: 669_600n, futureA: 669_600n, initialAt: 0, futureAt: 0 },
      },
      { from: 1, to: 0 },
      500_000,
    ],
  ] as const) {
    const limit = limitOf(state, d, pips)
    const within = new PriceSearch(state, d).within(limit)
    expect(largestWithin(within, LARGEST)).toBe(bisectedInput(state, d, limit))
  }
})

test('where the rounds of D do not settle after an exchange, the last one says the price', () => {
  const empty = createStablePool({
    variant: 'A100',
    rates: [1140366000000n, 10n ** 28n, 10n ** 18n, 10n ** 30n],
    amplification: 4300n,
    feeX10: 0n,
    adminFeeX10: 10_000_000_000n,
  })
  const balances = [644758945000000000000163547n, 404118853n, 1540932000000494288n, 24002461n]
  const state = { ...empty, balances }
  const d = { from: 3, to: 2 }
  const found = largestWithin(new PriceSearch(state, d).within(limitOf(state, d, 100_000)), LARGEST)
  expect(found).toBe(bisectedInput(state, d, limitOf(state, d, 100_000)))
  // The price had no answer after 256 atoms, and the search used to throw there.
  expect(found).toBe(1_299_544n)
})

function limitOf(state: StableState, { from, to }: Dir, pips: number): Rat {
  const mid = stableMidPrice(state, { base: from, quote: to })
  return { num: mid.num * BigInt(1_000_000 - pips), den: mid.den * 1_000_000n }
}

function directionsOf(state: StableState): Dir[] {
  const coins = [...state.rates.keys()]
  return coins.flatMap((from) => coins.flatMap((to) => (from === to ? [] : [{ from, to }])))
}

/** Pools of every build, two to eight coins of any decimals, up to a thousandfold out of balance. */
function pools(): fc.Arbitrary<StableState> {
  const exponent = (most: number) => fc.double({ min: 0, max: most, noNaN: true })
  return fc
    .record({
      variant: fc.constantFrom(...VARIANTS),
      decimals: fc.array(fc.constantFrom(2, 6, 8, 18, 18, 24), { minLength: 2, maxLength: 8 }),
      shares: fc.array(exponent(3), { minLength: 8, maxLength: 8 }),
      size: exponent(10),
      amplification: exponent(4),
      feeX10: fc.constantFrom(0n, 1_500_000n, 80_735_159n),
      adminFeeX10: fc.constantFrom(0n, 5_000_000_000n, 10_000_000_000n),
      offpegFeeMultiplierX10: fc.constantFrom(0n, 13_700_000_000n, 50_000_000_000n),
    })
    .map(({ decimals, shares, size, amplification, ...terms }) => {
      const used = terms.variant === 'A100_TWO_COIN' ? decimals.slice(0, 2) : decimals
      const a = BigInt(Math.ceil(10 ** amplification))
      const empty = createStablePool({
        ...terms,
        rates: used.map(rateOfDecimals),
        amplification: terms.variant === 'CLASSIC' ? a : a * 100n,
      })
      const balances = used.map((digits, coin) => {
        const millionths = BigInt(Math.round(1e6 * 10 ** Math.max(0, size - shares[coin]!)))
        return (millionths * 10n ** BigInt(digits)) / 1_000_000n + BigInt(coin) * 7919n
      })
      return { ...empty, balances }
    })
}

/** The result, or null where the contract would refuse. */
function attempt<T>(operation: () => T): T | null {
  try {
    return operation()
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}
