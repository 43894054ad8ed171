import type { Rat } from '../arithmetic/integer.ts'
import { exp } from '../numerics/exp.ts'
import { pathStream } from '../random/streams.ts'

/** A buyer: maximum budget and maximum price per token. */
export interface Bid {
  /** Quote atoms, above zero. */
  readonly budget: bigint
  /** Quote atoms per token atom, above zero. */
  readonly maximumPrice: Rat
  /** Seconds after the sale opens. */
  readonly atSeconds: number
}

/** Result of a sale: amounts, proceeds and price history. */
export interface Sale {
  /** Token atoms, rounded down for every buyer. */
  readonly sold: bigint
  /** Quote atoms that buyers paid, fees included, rounded up for every buyer. */
  readonly raised: bigint
  /** Bids that got anything. */
  readonly filled: number
  /** Whether the sale reached its minimum proceeds. If not, buyers are refunded. */
  readonly isSuccessful: boolean
  readonly path: readonly SalePoint[]
}

export interface SalePoint {
  readonly atSeconds: number
  /** Marginal or clearing price, quote atoms per token atom. */
  readonly price: Rat
  readonly sold: bigint
  readonly raised: bigint
}

/** Terms of a drawn demand. */
export interface DemandTerms {
  /** 32 bytes. */
  readonly seed: Uint8Array
  /** 1..500 */
  readonly bidders: number
  /** Quote atoms of all together. */
  readonly totalBudget: bigint
  /** Median of the maximum prices. */
  readonly medianPrice: Rat
  /** Standard deviation of the logarithm of the maximum prices, millionths. */
  readonly spreadPips: number
  /** Period of bid arrivals in seconds, uniformly distributed. */
  readonly windowSeconds: number
}

const MILLION = 1_000_000
const RATIO = 10n ** 12n

/**
 * Draws a demand. Valuations are lognormal about a median. Budgets are lognormal with a deviation
 * of one, scaled to their sum. Arrivals are uniform.
 *
 *     m_i = median·e^(s·Z_i),   b_i = ⌊B·e^(Z'_i)/Σ e^(Z'_j)⌋,   t_i = ⌊U_i·T⌋
 *
 * The same seed gives the same bids, in the order of their arrival.
 *
 * @throws RangeError for no bidder, or more than 500
 */
export function drawDemand(terms: DemandTerms): Bid[] {
  const { seed, bidders, totalBudget, medianPrice, spreadPips, windowSeconds } = terms
  if (!Number.isInteger(bidders) || bidders < 1 || bidders > 500) {
    throw new RangeError(`${bidders} bidders; expected 1..500`)
  }
  const stream = pathStream(seed, 0, 'launch-demand', false)
  const drawn = Array.from({ length: bidders }, () => ({
    ratio: BigInt(Math.max(1, Math.round(exp((spreadPips / MILLION) * stream.normal()) * 1e12))),
    weight: BigInt(Math.max(1, Math.round(exp(stream.normal()) * 1e12))),
    atSeconds: Math.floor(stream.uniform() * windowSeconds),
  }))
  const whole = drawn.reduce((sum, { weight }) => sum + weight, 0n)
  return drawn
    .map(({ ratio, weight, atSeconds }) => ({
      budget: (totalBudget * weight) / whole,
      maximumPrice: { num: medianPrice.num * ratio, den: medianPrice.den * RATIO },
      atSeconds,
    }))
    .filter(({ budget }) => budget > 0n)
    .sort((a, b) => a.atSeconds - b.atSeconds)
}

/** Bids in order of arrival; ties in the given order. */
export const inOrder = (bids: readonly Bid[]): Bid[] =>
  [...bids].sort((a, b) => a.atSeconds - b.atSeconds)

/** Whether a ≤ b. */
export const isAtMost = (a: Rat, b: Rat): boolean => a.num * b.den <= b.num * a.den
