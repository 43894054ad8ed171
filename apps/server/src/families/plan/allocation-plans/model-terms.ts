import {
  type AllocationTerms,
  type CostLimit,
  depthIn,
  largestWithin,
  type SizeWithin,
  sizeShare,
} from '@liquidity-os/engine/allocation'
import type { PoolMarket } from '@liquidity-os/engine/amm'
import { daySeconds } from '../../../units.ts'
import { allocationDefaults, optionInvalid, targetInvalid } from './allocation-input.ts'
import type { Problem } from './problem.ts'
import type { OptionOutlook } from './risk.ts'
import { attainmentSlack } from './solve-plan.ts'

/** Linear model of a target: depth per unit of every option, and existing depth. */
export interface LinearTarget {
  present: number
  depth: readonly number[]
}

/**
 * Linearized targets. Depth is already linear; a size is linearized at the final rate of its trade.
 */
export function linearTargets(problem: Problem): LinearTarget[] {
  const { venues, options } = problem
  const markets = venues.map(({ market }) => market)
  return problem.targets.map((target) => {
    if (target.target.kind === 'DEPTH') return linearDepth(problem, target.target)
    const limit = { ...target.target, price: problem.mid }
    // Without existing liquidity, the rate assumes the whole budget in each option.
    const references = options.map(({ reference }) => reference)
    const found =
      largestWithin(markets, problem.orientation, limit) ??
      largestWithin([...markets, ...references], problem.orientation, limit)
    if (found) return linearSize(problem, limit, found.rate)
    const field = target.field.replace('sizeQuote', 'maxSlippagePips')
    throw targetInvalid(
      `payload.${field}`,
      'must be at least the price and fee cost in one venue at any depth',
    )
  })
}

/** Repeats the linearization of sizes at the final rate in markets with the minted allocation. */
export function relinearized(
  problem: Problem,
  before: readonly LinearTarget[],
  markets: readonly PoolMarket[],
): LinearTarget[] {
  return problem.targets.map((target, index) => {
    const previous = before[index]
    if (!previous) throw new Error('A target has no linear form.')
    if (target.target.kind === 'DEPTH') return previous
    const limit = { ...target.target, price: problem.mid }
    const found = largestWithin(markets, problem.orientation, limit)
    return found ? linearSize(problem, limit, found.rate) : previous
  })
}

function linearDepth(
  problem: Problem,
  { bandPips, side }: { bandPips: number; side: 'BUY' | 'SELL' },
): LinearTarget {
  return linear(problem, (market) => depthIn(market, problem.orientation, bandPips, side))
}

function linearSize(problem: Problem, limit: CostLimit, rate: SizeWithin['rate']): LinearTarget {
  return linear(problem, (market) => sizeShare(market, problem.orientation, limit, rate))
}

/**
 * Exact at the whole budget and linear in between, because the reference price of depth is
 * constant.
 */
function linear(problem: Problem, measure: (market: PoolMarket) => bigint): LinearTarget {
  const { venues, options, unit } = problem
  const before = venues.map(({ market }) => measure(market))
  return {
    present: Number(before.reduce((sum, depth) => sum + depth, 0n)) / unit,
    depth: options.map(({ venue, reference, referenceQuote }) => {
      const gained = measure(reference) - (before[venue] ?? 0n)
      return Number(gained) / Number(referenceQuote)
    }),
  }
}

/** Fees of every venue over the horizon, units; empty unless they and all losses are known. */
function venueFeesOf(problem: Problem, outlook: readonly OptionOutlook[]): number[] {
  const { venues, options, request, unit } = problem
  const used = new Set(options.map(({ venue }) => venue))
  const isKnown =
    [...used].every((venue) => venues[venue]?.feesQuotePerDay !== null) &&
    outlook.every(({ meanLoss }) => meanLoss !== null)
  if (!isKnown) return []
  return venues.map(({ feesQuotePerDay }, venue) =>
    used.has(venue)
      ? (Number(feesQuotePerDay ?? 0n) * request.horizonSeconds) / daySeconds / unit
      : 0,
  )
}

const budgetUnits = 1000
/** Limits above this value have no effect; a solver treats very large numbers as infinite. */
const beyond = 100 * budgetUnits
/** Upper bound of a reasonable target, in multiples of the budget. */
const maxRequested = 1e9

/** @throws AllocationRefusal 422 for values out of proportion to the budget */
function requireProportion({ targets, options, budget }: Problem): void {
  for (const { field, wantedQuote } of targets) {
    if (Number(wantedQuote) <= maxRequested * Number(budget.worth)) continue
    throw targetInvalid(`payload.${field}`, `must be at most ${maxRequested} times the budget`)
  }
  const existing = options.reduce((sum, { existingQuote }) => sum + existingQuote, 0n)
  if (existing <= 2n * budget.worth) return
  throw optionInvalid('payload.existing', 'must be at most twice the budget, which includes it')
}

/** Margin inside a value limit that exceeds the solver's tolerance. */
const below = 1 - 1e-9

/** The terms of the model before any verification round. */
export function termsOf(
  problem: Problem,
  outlook: readonly OptionOutlook[],
  targets: readonly LinearTarget[],
): AllocationTerms {
  requireProportion(problem)
  const { request, options, venues, budget, unit } = problem
  const { limits } = request
  const units = (atoms: bigint | string) => Number(atoms) / unit
  const base = (Number(budget.worth - budget.quote) / unit) * (1 - roundingShare(problem, 'base'))
  const quote = units(budget.quote) * (1 - roundingShare(problem, 'quote'))
  return {
    options: options.map((option, v) => ({
      venue: option.venue,
      baseShare: option.baseShare,
      depth: targets.map(({ depth }) => depth[v] ?? 0),
      most: Math.min(
        budgetUnits,
        option.maxQuote === null ? budgetUnits : units(option.maxQuote) * below,
      ),
      existing: units(option.existingQuote),
      feeWeight: outlook[v]?.feeWeight ?? 0,
      loss: outlook[v]?.meanLoss ?? 0,
    })),
    targets: problem.targets.map(({ wantedQuote }, b) => ({
      wanted: units(wantedQuote),
      present: presentOf(problem, targets[b], units(wantedQuote)),
      // Covers the slack that the next solve concedes on a proven optimum, plus the same for
      // rounding to atoms.
      tightened: 2 * attainmentSlack * units(wantedQuote),
    })),
    budget: { base, quote },
    perOption: limits.perOptionPips / 1_000_000,
    perVenue: limits.perVenuePips / 1_000_000,
    perChain: limits.perChainPips / 1_000_000,
    turnover:
      limits.turnoverQuote === undefined
        ? null
        : Math.min(beyond, units(limits.turnoverQuote) * below),
    leastPosition:
      limits.minPositionQuote === undefined
        ? null
        : Math.min(beyond, units(limits.minPositionQuote) / below),
    mostPositions: limits.maxPositions ?? null,
    venueMost: venues.map(({ maxCapitalQuote }) =>
      maxCapitalQuote === null ? null : Math.min(beyond, units(maxCapitalQuote) * below),
    ),
    cuts: [],
    venueFees: venueFeesOf(problem, outlook),
    open: null,
  }
}

/**
 * Existing depth, capped. More than twice the target beyond own positions cannot matter, and an
 * uncapped large pool would exceed float precision.
 */
function presentOf({ options, unit }: Problem, target: LinearTarget | undefined, wanted: number) {
  const own = options.reduce(
    (sum, { existingQuote }, v) => sum + (Number(existingQuote) / unit) * (target?.depth[v] ?? 0),
    0,
  )
  return Math.min(target?.present ?? 0, 2 * wanted + own)
}

/**
 * Minting may need up to one more atom per range, which is significant for tokens with few
 * decimals.
 */
function roundingShare({ options, budget }: Problem, side: 'base' | 'quote'): number {
  const ranges = options.reduce((sum, option) => sum + option.ranges.length, 0)
  const share = Number(budget[side]) === 0 ? 0 : ranges / Number(budget[side])
  return Math.min(1, share + 1e-12)
}

/** Tolerated shortfall of a target, as a share of the target. */
export const toleranceOf = ({ request }: Problem) =>
  (request.toleranceBps ?? allocationDefaults.toleranceBps) / 10_000
