import type { contract, Encodable } from '@liquidity-os/contract'
import { toPips } from '@liquidity-os/engine/numerics'
import {
  type FactorExposure,
  horizonDaysOf,
  LEAST_BOOTSTRAP_ROWS,
  type LegObservations,
  type TreasuryLosses,
  type TreasuryPathTerms,
} from '@liquidity-os/engine/stress'
import { minDailyReturns } from '../../../market/prices/daily-volatility.ts'
import { seedBytes } from '../../../market/treasury/treasury-computation.ts'
import { type HeldLot, type ReadPortfolio, worthOf } from './read-portfolio.ts'
import type { ReadReturns } from './read-returns.ts'
import { tierNumber } from './tier-number.ts'

type Input = contract.TreasuryStressInput
type Study = contract.TreasuryStressStudy
type MonteCarloResult = NonNullable<Study['monteCarlo']>

const defaults = { paths: 10_000, model: 'BOOTSTRAP', meanBlockDays: 10 } as const
const maxFactors = 12
const bins = 64

export interface DrawnTerms {
  readonly terms: TreasuryPathTerms
  /** The same draws for controlled holdings only. */
  readonly controlled: TreasuryPathTerms
  readonly model: 'BOOTSTRAP' | 'STUDENT_T4'
  /** Whether block resampling was requested but the history is too short. */
  readonly isFallback: boolean
  readonly factors: readonly string[]
  readonly byBeta: readonly { readonly assetKey: string; readonly beta: number }[]
  readonly still: readonly string[]
}

/**
 * Exposures of the counted holdings. The twelve largest assets with a long history are factors.
 * Other assets move by their β on the largest one. Assets without returns, or without common days
 * with the largest, have a constant price. Null if no paths are requested or no asset has a month
 * of returns.
 */
export function drawnTerms(
  request: Input,
  { holdings }: ReadPortfolio,
  { series, rows, columns }: ReadReturns,
  { betas }: LegObservations,
  seed: string | null,
): DrawnTerms | null {
  if (seed === null || rows.length < minDailyReturns) return null
  const counted = holdings.filter(
    ({ tier, isQuote, priceX36 }) =>
      priceX36 !== null && !isQuote && (tier !== 'T4' || request.ownToken === 'COUNTED'),
  )
  const worth = (assetKey: string) =>
    counted.filter((lot) => lot.assetKey === assetKey).reduce((sum, lot) => sum + worthOf(lot), 0n)
  const bySize = series
    .map(({ assetKey }, index) => ({
      assetKey,
      place: index,
      worth: worth(assetKey),
      column: columns.indexOf(assetKey),
    }))
    .filter((one) => one.worth > 0n)
    .toSorted((a, b) => (a.worth === b.worth ? a.place - b.place : a.worth > b.worth ? -1 : 1))
  const factors = bySize.filter(({ column }) => column >= 0).slice(0, maxFactors)
  const [largest] = factors
  const byBeta = bySize
    .filter((one) => !factors.includes(one))
    .flatMap(({ assetKey }) => {
      const beta = largest === undefined ? undefined : betas[largest.assetKey]?.[assetKey]
      return beta === undefined ? [] : [{ assetKey, beta }]
    })
  const moving = new Set([...factors, ...byBeta].map(({ assetKey }) => assetKey))
  const exposuresOf = (some: readonly HeldLot[]) =>
    some.flatMap((lot) => exposureOf(lot, factors, byBeta))
  const { paths, model: requested, meanBlockDays } = { ...defaults, ...request.monteCarlo }
  const isFallback = requested === 'BOOTSTRAP' && rows.length < LEAST_BOOTSTRAP_ROWS
  const model = isFallback ? 'STUDENT_T4' : requested
  const terms: TreasuryPathTerms = {
    seed: seedBytes(seed),
    exposures: exposuresOf(counted),
    paths,
    days: request.horizonDays ?? 30,
    model: model === 'BOOTSTRAP' ? { kind: model, meanBlockDays } : { kind: model },
    returns: rows.map((row) => factors.map(({ column }) => row[column] ?? 0)),
  }
  return {
    model,
    isFallback,
    byBeta,
    factors: factors.map(({ assetKey }) => assetKey),
    still: [...new Set(counted.map(({ assetKey }) => assetKey))].filter((key) => !moving.has(key)),
    terms,
    controlled: { ...terms, exposures: exposuresOf(counted.filter(isControlledLot)) },
  }
}

/** Whether custody evidence that was live at the time counts a holding. */
export const isControlledLot = ({ control }: HeldLot): boolean => control !== 'ASSERTED'

function exposureOf(
  lot: HeldLot,
  factors: readonly { readonly assetKey: string }[],
  byBeta: DrawnTerms['byBeta'],
): FactorExposure[] {
  const itemIndex = factors.findIndex(({ assetKey }) => assetKey === lot.assetKey)
  const beta = byBeta.find(({ assetKey }) => assetKey === lot.assetKey)?.beta
  if (itemIndex < 0 && beta === undefined) return []
  const tier = tierNumber(lot.tier)
  const locked = lot.lockedDays === 0 ? undefined : (lot.lockedDays ?? Number.POSITIVE_INFINITY)
  const own = horizonDaysOf(tier)
  return [
    {
      factor: Math.max(itemIndex, 0),
      beta: itemIndex < 0 ? (beta ?? 1) : 1,
      value: Number(worthOf(lot)),
      // A locked holding takes at least as long to exit as an unlocked one.
      horizonDays: locked === undefined ? own : Math.max(own, horizonDaysOf(tier, locked)),
    },
  ]
}

/**
 * Simulated losses, rounded to the nearest atom; the shortfall is rounded up. A path falls short if
 * the realizable value after its loss is below the need. Locked holdings and holdings without a
 * market count as zero.
 */
export function lossFigures(
  drawn: DrawnTerms,
  { whole, controlled, needQuote }: LossesOf,
): Encodable<MonteCarloResult> {
  return {
    model: drawn.model,
    paths: whole.losses.losses.length,
    factors: drawn.factors,
    observedDays: drawn.terms.returns.length,
    byBeta: drawn.byBeta.map(({ assetKey, beta }) => ({
      assetKey,
      betaX6: BigInt(Math.round(beta * 1e6)),
    })),
    still: drawn.still,
    ...figuresOf(whole, needQuote),
    controlled: figuresOf(controlled, needQuote),
    needQuote,
  }
}

/** Losses of some holdings, and what these could be sold for before. */
interface HoldingLosses {
  readonly losses: TreasuryLosses
  readonly realisableQuote: bigint
}

interface LossesOf {
  readonly whole: HoldingLosses
  readonly controlled: HoldingLosses
  readonly needQuote: bigint
}

function figuresOf({ losses, realisableQuote }: HoldingLosses, needQuote: bigint) {
  const { quantiles, horizons } = losses
  const atoms = (value: number) => BigInt(Math.round(value))
  const above = (value: number) => BigInt(Math.max(0, Math.ceil(value)))
  const cushion = Number(realisableQuote - needQuote)
  const short = losses.losses.filter((loss) => loss > cushion).length
  return {
    quantiles: {
      p50: atoms(quantiles.p50),
      p75: atoms(quantiles.p75),
      p90: atoms(quantiles.p90),
      p95: atoms(quantiles.p95),
      p975: atoms(quantiles.p975),
      p99: atoms(quantiles.p99),
    },
    expectedShortfallQuote: BigInt(Math.ceil(losses.expectedShortfall)),
    standardErrorQuote: above(losses.standardError),
    liquidityHorizonShortfallQuote: above(losses.liquidityHorizon),
    horizons: horizons.map(({ horizonDays, shortfall }) => ({
      horizonDays,
      shortfallQuote: above(shortfall),
    })),
    probabilityOfShortfallPips: needQuote === 0n ? null : toPips(short / losses.losses.length),
    histogram: histogramOf(losses.losses),
  }
}

function histogramOf(losses: Float64Array): MonteCarloResult['histogram'] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const loss of losses) {
    low = Math.min(low, loss)
    high = Math.max(high, loss)
  }
  const counts = new Array<number>(bins).fill(0)
  for (const loss of losses) {
    const index = high > low ? Math.floor(((loss - low) / (high - low)) * bins) : 0
    counts[Math.min(index, bins - 1)]! += 1
  }
  const atoms = (value: number) => BigInt(Math.round(value)).toString()
  return { fromQuote: atoms(low), toQuote: atoms(high), counts }
}
