/**
 * StableSwap contract builds. They compute the same curve with different rounding:
 *
 * - `CLASSIC`: the amplification is unscaled; 3pool and its contemporaries of 2020.
 * - `A100`: the amplification is stored times 100; the pool template and its factory plain pools.
 * - `A100_TWO_COIN`: like `A100`, with an explicit product of the two balances; the two-coin
 *   factory pools.
 * - `NG`: the new generation; divides once by n^n and raises the fee away from the peg.
 */
export type StableVariant = 'CLASSIC' | 'A100' | 'A100_TWO_COIN' | 'NG'

/**
 * The amplification moves linearly between two values and is constant before and after the ramp.
 */
export interface AmplificationRamp {
  /** In the unit of the variant: times 100 unless CLASSIC. */
  readonly initialA: bigint
  readonly futureA: bigint
  /** Seconds since 1970. */
  readonly initialAt: number
  readonly futureAt: number
}

/**
 * A StableSwap pool of two to eight coins: every storage field that moves an amount, and the time of the
 * current block. A value: operations return a new one.
 */
export interface StableState {
  readonly kind: 'STABLESWAP'
  readonly variant: StableVariant
  /** Coins that belong to the liquidity, atomic units, admin fees not counted. */
  readonly balances: readonly bigint[]
  /** Admin fees that wait to be withdrawn, atomic units. */
  readonly adminBalances: readonly bigint[]
  /**
   * Factor per coin from an atom to the common scale, times 10^18: 10^(36 − decimals) × its value.
   */
  readonly rates: readonly bigint[]
  readonly ramp: AmplificationRamp
  /** Trading fee, parts of 10^10. */
  readonly feeX10: bigint
  /** Share of the fee that goes to the admin, parts of 10^10. */
  readonly adminFeeX10: bigint
  /** How much higher the fee is far from the peg, times 10^10; only `NG` uses it. */
  readonly offpegFeeMultiplierX10: bigint
  /** Liquidity tokens, 18 decimals. */
  readonly totalSupply: bigint
  /** Time of the current block in seconds. */
  readonly blockTimestamp: number
}

/** One, in the scale of rates and liquidity tokens. */
export const PRECISION = 10n ** 18n
/** One, in the scale of fees. */
export const FEE_DENOMINATOR = 10n ** 10n
/** Most coins the contracts allow. */
export const MAX_COINS = 8

/** Factor of the stored amplification: 1 for CLASSIC, 100 for all others. */
export function amplificationPrecision(variant: StableVariant): bigint {
  return variant === 'CLASSIC' ? 1n : 100n
}

/**
 * An empty pool.
 *
 * @param terms.rates one per coin, two to eight; `rateOfDecimals` for plain tokens
 * @param terms.amplification in the unit of the variant
 * @param terms.feeX10 parts of 10^10
 * @param terms.offpegFeeMultiplierX10 default 0, a constant fee
 * @throws RangeError for terms that no contract allows
 */
export function createStablePool(terms: {
  variant: StableVariant
  rates: readonly bigint[]
  amplification: bigint
  feeX10: bigint
  adminFeeX10?: bigint
  offpegFeeMultiplierX10?: bigint
  blockTimestamp?: number
}): StableState {
  const blockTimestamp = terms.blockTimestamp ?? 0
  const state: StableState = {
    kind: 'STABLESWAP',
    variant: terms.variant,
    balances: terms.rates.map(() => 0n),
    adminBalances: terms.rates.map(() => 0n),
    rates: terms.rates,
    ramp: {
      initialA: terms.amplification,
      futureA: terms.amplification,
      initialAt: 0,
      futureAt: 0,
    },
    feeX10: terms.feeX10,
    adminFeeX10: terms.adminFeeX10 ?? 0n,
    offpegFeeMultiplierX10: terms.offpegFeeMultiplierX10 ?? 0n,
    totalSupply: 0n,
    blockTimestamp,
  }
  const fault = findStableFault(state)
  if (fault !== null) throw new RangeError(fault)
  return state
}

/** Rate of a plain token: brings its atoms to 18 decimals. */
export function rateOfDecimals(decimals: number): bigint {
  return 10n ** BigInt(36 - decimals)
}

/**
 * Checks that the contract could have this state. Returns a description of the first problem, or
 * null.
 */
export function findStableFault(state: StableState): string | null {
  const { balances, adminBalances, rates, variant, ramp } = state
  const coins = rates.length
  if (coins < 2 || coins > MAX_COINS) return `${coins} coins; expected 2..${MAX_COINS}`
  if (variant === 'A100_TWO_COIN' && coins !== 2) return `${coins} coins in a two-coin pool`
  if (balances.length !== coins || adminBalances.length !== coins) {
    return `${coins} rates for ${balances.length} balances`
  }
  if (rates.some((rate) => rate <= 0n)) return 'a rate that is not positive'
  if ([...balances, ...adminBalances].some((held) => held < 0n)) return 'a negative balance'
  const precision = amplificationPrecision(variant)
  if (ramp.initialA < precision || ramp.futureA < precision) return 'an amplification below one'
  if (state.feeX10 < 0n || state.feeX10 >= FEE_DENOMINATOR)
    return 'a fee that is negative or at least 100 %'
  if (state.adminFeeX10 < 0n || state.adminFeeX10 > FEE_DENOMINATOR)
    return 'an admin fee above 100 %'
  if (state.offpegFeeMultiplierX10 < 0n) return 'a negative off-peg fee multiplier'
  return null
}

/**
 * The amplification at the time of the current block, in the unit of the variant, rounded towards its
 * initial value as the contract does.
 *
 *     A0 ± |A1 − A0|·(t − t0)/(t1 − t0)
 */
export function amplificationOf({ ramp, blockTimestamp }: StableState): bigint {
  const { initialA, futureA, initialAt, futureAt } = ramp
  if (blockTimestamp >= futureAt) return futureA
  const elapsed = BigInt(blockTimestamp - initialAt)
  const whole = BigInt(futureAt - initialAt)
  return futureA > initialA
    ? initialA + ((futureA - initialA) * elapsed) / whole
    : initialA - ((initialA - futureA) * elapsed) / whole
}

/** Balances on the common scale of 18 decimals, rounded down. */
export function scaledBalances(
  rates: readonly bigint[],
  balances: readonly bigint[],
): readonly bigint[] {
  // One rate per balance, by construction.
  return balances.map((held, coin) => (rates[coin]! * held) / PRECISION)
}
