import { DAY_SECONDS } from '../../arithmetic/time-units.ts'
import { require } from './checked.ts'
import {
  type AmplificationRamp,
  amplificationOf,
  amplificationPrecision,
  type StableState,
} from './state.ts'

/** Largest amplification without its precision. */
const MAX_A = 1_000_000n
/** A ramp may change the amplification by this factor. */
const MAX_A_CHANGE = 10n

/**
 * Starts an amplification ramp.
 *
 * @param futureA without the precision of the variant, like the contract's argument
 * @param futureAt seconds; at least a day from now
 * @throws PoolRevertError without a reason: the last ramp began less than a day ago, the time is
 * too short, or the change exceeds tenfold
 */
export function rampAmplification(
  state: StableState,
  futureA: bigint,
  futureAt: number,
): StableState {
  const now = state.blockTimestamp
  require(now >= state.ramp.initialAt + DAY_SECONDS && futureAt >= now + DAY_SECONDS)
  const initialA = amplificationOf(state)
  const scaled = futureA * amplificationPrecision(state.variant)
  require(futureA > 0n && futureA < MAX_A)
  const fits =
    scaled < initialA ? scaled * MAX_A_CHANGE >= initialA : scaled <= initialA * MAX_A_CHANGE
  require(fits)
  return withRamp(state, { initialA, futureA: scaled, initialAt: now, futureAt })
}

/** Leaves the amplification where it is now. */
export function stopRamp(state: StableState): StableState {
  const now = state.blockTimestamp
  const current = amplificationOf(state)
  return withRamp(state, { initialA: current, futureA: current, initialAt: now, futureAt: now })
}

/** Pays the admin what is due. */
export function withdrawAdminFees(state: StableState): {
  state: StableState
  amounts: readonly bigint[]
} {
  const amounts = state.adminBalances
  return { state: { ...state, adminBalances: amounts.map(() => 0n) }, amounts }
}

function withRamp(state: StableState, ramp: AmplificationRamp): StableState {
  return { ...state, ramp }
}
