import { estimateMean, type Pairing } from './pairs.ts'
import { Z_95 } from './wilson.ts'

/** Paths between two looks at the precision. */
export const BATCH = 200

/** Target precision of a sequential run, and its maximum length. */
export interface PrecisionGoal {
  /** Half-width of the 95 % interval of the mean, in the unit of the metric. */
  readonly halfWidth: number
  /** 200..100,000 */
  readonly paths: number
}

/**
 * Whether to continue: more paths needed, precise enough, or limit reached without the precision.
 */
export type PrecisionState = 'CONTINUE' | 'REACHED' | 'PRECISION_NOT_REACHED'

/**
 * Looks at the stop metric after each batch.
 *
 * @param values the metric per path, in path order
 * @see Glynn and Whitt, “The asymptotic validity of sequential stopping rules” (1992)
 */
export function judgePrecision(
  values: ArrayLike<number>,
  goal: PrecisionGoal,
  pairing: Pairing,
): PrecisionState {
  const limit = goal.paths
  if (values.length < Math.min(BATCH, limit)) return 'CONTINUE'
  const { standardError } = estimateMean(values, pairing)
  if (Z_95 * standardError <= goal.halfWidth) return 'REACHED'
  return values.length >= limit ? 'PRECISION_NOT_REACHED' : 'CONTINUE'
}
