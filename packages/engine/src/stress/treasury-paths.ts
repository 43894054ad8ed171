import { exp } from '../numerics/exp.ts'
import { stationaryBootstrapIndices } from '../random/draws.ts'
import { type DrawStream, pathStream } from '../random/streams.ts'
import { tailRiskOfSorted } from '../statistics/expected-shortfall.ts'
import { estimateMean } from '../statistics/pairs.ts'
import { ascending, quantileOfSorted } from '../statistics/quantile.ts'
import { choleskyRoot, exponentialCovariance, type Matrix, shrinkToDiagonal } from './covariance.ts'

/** How factors move together. */
export type FactorModel =
  | { readonly kind: 'BOOTSTRAP'; readonly meanBlockDays: number }
  | { readonly kind: 'STUDENT_T4' }

/** A treasury as exposures to factors. */
export interface TreasuryPathTerms {
  /** 32 bytes. */
  readonly seed: Uint8Array
  readonly model: FactorModel
  /** Daily log returns, one row per day and one column per factor. */
  readonly returns: Matrix
  readonly days: number
  /** Quote value per factor at the start. */
  readonly exposures: readonly number[]
  /** 1,000..50,000 */
  readonly paths: number
}

/** Fewest rows that a bootstrap resamples; below, a study falls back to STUDENT_T4. */
export const LEAST_BOOTSTRAP_ROWS = 250

/** What the paths lose. */
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
  readonly standardError: number
  readonly losses: Float64Array
}

/**
 * Loss of a treasury at the end of each path, in path order.
 *
 * BOOTSTRAP resamples whole days in geometric blocks, so factors stay together; STUDENT_T4 draws one mixing
 * variable per day for all factors over the shrunk covariance, so that they crash together.
 *
 * @throws RangeError for a bootstrap of fewer than 250 rows
 * @see Politis and Romano (1994)
 */
export function treasuryLosses(terms: TreasuryPathTerms, confidence = 0.975): TreasuryLosses {
  const { model, returns, paths } = terms
  if (model.kind === 'BOOTSTRAP' && returns.length < LEAST_BOOTSTRAP_ROWS) {
    throw new RangeError(`${returns.length} rows; a bootstrap needs ${LEAST_BOOTSTRAP_ROWS}`)
  }
  const draw =
    model.kind === 'BOOTSTRAP' ? bootstrapDays(terms, model.meanBlockDays) : studentDays(terms)
  const losses = new Float64Array(paths)
  for (let path = 0; path < paths; path++) losses[path] = lossOf(terms, draw(path))
  const sorted = ascending(losses)
  const at = (p: number) => quantileOfSorted(sorted, p)
  const gains = ascending(losses.map((loss) => -loss))
  return {
    quantiles: {
      p50: at(0.5),
      p75: at(0.75),
      p90: at(0.9),
      p95: at(0.95),
      p975: at(0.975),
      p99: at(0.99),
    },
    expectedShortfall: -tailRiskOfSorted(gains, confidence).expectedShortfall,
    standardError: estimateMean(losses, 'INDEPENDENT').standardError,
    losses,
  }
}

function lossOf({ exposures }: TreasuryPathTerms, totals: Float64Array): number {
  // One total per factor.
  return exposures.reduce((loss, value, factor) => loss + value * (1 - exp(totals[factor]!)), 0)
}

function bootstrapDays(
  { seed, returns, days, exposures }: TreasuryPathTerms,
  meanBlock: number,
): (path: number) => Float64Array {
  return (path) => {
    const stream = pathStream(seed, path, 'bootstrap', false)
    const totals = new Float64Array(exposures.length)
    for (const row of stationaryBootstrapIndices(stream, returns.length, days, meanBlock)) {
      // Indices are below the number of rows, and rows are as wide as the exposures.
      for (let factor = 0; factor < totals.length; factor++)
        totals[factor]! += returns[row]![factor]!
    }
    return totals
  }
}

function studentDays({ seed, returns, days }: TreasuryPathTerms): (path: number) => Float64Array {
  const root = choleskyRoot(shrinkToDiagonal(exponentialCovariance(returns)))
  return (path) => {
    const stream = pathStream(seed, path, 'price', false)
    const totals = new Float64Array(root.length)
    for (let day = 0; day < days; day++) {
      const scale = mixing(stream)
      const shocks = root.map(() => stream.normal() * scale)
      for (const [factor, row] of root.entries()) {
        for (let k = 0; k <= factor; k++) totals[factor]! += row[k]! * shocks[k]!
      }
    }
    return totals
  }
}

/** √(ν/χ²_ν)/√(ν/(ν − 2)) for ν = 4: makes a normal a t₄ of unit variance. */
function mixing(stream: DrawStream): number {
  let chiSquare = 0
  for (let i = 0; i < 4; i++) {
    const z = stream.normal()
    chiSquare += z * z
  }
  return Math.sqrt(2 / chiSquare)
}
