import {
  depthIn,
  largestWithin,
  type PlacedRange,
  placementOf,
  slippageOver,
  withLiquidity,
} from '@liquidity-os/engine/allocation'
import type { PoolMarket } from '@liquidity-os/engine/amm'
import type { Problem, ProblemTarget } from './problem.ts'
import { dust } from './solve-plan.ts'

/** An allocation executed in copies of the pools, with quotes for all targets. */
export interface Verified {
  /** Value per option in quote atoms. */
  values: readonly bigint[]
  placements: readonly (readonly PlacedRange[])[]
  /** All venues of the pair afterwards. */
  markets: readonly PoolMarket[]
  quotes: readonly TargetQuote[]
}

export interface TargetQuote {
  /** Depth in the band. For a size target, the largest trade within the slippage. */
  exactQuote: bigint
  /** Cost of the trade, for a size target. */
  slippagePips: number | null
}

/**
 * Mints the positions of the given values, and quotes all targets exactly.
 *
 * @param amounts units per option
 */
export function verify(problem: Problem, amounts: readonly number[]): Verified {
  const { options, venues, orientation, price, budget } = problem
  let values = amounts.map((amount, v) => atomsOf(problem, amount, options[v]?.existingQuote ?? 0n))
  const place = () =>
    options.map(({ venue, ranges, existingQuote, existing }, v) => {
      // Unchanged positions stay exactly equal, so that rounding causes no mint or burn.
      if (values[v] === existingQuote) return existing
      return placementOf(venues[venue]!.market, orientation, ranges, values[v]!, price)
    })
  let placements = place()
  // Minting rounds up and may need a few atoms more than available.
  for (let round = 0; round < 8 && passes(placements, budget); round += 1) {
    values = values.map((value) => value - value / 1_000_000n - (value > 64n ? 64n : 0n))
    placements = place()
  }
  const markets = venues.map(({ market }, number) =>
    options.reduce(
      (open, option, v) =>
        option.venue === number ? changed(open, option.existing, placements[v] ?? []) : open,
      market,
    ),
  )
  const quotes = problem.targets.map((target) => quoteTarget(problem, markets, target))
  return { values, placements, markets, quotes }
}

/**
 * Quote atoms, rounded down by more than the float error. An unchanged value stays exactly equal.
 */
function atomsOf({ unit }: Problem, amount: number, existing: bigint): bigint {
  if (Math.abs(amount - Number(existing) / unit) < dust) return existing
  return amount < dust ? 0n : BigInt(Math.floor(amount * unit * (1 - 1e-12)))
}

function passes(
  placements: readonly (readonly PlacedRange[])[],
  { base, quote }: { base: bigint; quote: bigint },
): boolean {
  const parts = placements.flat()
  return (
    parts.reduce((sum, part) => sum + part.base, 0n) > base ||
    parts.reduce((sum, part) => sum + part.quote, 0n) > quote
  )
}

/** Market with a new placement instead of the old one. */
function changed(
  market: PoolMarket,
  before: readonly PlacedRange[],
  after: readonly PlacedRange[],
): PoolMarket {
  return after.reduce(
    (open, { range, liquidity }, index) =>
      withLiquidity(open, range, liquidity - (before[index]?.liquidity ?? 0n)),
    market,
  )
}

/** Quotes a target on markets. */
export function quoteTarget(
  { orientation, mid: price }: Pick<Problem, 'orientation' | 'mid'>,
  markets: readonly PoolMarket[],
  { target }: ProblemTarget,
): TargetQuote {
  if (target.kind === 'DEPTH') {
    const { bandPips, side } = target
    const exactQuote = markets.reduce(
      (sum, market) => sum + depthIn(market, orientation, bandPips, side),
      0n,
    )
    return { exactQuote, slippagePips: null }
  }
  const within = largestWithin(markets, orientation, { ...target, price })
  return {
    exactQuote: within?.sizeQuote ?? 0n,
    slippagePips: slippageOver(markets, orientation, { ...target, price }),
  }
}

/** The share of a target that is met, pips, rounded down. */
export function attainmentPips(
  { wantedQuote }: ProblemTarget,
  { exactQuote }: TargetQuote,
): number {
  const pips = (exactQuote * 1_000_000n) / wantedQuote
  return pips > 1_000_000n ? 1_000_000 : Number(pips)
}
