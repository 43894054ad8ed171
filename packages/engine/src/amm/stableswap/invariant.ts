import { PoolRevertError } from '../pool-revert.ts'
import { checked, divide } from './checked.ts'
import { amplificationPrecision, type StableVariant } from './state.ts'

/** Maximum Newton iterations, as in the contracts. */
const MAX_ROUNDS = 255

export interface Curve {
  readonly variant: StableVariant
  /** In the unit of the variant. */
  readonly amplification: bigint
}

/**
 * The invariant D of the scaled balances: the sum they would have if all were equal.
 *
 *     A·n^n·Σx + D = A·D·n^n + D^(n+1)/(n^n·Πx),   by Newton from Σx until two rounds differ by at most 1
 *
 * (In the contracts' terms A is already A·n^(n−1), so that Ann = A·n.)
 *
 * @param xp balances on the common scale
 * @throws PoolRevertError if the contract divides by zero, overflows, or does not converge. CLASSIC
 * returns the last round instead of failing to converge.
 * @see Egorov, StableSwap — efficient mechanism for Stablecoin liquidity, 2019
 */
export function getD(xp: readonly bigint[], curve: Curve): bigint {
  const { d, isSettled } = roundsOfD(xp, curve)
  return isSettled ? d : giveUp(curve.variant, d)
}

/**
 * D after the last Newton round, even if the iteration has not converged and the contract would
 * revert. Rounding leaves it a few units off. Use it for prices only, not for amounts.
 *
 * @throws PoolRevertError if the contract divides by zero or overflows
 */
export function unsettledD(xp: readonly bigint[], curve: Curve): bigint {
  return roundsOfD(xp, curve).d
}

function roundsOfD(
  xp: readonly bigint[],
  { variant, amplification }: Curve,
): { d: bigint; isSettled: boolean } {
  let sum = 0n
  for (const x of xp) sum += x
  if (sum === 0n) return { d: 0n, isSettled: true }
  const coins = BigInt(xp.length)
  const precision = amplificationPrecision(variant)
  const ann = amplification * coins
  let d = sum
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const product = PRODUCTS[variant](xp, d, coins)
    const numerator = checked((checked(ann * sum) / precision + product * coins) * d)
    const denominator = checked(((ann - precision) * d) / precision + (coins + 1n) * product)
    const next = divide(numerator, denominator)
    if (areClose(next, d)) return { d: next, isSettled: true }
    d = next
  }
  return { d, isSettled: false }
}

/** D^(n+1)/(n^n·Πx), each build with its own order of divisions. */
const PRODUCTS: Readonly<
  Record<StableVariant, (xp: readonly bigint[], d: bigint, coins: bigint) => bigint>
> = {
  CLASSIC: divideAtEachCoin,
  A100: divideAtEachCoin,
  A100_TWO_COIN: (xp, d) => {
    // The two-coin build always has exactly two balances.
    const half = checked(divide(checked(d * d), xp[0]!) * d)
    return divide(half, xp[1]!) / 4n
  },
  NG: (xp, d, coins) => {
    let product = d
    for (const x of xp) product = divide(checked(product * d), x)
    return product / coins ** coins
  },
}

function divideAtEachCoin(xp: readonly bigint[], d: bigint, coins: bigint): bigint {
  let product = d
  for (const x of xp) product = divide(checked(product * d), x * coins)
  return product
}

/**
 * The scaled balance of coin `to` that preserves D when coin `from` has the balance `x`.
 *
 *     y² + (b − D)·y = c,   by Newton from D until two rounds differ by at most 1
 *
 * @throws PoolRevertError like `getD`
 */
export function getY(
  swap: { readonly from: number; readonly to: number; readonly x: bigint },
  xp: readonly bigint[],
  d: bigint,
  curve: Curve,
): bigint {
  const others = xp.map((held, coin) => (coin === swap.from ? swap.x : held))
  return solveBalance(swap.to, others, d, curve)
}

/**
 * The scaled balance of a coin that gives invariant `d` with the other balances unchanged.
 *
 * @throws PoolRevertError like `getD`
 */
export function getYOfD(coin: number, xp: readonly bigint[], d: bigint, curve: Curve): bigint {
  return solveBalance(coin, xp, d, curve)
}

function solveBalance(
  wanted: number,
  xp: readonly bigint[],
  d: bigint,
  { variant, amplification }: Curve,
): bigint {
  const coins = BigInt(xp.length)
  const precision = amplificationPrecision(variant)
  const ann = amplification * coins
  let sum = 0n
  let c = d
  for (const [coin, x] of xp.entries()) {
    if (coin === wanted) continue
    sum += x
    c = divide(checked(c * d), x * coins)
  }
  c = checked(c * d * precision) / (ann * coins)
  const b = sum + (d * precision) / ann
  let y = d
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = divide(checked(y * y) + c, checked(2n * y + b - d))
    if (areClose(next, y)) return next
    y = next
  }
  return giveUp(variant, y)
}

function areClose(a: bigint, b: bigint): boolean {
  const apart = a - b
  return apart <= 1n && apart >= -1n
}

function giveUp(variant: StableVariant, last: bigint): bigint {
  if (variant === 'CLASSIC') return last
  throw new PoolRevertError({ reason: '' })
}
