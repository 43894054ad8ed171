import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PoolRevertError } from '../pool-revert.ts'
import { rampAmplification, stopRamp, withdrawAdminFees } from './administration.ts'
import { curveOf, exchangeStable, viewGetDy } from './exchange.ts'
import { getD, getYOfD } from './invariant.ts'
import {
  addStableLiquidity,
  invariantOf,
  removeStableImbalance,
  removeStableLiquidity,
  removeStableOneCoin,
  viewCalcTokenAmount,
  viewCalcWithdrawOneCoin,
  viewVirtualPrice,
} from './liquidity.ts'
import {
  amplificationOf,
  createStablePool,
  PRECISION,
  rateOfDecimals,
  type StableState,
  type StableVariant,
  scaledBalances,
} from './state.ts'

const VARIANTS: readonly StableVariant[] = ['CLASSIC', 'A100', 'A100_TWO_COIN', 'NG']

test('the golden NG pool: D, y, fee and dy', () => {
  const state: StableState = {
    ...createStablePool({
      variant: 'NG',
      rates: [PRECISION, PRECISION],
      amplification: 20_000n,
      feeX10: 1_000_000n,
      offpegFeeMultiplierX10: 20_000_000_000n,
    }),
    balances: [1_200_000n * PRECISION, 800_000n * PRECISION],
  }
  const d = getD(state.balances, curveOf(state))
  expect(d).toBe(1999792767421987910149588n)
  const traded = [1_210_000n * PRECISION, 800_000n * PRECISION]
  expect(getYOfD(1, traded, d, curveOf(state))).toBe(790022185544702621071669n)
  const exchange = exchangeStable(state, { from: 0, to: 1 }, 10_000n * PRECISION)
  expect(exchange).toMatchObject({ feeX10: 1_021_462n, amountOut: 9976795259466465231203n })
})

test('the views of NG know A without its fraction, the exchange knows all of it', () => {
  const ramping = (blockTimestamp: number): StableState => ({
    ...createStablePool({
      variant: 'NG',
      rates: [PRECISION, PRECISION],
      amplification: 18_600n,
      feeX10: 4_000_000n,
      offpegFeeMultiplierX10: 20_000_000_000n,
    }),
    balances: [1_300_000n * PRECISION, 700_000n * PRECISION],
    totalSupply: 2_000_000n * PRECISION,
    ramp: { initialA: 18_600n, futureA: 18_700n, initialAt: 0, futureAt: 100 },
    blockTimestamp,
  })
  const way = { from: 0, to: 1 }
  const amount = 10_000n * PRECISION
  const paid = (at: number) => exchangeStable(ramping(at), way, amount).amountOut
  const seen = (at: number) => viewGetDy(ramping(at), way, amount)
  expect(seen(0)).toBe(paid(0))
  // On the way the view stays where A() is, and the pool pays more.
  expect(seen(32)).toBe(seen(0))
  expect(paid(32)).toBeGreaterThan(paid(0))
  expect(seen(100)).toBe(paid(100))
  const minted = (at: number) => viewCalcTokenAmount(ramping(at), [amount, 0n], 'DEPOSIT')
  expect(minted(32)).toBe(minted(0))
  expect(minted(100)).not.toBe(minted(0))
})

test('the rounds of D reach a fixed point, and D has the lower bound the extremes of mean above the upper bound sum', () => {
  fc.assert(
    fc.property(pools(), (state) => {
      const xp = scaledBalances(state.rates, state.balances)
      const d = getD(xp, curveOf(state))
      const sum = xp.reduce((total, x) => total + x, 0n)
      expect(d <= sum + 2n).toBe(true)
      // Never below the product alone would give: n times the smallest balance.
      const least = xp.reduce((low, x) => (x < low ? x : low), xp[0]!)
      expect(d + 2n >= least * BigInt(xp.length)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('more of any coin never lowers D', () => {
  fc.assert(
    fc.property(pools(), fc.nat(7), parts(), (state, pick, part) => {
      const coin = pick % state.balances.length
      const grown = state.balances.map((held, at) =>
        at === coin ? held + partOf(held, part) : held,
      )
      const after = attempt(() => invariantOf(state, grown))
      if (after !== null) {
        expect(after + noise(state) >= invariantOf(state, state.balances)).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('an exchange never lowers D and moves exactly what it says', () => {
  fc.assert(
    fc.property(pools(), fc.nat(7), fc.nat(6), parts(), (state, a, b, part) => {
      const d = pair(state, a, b)
      const amountIn = partOf(state.balances[d.from]!, part)
      const before = invariantOf(state, state.balances)
      const exchange = attempt(() => exchangeStable(state, d, amountIn))
      if (exchange === null) return
      const after = attempt(() => invariantOf(exchange.state, exchange.state.balances))
      // Each D is a fixed point of rounded divisions; a unit of noise per coin is left in it.
      if (after !== null) expect(after + noise(exchange.state) >= before).toBe(true)
      const moved = exchange.state.balances.map((held, at) => held - state.balances[at]!)
      expect(moved[d.from]).toBe(amountIn)
      expect(moved[d.to]).toBe(-exchange.amountOut - exchange.adminFee)
      expect(exchange.state.adminBalances[d.to]).toBe(exchange.adminFee)
    }),
    { numRuns: 400 },
  )
})

test('there and back never leaves a trader with more', () => {
  fc.assert(
    fc.property(pools(), fc.nat(7), fc.nat(6), parts(), (state, a, b, part) => {
      const d = pair(state, a, b)
      const amountIn = partOf(state.balances[d.from]!, part)
      const there = attempt(() => exchangeStable(state, d, amountIn))
      if (there === null || there.amountOut === 0n) return
      const back = attempt(() =>
        exchangeStable(there.state, { from: d.to, to: d.from }, there.amountOut),
      )
      if (back !== null) expect(back.amountOut <= amountIn).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('liquidity that is added and removed again never brings more, and the others keep theirs', () => {
  fc.assert(
    fc.property(pools(), fc.array(parts(), { minLength: 8, maxLength: 8 }), (state, drawn) => {
      const deposit = state.balances.map((held, coin) => partOf(held, drawn[coin]!))
      const added = attempt(() => addStableLiquidity(state, deposit))
      if (added === null || added.liquidity === 0n) return
      const price = viewVirtualPrice(state)
      const grown = attempt(() => viewVirtualPrice(added.state))
      if (grown !== null) expect(grown + 2n >= price).toBe(true)
      const removed = removeStableLiquidity(added.state, added.liquidity)
      const worth = (list: readonly bigint[]) => invariantOf(state, list)
      // Whoever was there before owns all of it again.
      const after = attempt(() => worth(removed.state.balances))
      if (after !== null) expect(after + noise(state) >= worth(state.balances)).toBe(true)
      const one = attempt(() => {
        const { state: left } = removeStableOneCoin(added.state, added.liquidity, 0)
        return viewVirtualPrice(left)
      })
      if (one !== null) expect(one + 4n >= price).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('an unbalanced withdrawal costs more liquidity than its view without a fee says, never less', () => {
  fc.assert(
    fc.property(pools(), fc.nat(7), fc.bigInt(1n, 900n), (state, pick, permille) => {
      const coin = pick % state.balances.length
      const wanted = state.balances.map((held, at) =>
        at === coin ? (held * permille) / 1000n : 0n,
      )
      const removed = attempt(() => removeStableImbalance(state, wanted))
      if (removed === null) return
      expect(removed.liquidity >= viewCalcTokenAmount(state, wanted, 'WITHDRAWAL')).toBe(true)
      removed.state.balances.forEach((held, at) => {
        const gone = wanted[at]! + removed.state.adminBalances[at]!
        expect(held + gone).toBe(state.balances[at])
      })
    }),
    { numRuns: 300 },
  )
})

test('a first deposit mints D and needs every coin; a share of the pool is paid without a fee', () => {
  const empty = createStablePool({
    variant: 'A100',
    rates: [rateOfDecimals(18), rateOfDecimals(6), rateOfDecimals(6)],
    amplification: 10_000n,
    feeX10: 4_000_000n,
    adminFeeX10: 5_000_000_000n,
  })
  expect(() => addStableLiquidity(empty, [PRECISION, 1_000_000n, 0n])).toThrow(PoolRevertError)
  const first = addStableLiquidity(empty, [PRECISION, 1_000_000n, 1_000_000n])
  expect(first.liquidity).toBe(3n * PRECISION)
  expect(viewVirtualPrice(first.state)).toBe(PRECISION)
  const half = removeStableLiquidity(first.state, (3n * PRECISION) / 2n)
  expect(half.amounts).toEqual([PRECISION / 2n, 500_000n, 500_000n])
  expect(() => removeStableLiquidity(half.state, 3n * PRECISION)).toThrow(PoolRevertError)
})

test('what one coin pays is what its view says, and the admin gets the share of the fee', () => {
  const state = pool({ variant: 'A100', coins: 3, feeX10: 4_000_000n })
  const burned = state.totalSupply / 10n
  const removed = removeStableOneCoin(state, burned, 1)
  expect(removed.amounts[1]).toBe(viewCalcWithdrawOneCoin(state, burned, 1))
  expect(removed.state.adminBalances[1]).toBe(removed.fees[1]! / 2n)
  const { state: paid, amounts: due } = withdrawAdminFees(removed.state)
  expect(due).toEqual(removed.state.adminBalances)
  expect(paid.adminBalances).toEqual([0n, 0n, 0n])
})

test('the amplification moves linearly, stops on demand, and refuses leaps', () => {
  const day = 86_400
  const start = { ...pool({ variant: 'A100', coins: 2, feeX10: 0n }), blockTimestamp: 10 * day }
  expect(() => rampAmplification(start, 100n, 10 * day + 3600)).toThrow(PoolRevertError)
  expect(() => rampAmplification(start, 5_000n, 20 * day)).toThrow(PoolRevertError)
  const up = rampAmplification(start, 400n, 20 * day)
  const at = (time: number) => amplificationOf({ ...up, blockTimestamp: time })
  expect([at(10 * day), at(15 * day), at(20 * day), at(30 * day)]).toEqual([
    20_000n,
    30_000n,
    40_000n,
    40_000n,
  ])
  const stopped = stopRamp({ ...up, blockTimestamp: 12 * day })
  expect(amplificationOf({ ...stopped, blockTimestamp: 90 * day })).toBe(24_000n)
  const down = rampAmplification(start, 100n, 20 * day)
  expect(amplificationOf({ ...down, blockTimestamp: 15 * day })).toBe(15_000n)
})

test('far out of balance the rounds of D never settle: the pool reverts, and only CLASSIC goes on', () => {
  // One coin ten thousand times the other at an amplification of one; found by the properties above.
  const terms = { rates: [10n ** 30n, 10n ** 30n], feeX10: 0n }
  const balances = [173_582_756n, 1004n]
  const stuck = {
    ...createStablePool({ ...terms, variant: 'A100', amplification: 100n }),
    balances,
  }
  expect(() => invariantOf(stuck, balances)).toThrow(PoolRevertError)
  const classic = createStablePool({ ...terms, variant: 'CLASSIC', amplification: 1n })
  expect(invariantOf(classic, balances)).toBeGreaterThan(6_194_507_220_569_411_270n)
})

test('an empty coin, an unknown coin and too much reverts as the contract does', () => {
  const state = pool({ variant: 'A100', coins: 2, feeX10: 0n })
  const drained = { ...state, balances: [0n, state.balances[1]!] }
  for (const refused of [
    () => exchangeStable(drained, { from: 0, to: 1 }, PRECISION),
    () => exchangeStable(state, { from: 0, to: 2 }, PRECISION),
    () => exchangeStable(state, { from: 1, to: 1 }, PRECISION),
    () => exchangeStable(state, { from: 0, to: 1 }, 1n << 250n),
    () => removeStableOneCoin(state, state.totalSupply + 1n, 0),
    () => removeStableImbalance(state, [state.balances[0]! + 1n, 0n]),
  ]) {
    expect(refused).toThrow(PoolRevertError)
  }
})

function pool(terms: { variant: StableVariant; coins: number; feeX10: bigint }): StableState {
  const empty = createStablePool({
    variant: terms.variant,
    rates: Array.from({ length: terms.coins }, () => PRECISION),
    amplification: terms.variant === 'CLASSIC' ? 200n : 20_000n,
    feeX10: terms.feeX10,
    adminFeeX10: 5_000_000_000n,
  })
  return addStableLiquidity(
    empty,
    empty.rates.map((_, coin) => (1000n + 100n * BigInt(coin)) * PRECISION),
  ).state
}

/** Pools of every variant, two to eight coins of any decimals, up to tenfold out of balance. */
function pools(): fc.Arbitrary<StableState> {
  return fc
    .record({
      variant: fc.constantFrom(...VARIANTS),
      decimals: fc.array(fc.constantFrom(6, 8, 18), { minLength: 2, maxLength: 8 }),
      shares: fc.array(fc.bigInt(100n, 1000n), { minLength: 8, maxLength: 8 }),
      size: fc.bigInt(1n, 10n ** 9n),
      amplification: fc.bigInt(50n, 5000n),
      feeX10: fc.bigInt(0n, 100_000_000n),
    })
    .map(({ variant, decimals, shares, size, amplification, feeX10 }) => {
      const used = variant === 'A100_TWO_COIN' ? decimals.slice(0, 2) : decimals
      const empty = createStablePool({
        variant,
        rates: used.map(rateOfDecimals),
        amplification: variant === 'CLASSIC' ? amplification : amplification * 100n,
        feeX10,
        adminFeeX10: 5_000_000_000n,
        offpegFeeMultiplierX10: 50_000_000_000n,
      })
      const balances = used.map((digits, coin) => size * shares[coin]! * 10n ** BigInt(digits - 2))
      return attempt(() => addStableLiquidity(empty, balances).state)
    })
    .filter((state) => state !== null)
}

/** Parts of a balance, from a millionth to a hundredfold, in millionths. */
function parts(): fc.Arbitrary<bigint> {
  return fc.bigInt(0n, 8n).chain((digits) => fc.bigInt(1n, 10n ** digits))
}

function partOf(balance: bigint, millionths: bigint): bigint {
  return (balance * millionths) / 1_000_000n + 1n
}

/** How far two values of D may be apart for rounding alone. */
function noise({ rates }: StableState): bigint {
  return 2n * BigInt(rates.length)
}

function pair(state: StableState, a: number, b: number): { from: number; to: number } {
  const coins = state.balances.length
  const from = a % coins
  return { from, to: (from + 1 + (b % (coins - 1))) % coins }
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
