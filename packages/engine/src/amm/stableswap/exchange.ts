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

/** What an exchange moved. */
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

/** Where a pool stands on its curve: what every exchange from one state has in common. */
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
 * Exchanges an exact input, as the transaction does it.
 *
 *     dy = x_j − y − 1,  fee on dy, all in 18 decimals; then to atoms of the coin, rounded down
 *
 * @param amountIn atomic units of coin `d.from`; of a coin that takes a fee on transfer, what arrives
 * @param point    of this state, where it is known
 * @throws PoolRevertError without a reason, as the contract
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
 * The answer of the view `get_dy`. In CLASSIC it converts to atoms before it takes the fee, and so can
 * differ by an atom from what `exchangeStable` pays. In NG it knows A without its fraction, and so differs
 * while A is on its way; otherwise it is the same.
 *
 * @throws PoolRevertError without a reason, as the contract
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
 * A pool as its views see it. Those of NG stand in a contract of their own and ask the pool for A(), which
 * is whole, where the pool itself counts in hundredths.
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
