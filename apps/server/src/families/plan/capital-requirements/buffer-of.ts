import type { Rat } from '@liquidity-os/engine/arithmetic'
import { bufferNeed } from '@liquidity-os/engine/capital'
import { power } from '@liquidity-os/engine/numerics'
import type { SolvedShape } from './solve-shape.ts'

export interface BufferTerms {
  readonly annualVolatility: number
  readonly horizonDays: number
  readonly confidence: number
  /** Expected net outflow of quote over the horizon, rounded up. */
  readonly flowQuote: bigint
}

export interface Buffer {
  readonly priceQuote: bigint
  readonly priceToken: bigint
  readonly shortfallQuote: bigint
  readonly shortfallToken: bigint
  readonly flowQuote: bigint
  readonly quote: bigint
  readonly token: bigint
  /** Shapes whose buffer is bounded by their whole inventory on a side. */
  readonly bounded: readonly string[]
}

/** Atoms of a statistic, rounded up. */
const atomsOf = (value: number) => BigInt(Math.ceil(value))

/**
 * Buffer that preserves the targets after an adverse move within the horizon. At the moved price, a
 * shape of the same targets needs the same quote, and tokens in inverse proportion to the price.
 * The inventory is then short on the side that was sold. The quantile of the need follows from that
 * of the move, because both increase together.
 */
export function bufferOf(solved: readonly SolvedShape[], price: Rat, terms: BufferTerms): Buffer {
  const { annualVolatility, horizonDays, confidence, flowQuote } = terms
  const holdings = solved.map((shape) => holdingOf(shape, Number(price.num) / Number(price.den)))
  const sum = (of: (itemIndex: number) => number) =>
    holdings.reduce((all, _, index) => all + of(index), 0)
  const needOf = (direction: 'FALL' | 'RISE') =>
    bufferNeed(
      (ratio) =>
        direction === 'FALL'
          ? sum((place) => holdings[place]!.quote0 - holdings[place]!.quoteAt(ratio))
          : sum((place) => holdings[place]!.token0 / ratio - holdings[place]!.tokenAt(ratio)),
      direction,
      { annualVolatility, years: horizonDays / 365, confidence },
    )
  const [fall, rise] = [needOf('FALL'), needOf('RISE')]
  const [priceQuote, priceToken] = [atomsOf(fall.atQuantile), atomsOf(rise.atQuantile)]
  return {
    priceQuote,
    priceToken,
    flowQuote,
    shortfallQuote: atomsOf(fall.expectedShortfall),
    shortfallToken: atomsOf(rise.expectedShortfall),
    quote: priceQuote > flowQuote ? priceQuote : flowQuote,
    token: priceToken,
    bounded: holdings.flatMap(({ isBounded }, index) =>
      isBounded ? [solved[index]!.request.shapeId] : [],
    ),
  }
}

/** Inventory of a shape after a price move by a ratio, in atoms as floats. */
interface Holding {
  readonly quote0: number
  readonly token0: number
  readonly quoteAt: (ratio: number) => number
  readonly tokenAt: (ratio: number) => number
  readonly isBounded: boolean
}

function holdingOf({ request, inventory, liquidity, bands }: SolvedShape, price: number): Holding {
  const [quote0, token0] = [Number(inventory.quote), Number(inventory.token)]
  const { shape } = request
  if (liquidity !== null) {
    return {
      quote0,
      token0,
      isBounded: false,
      quoteAt: (ratio) => quote0 * Math.sqrt(ratio),
      tokenAt: (ratio) => token0 / Math.sqrt(ratio),
    }
  }
  if (bands !== null) {
    const edges = bands.map(({ lower, upper, liquidity: amount }) => ({
      low: Math.sqrt(Number(lower.num) / Number(lower.den)),
      high: Math.sqrt(Number(upper.num) / Number(upper.den)),
      amount: Number(amount),
    }))
    const within = (root: number, { low, high }: (typeof edges)[number]) =>
      Math.min(Math.max(root, low), high)
    return {
      quote0,
      token0,
      isBounded: false,
      quoteAt: (ratio) =>
        edges.reduce((all, edge) => {
          const root = within(Math.sqrt(price * ratio), edge)
          return all + edge.amount * (root - edge.low)
        }, 0),
      tokenAt: (ratio) =>
        edges.reduce((all, edge) => {
          const root = within(Math.sqrt(price * ratio), edge)
          return all + edge.amount * (1 / root - 1 / edge.high)
        }, 0),
    }
  }
  if (shape.kind === 'WEIGHTED') {
    const weight = shape.tokenWeightPips / 1e6
    return {
      quote0,
      token0,
      isBounded: false,
      quoteAt: (ratio) => quote0 * power(ratio, weight),
      tokenAt: (ratio) => token0 * power(ratio, weight - 1),
    }
  }
  // Far from its peg, a StableSwap pool contains one coin only, and executed orders are gone.
  return { quote0, token0, isBounded: true, quoteAt: () => 0, tokenAt: () => 0 }
}
