import { exp } from '../numerics/exp.ts'
import { stationaryBootstrapIndices } from '../random/draws.ts'
import { type DrawStream, pathStream } from '../random/streams.ts'
import { tailRiskOfSorted } from '../statistics/expected-shortfall.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'
import type { Matrix } from './covariance.ts'
import { type HorizonShortfall, horizonShortfall } from './liquidity-horizons.ts'
import { studentMoves } from './student-moves.ts'

/** How factors move together. */
export type FactorModel =
  | { readonly kind: 'BOOTSTRAP'; readonly meanBlockDays: number }
  | { readonly kind: 'STUDENT_T4' }

/** A value that moves by e^(β·move of a factor). */
export interface FactorExposure {
  readonly factor: number
  readonly beta: number
  /** Quote atoms at the start. */
  readonly value: number
  /** Days needed to exit, 10 or more. */
  readonly horizonDays: number
}

/** A treasury as exposures to factors. */
export interface TreasuryPathTerms {
  /** 32 bytes. */
  readonly seed: Uint8Array
  readonly model: FactorModel
  /** Daily log returns, one row per day and one column per factor. */
  readonly returns: Matrix
  readonly days: number
  readonly exposures: readonly FactorExposure[]
  /** 1,000..50,000 */
  readonly paths: number
}

/** Fewest rows that a bootstrap resamples; below, a study falls back to STUDENT_T4. */
export const LEAST_BOOTSTRAP_ROWS = 250

/** Loss distribution over paths; quote atoms as floats. */
export interface TreasuryLosses {
  readonly quantiles: {
    readonly p50: number
    readonly p75: number
    readonly p90: number
    readonly p95: number
    readonly p975: number
    readonly p99: number
  }
  readonly expectedShortfall: number
  /** Standard error of the expected shortfall, from twenty batches. */
  readonly standardError: number
  /**
   * Expected shortfall over liquidity horizons, and ten-day shortfalls of the exposures with at
   * least each horizon.
   */
  readonly liquidityHorizon: number
  readonly horizons: readonly HorizonShortfall[]
  /** In path order. */
  readonly losses: Float64Array
}

/** Days of the shortfall that liquidity horizons scale. */
const BASE_DAYS = 10
const BATCHES = 20

/**
 * Loss of a treasury at the end of every path, in path order, and its tail.
 *
 * BOOTSTRAP resamples whole days in geometric blocks, so factors stay together. STUDENT_T4 draws
 * one mixing variable per day for all factors over the shrunk covariance, so that they crash
 * together. Ten days of the same paths give the shortfall over liquidity horizons. The standard
 * error of the shortfall is the standard deviation over twenty batches of paths divided by √20.
 *
 * @throws RangeError for a bootstrap of fewer than 250 rows
 * @see Politis and Romano, “The stationary bootstrap” (1994)
 * @see Basel Committee, MAR33.4
 */
export function treasuryLosses(terms: TreasuryPathTerms, confidence = 0.975): TreasuryLosses {
  const { seed, days, exposures, paths } = terms
  const moves = new Float64Array(terms.returns[0]?.length ?? 0)
  const openPath = modelOf(terms, moves)
  const horizons = [
    ...new Set([BASE_DAYS, ...exposures.map(({ horizonDays }) => horizonDays)]),
  ].sort((a, b) => a - b)
  const losses = new Float64Array(paths)
  const tens = horizons.map(() => new Float64Array(paths))
  for (let path = 0; path < paths; path++) {
    const addDays = openPath(pathStream(seed, path, 'treasury-price', false))
    moves.fill(0)
    const first = Math.min(days, BASE_DAYS)
    addDays(first)
    if (days < BASE_DAYS) losses[path] = lossOf(exposures, moves, 0)
    addDays(BASE_DAYS - first)
    for (const [place, horizon] of horizons.entries()) {
      tens[place]![path] = lossOf(exposures, moves, horizon)
    }
    if (days < BASE_DAYS) continue
    addDays(days - BASE_DAYS)
    losses[path] = lossOf(exposures, moves, 0)
  }
  const sorted = ascending(losses)
  const at = (p: number) => quantileOfSorted(sorted, p)
  const shortfalls = horizons.map((horizonDays, place) => ({
    horizonDays,
    // A tail that gains needs no horizon.
    shortfall: Math.max(0, shortfallOf(tens[place]!, confidence)),
  }))
  return {
    quantiles: {
      p50: at(0.5),
      p75: at(0.75),
      p90: at(0.9),
      p95: at(0.95),
      p975: at(0.975),
      p99: at(0.99),
    },
    expectedShortfall: shortfallOf(losses, confidence),
    standardError: batchError(losses, confidence),
    liquidityHorizon: horizonShortfall(shortfalls),
    horizons: shortfalls,
    losses,
  }
}

/** Loss of the exposures that need a horizon at least. */
function lossOf(
  exposures: readonly FactorExposure[],
  moves: Float64Array,
  horizon: number,
): number {
  let loss = 0
  for (const { factor, beta, value, horizonDays } of exposures) {
    // A move per factor.
    if (horizonDays >= horizon) loss += value * (1 - exp(beta * moves[factor]!))
  }
  return loss
}

function shortfallOf(losses: Float64Array, confidence: number): number {
  const gains = ascending(losses.map((loss) => -loss))
  return -tailRiskOfSorted(gains, confidence).expectedShortfall
}

function batchError(losses: Float64Array, confidence: number): number {
  const size = Math.floor(losses.length / BATCHES)
  const found = Array.from({ length: BATCHES }, (_, batch) =>
    shortfallOf(losses.slice(batch * size, (batch + 1) * size), confidence),
  )
  const mean = found.reduce((sum, one) => sum + one, 0) / BATCHES
  const squares = found.reduce((sum, one) => sum + (one - mean) * (one - mean), 0)
  return Math.sqrt(squares / (BATCHES - 1) / BATCHES)
}

/** Adds the moves of the next days of one path. */
type AddDays = (days: number) => void

/** How a path is drawn; its moves are added to `totals`. */
function modelOf(
  { model, returns, days: horizon }: TreasuryPathTerms,
  totals: Float64Array,
): (stream: DrawStream) => AddDays {
  if (model.kind === 'STUDENT_T4') {
    const addDays = studentMoves(returns)
    return (stream) => (days) => addDays(stream, days, totals)
  }
  if (returns.length < LEAST_BOOTSTRAP_ROWS) {
    throw new RangeError(`${returns.length} rows; a bootstrap requires ${LEAST_BOOTSTRAP_ROWS}`)
  }
  const length = Math.max(horizon, BASE_DAYS)
  return (stream) => {
    // Drawn at once, so that no block ends where the ten days do.
    const rows = stationaryBootstrapIndices(stream, returns.length, length, model.meanBlockDays)
    let next = 0
    return (days) => {
      for (const end = next + days; next < end; next++) {
        // As many rows as days, each as wide as the totals.
        const row = returns[rows[next]!]!
        for (let factor = 0; factor < totals.length; factor++) totals[factor]! += row[factor]!
      }
    }
  }
}
