import { YEAR_SECONDS } from '../src/arithmetic/time-units.ts'
import { bandTwoScale } from '../src/montecarlo/band-two-scale.ts'
import { averagedVolatility } from '../src/montecarlo/realized-volatility.ts'
import { ln } from '../src/numerics/ln.ts'
import { pathStream } from '../src/random/streams.ts'

/** A market whose truth is known. */
export interface BandMarket {
  annualVolatility: number
  feePips: number
  days: number
  /**
   * Noise trades per block, each with a standard deviation of half the fee in ln price; default
   * zero.
   */
  noise?: number
}

const blockSeconds = 12
const stepSeconds = 60
const blocksInStep = stepSeconds / blockSeconds

/**
 * ln price of the external market and of an arbitraged pool, at every minute. A block of 12 s moves
 * the external price and clips the pool to ± −ln(1 − fee) around it. Then noise trades move the
 * pool.
 */
export function bandPaths(
  { annualVolatility, feePips, days, noise = 0 }: BandMarket,
  pair: number,
) {
  const seed = new Uint8Array(32)
  seed[31] = 1
  const price = pathStream(seed, pair, 'price', false)
  const flow = pathStream(seed, pair, 'flow', false)
  const deviation = annualVolatility * Math.sqrt(blockSeconds / YEAR_SECONDS)
  const band = -ln(1 - feePips / 1_000_000)
  const blocks = (days * 86_400) / blockSeconds
  const outside = new Float64Array(blocks / blocksInStep + 1)
  const pool = new Float64Array(outside.length)
  let [x, y] = [0, 0]
  for (let block = 1; block <= blocks; block++) {
    x += deviation * price.normal()
    y = Math.min(x + band, Math.max(x - band, y))
    if (noise > 0 && flow.uniform() < noise) y += 0.5 * band * flow.normal()
    if (block % blocksInStep === 0) {
      outside[block / blocksInStep] = x
      pool[block / blocksInStep] = y
    }
  }
  return { outside, pool }
}

const returnsOf = (levels: Float64Array) =>
  Float64Array.from({ length: levels.length - 1 }, (_, i) => levels[i + 1]! - levels[i]!)

/** Realized volatility of five minutes over all offsets. */
export const fiveMinutes = (levels: Float64Array) =>
  averagedVolatility(returnsOf(levels), stepSeconds, 5).value

/** Estimate of a market from its pool. */
export const bandEstimate = (market: BandMarket, pool: Float64Array) =>
  bandTwoScale({ logPrices: pool, stepSeconds, feePips: market.feePips, blockSeconds })

/** How far estimates lie from the truth over many paths; shares of the true volatility. */
export interface BandBias {
  fiveMinutes: number
  mean: number
  /** Root of the mean square error, and the standard error that the estimator claims. */
  error: number
  claimed: number
  withinTwo: number
  abstained: number
  daysNeeded: number
  paths: number
}

/** Mean, error and coverage of the estimator on a market. */
export function measureBandBias(market: BandMarket, paths: number): BandBias {
  const truth = market.annualVolatility
  const sums = {
    fiveMinutes: 0,
    mean: 0,
    square: 0,
    claimed: 0,
    withinTwo: 0,
    abstained: 0,
    daysNeeded: 0,
  }
  for (let pair = 0; pair < paths; pair++) {
    const { pool } = bandPaths(market, pair)
    const { ok, annualVolatility, daysNeeded } = bandEstimate(market, pool)
    sums.fiveMinutes += fiveMinutes(pool) / truth
    sums.abstained += ok ? 0 : 1
    sums.daysNeeded += daysNeeded ?? 0
    const { value, standardError } = annualVolatility ?? { value: 0, standardError: 0 }
    sums.mean += value / truth
    sums.square += (value / truth - 1) ** 2
    sums.claimed += standardError / truth
    sums.withinTwo += Math.abs(value - truth) <= 2 * standardError ? 1 : 0
  }
  const { square, abstained, ...rest } = sums
  const over = (sum: number) => sum / paths
  return {
    fiveMinutes: over(rest.fiveMinutes),
    mean: over(rest.mean),
    claimed: over(rest.claimed),
    withinTwo: over(rest.withinTwo),
    daysNeeded: over(rest.daysNeeded),
    error: Math.sqrt(over(square)),
    abstained,
    paths,
  }
}

/** A row of the methodology page's table. */
export function biasRow(
  { annualVolatility, feePips, noise = 0 }: BandMarket,
  bias: BandBias,
): string {
  const share = (value: number) => `${(100 * value).toFixed(1)} %`
  const isKnown = bias.abstained < bias.paths
  const cells = [
    `${feePips / 10_000} %`,
    `${Math.round(100 * annualVolatility)} %`,
    `${noise}`,
    share(bias.fiveMinutes),
    ...(isKnown
      ? [share(bias.mean), share(bias.error), share(bias.claimed), share(bias.withinTwo)]
      : ['—', '—', '—', '—']),
    `${bias.abstained} of ${bias.paths}`,
    `${bias.daysNeeded.toFixed(bias.daysNeeded < 10 ? 1 : 0)}`,
  ]
  return `| ${cells.join(' | ')} |`
}

export const biasHead = [
  '| fee | σ | noise trades a block | RV(5 min)/σ | estimate/σ | error | claimed | within 2 SE | abstained | days needed |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
]

/** The markets of the table: thirty days each. */
export const biasMarkets: readonly BandMarket[] = [0, 0.2].flatMap((noise) =>
  [100, 500, 3000, 10_000].flatMap((feePips) =>
    [0.2, 0.6, 1, 1.5].map((annualVolatility) => ({ annualVolatility, feePips, days: 30, noise })),
  ),
)
