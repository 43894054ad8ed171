import type { Dir } from '../market.ts'
import { checked, require } from './checked.ts'
import { dynamicFee } from './fee.ts'
import { type Curve, getD, getY } from './invariant.ts'
import {
  amplificationOf,
  FEE_DENOMINATOR,
  PRECISION,
  type StableState,
  scaledBalances,
} from './state.ts'

/** A is counted in hundredths in every build but CLASSIC. */
const A_PRECISION = 100n

export interface StableExchange {
  readonly state: StableState
  readonly amountIn: bigint
  /** Paid out, fee already taken. */
  readonly amountOut: bigint
  /** Fee within what would have been paid out, scaled to 18 decimals. */
  readonly feeScaled: bigint
  /** The fee that applied, parts of 10^10. */
  readonly feeX10: bigint
  /** Admin's part of the fee, atomic units of the coin paid out. */
  readonly adminFee: bigint
}

/** How a pool computes its curve right now. */
export function curveOf(state: StableState): Curve {
  return { variant: state.variant, amplification: amplificationOf(state) }
}

/** State of a pool on its curve, shared by all exchanges from it. */
export interface StablePoint {
  readonly curve: Curve
  /** Balances on the common scale. */
  readonly xp: readonly bigint[]
  /** The pool's own integer. */
  readonly d: bigint
}

/**
 * @param solve for D, default as the contract does
 * @throws PoolRevertError as `getD`
 */
export function pointOf(state: StableState, solve: typeof getD = getD): StablePoint {
  const curve = curveOf(state)
  const xp = scaledBalances(state.rates, state.balances)
  return { curve, xp, d: solve(xp, curve) }
}

/**
 * Exchanges an exact input like the transaction does.
 *
 *     dy = x_j − y − 1,  fee on dy, all in 18 decimals; then to atoms of the coin, rounded down
 *
 * @param amountIn atomic units of coin `d.from`; the amount received if the coin charges a transfer
 * fee
 * @param point point of the same state, if known
 * @throws PoolRevertError without a reason, like the contract
 */
export function exchangeStable(
  state: StableState,
  d: Dir,
  amountIn: bigint,
  point?: StablePoint,
): StableExchange {
  const { rates, balances, adminBalances } = state
  if (state.variant === 'NG') require(amountIn > 0n)
  const { dy, fee } = priceExchange(state, d, amountIn, point)
  // The two indexes were checked by the pricing.
  const rate = rates[d.to]!
  const feeScaled = (dy * fee) / FEE_DENOMINATOR
  const amountOut = ((dy - feeScaled) * PRECISION) / rate
  const adminFee = (((feeScaled * state.adminFeeX10) / FEE_DENOMINATOR) * PRECISION) / rate
  const left = checked(balances[d.to]! - amountOut - adminFee)
  return {
    state: {
      ...state,
      balances: replace(replace(balances, d.from, balances[d.from]! + amountIn), d.to, left),
      adminBalances: replace(adminBalances, d.to, adminBalances[d.to]! + adminFee),
    },
    amountIn,
    amountOut,
    feeScaled,
    feeX10: fee,
    adminFee,
  }
}

/**
 * The result of the view `get_dy`. CLASSIC converts to atoms before it deducts the fee, so it can
 * differ by an atom from `exchangeStable`. NG omits the fraction of A, so it differs during a ramp.
 * All other results are equal.
 *
 * @throws PoolRevertError without a reason, like the contract
 */
export function viewGetDy(state: StableState, d: Dir, amountIn: bigint): bigint {
  const { dy, fee } = priceExchange(asViewed(state), d, amountIn)
  // The two indexes were checked by the pricing.
  const rate = state.rates[d.to]!
  if (state.variant !== 'CLASSIC') {
    return ((dy - (dy * fee) / FEE_DENOMINATOR) * PRECISION) / rate
  }
  const whole = (dy * PRECISION) / rate
  return whole - (whole * fee) / FEE_DENOMINATOR
}

/**
 * The pool state that its views use. The NG views are in a separate contract and call A(), which
 * returns an integer. The pool itself uses hundredths.
 */
export function asViewed(state: StableState): StableState {
  if (state.variant !== 'NG') return state
  const seen = (amplificationOf(state) / A_PRECISION) * A_PRECISION
  return { ...state, ramp: { ...state.ramp, initialA: seen, futureA: seen } }
}

function priceExchange(
  state: StableState,
  { from, to }: Dir,
  amountIn: bigint,
  point?: StablePoint,
): { dy: bigint; fee: bigint } {
  const { rates } = state
  require(from !== to && from in rates && to in rates)
  const { curve, xp, d } = point ?? pointOf(state)
  // Both indexes were just found in the rates.
  const [xi, xj] = [xp[from]!, xp[to]!]
  const x = xi + checked(amountIn * rates[from]!) / PRECISION
  const y = getY({ from, to, x }, xp, d, curve)
  const dy = checked(xj - y - 1n)
  const fee = dynamicFee(state, (xi + x) / 2n, (xj + y) / 2n, state.feeX10)
  return { dy, fee }
}

/** A list with one entry replaced. */
export function replace(list: readonly bigint[], index: number, value: bigint): readonly bigint[] {
  return list.map((entry, at) => (at === index ? value : entry))
}
