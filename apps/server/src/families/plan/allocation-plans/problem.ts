import {
  type AllocationTarget,
  activeLiquidity,
  commonMidOf,
  depthIn,
  isActive,
  NotThereError,
  type PlacedRange,
  placementOf,
  withLiquidity,
} from '@liquidity-os/engine/allocation'
import {
  midPrice,
  type Orientation,
  type PoolMarket,
  PoolRevertError,
} from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { quoteValue } from '@liquidity-os/engine/depth'
import { layRanges } from '@liquidity-os/engine/strategy'
import { parseExact } from '../../../market/exact-json.ts'
import { orientationOf } from '../../../market/inline-market.ts'
import {
  type AllocationInput,
  type AllocationRequest,
  type AllocationVenue,
  optionInvalid,
} from './allocation-input.ts'

export type Range = PlacedRange['range']

/** A venue with its market opened. */
export interface ProblemVenue extends AllocationVenue {
  market: PoolMarket
}

/** An option placed on its venue. */
export interface ProblemOption {
  optionId: string
  /** Number of its venue. */
  venue: number
  ranges: readonly Range[]
  maxQuote: bigint | null
  /** Existing value and liquidity by range. */
  existingQuote: bigint
  existing: readonly PlacedRange[]
  /** Market with the whole budget in this option, and the resulting value. */
  reference: PoolMarket
  referenceQuote: bigint
  baseShare: number
  /** Its active liquidity per unit relative to all other active liquidity, by range. */
  activeWeights: readonly number[]
}

/** A target, with its field path. */
export interface ProblemTarget {
  field: string
  stated: AllocationPlanTarget
  target: AllocationTarget
  wantedQuote: bigint
}
type AllocationPlanTarget =
  | AllocationRequest['targets'][number]
  | NonNullable<AllocationRequest['sizeTargets']>[number]

/** A request with opened markets and placed options. */
export interface Problem {
  request: AllocationRequest
  orientation: Orientation
  /** Quote per base at the deepest venue; the valuation price. */
  price: Rat
  /** Combined mid price of all venues before the plan; reference for slippage. */
  mid: Rat
  venues: readonly ProblemVenue[]
  options: readonly ProblemOption[]
  targets: readonly ProblemTarget[]
  budget: { base: bigint; quote: bigint; worth: bigint }
  /** Quote atoms per unit; the budget has 1,000 units. */
  unit: number
}

const unitsOfBudget = 1000
/** Depth band for comparing venues. */
const comparedBandPips = 20_000

/**
 * Opens the markets and places the options on them.
 *
 * @throws AllocationRefusal 422 for an option that the venue cannot support
 */
export function readProblem({ request, venues: sealed }: AllocationInput): Problem {
  const orientation = orientationOf(request.pair)
  const venues = sealed.map((venue) => ({ ...venue, market: openMarket(venue.state) }))
  const price = priceOf(venues, orientation)
  const base = BigInt(request.budget.base)
  const quote = BigInt(request.budget.quote)
  const budget = { base, quote, worth: quoteValue(base, price) + quote }
  if (budget.worth < BigInt(unitsOfBudget)) {
    throw optionInvalid(
      'payload.budget',
      `must be large enough to allocate, got a value of ${budget.worth} quote atoms`,
    )
  }
  const context = { request, venues, orientation, price, budget }
  const laid = request.options.map((_, index) => optionOf(index, context))
  const unit = Number(budget.worth) / unitsOfBudget
  const options = laid.map((option) => ({
    ...option,
    activeWeights: weightsOf(option, laid, venues, unit),
  }))
  return {
    request,
    orientation,
    price,
    venues,
    options,
    budget,
    mid: commonMidOf(
      venues.map(({ market }) => market),
      orientation,
    ),
    targets: targetsOf(request),
    unit,
  }
}

function openMarket(state: Uint8Array): PoolMarket {
  const market = parseExact(new TextDecoder().decode(state)) as PoolMarket
  // Unknown balances disable transfer checks, because only the price matters here.
  return market.kind === 'UNISWAP_V3' ? { ...market, balance0: null, balance1: null } : market
}

/** The price of the venue with the most depth on its thinner side. */
function priceOf(venues: readonly ProblemVenue[], o: Orientation): Rat {
  const depth = ({ market }: ProblemVenue) => {
    const buy = depthIn(market, o, comparedBandPips, 'BUY')
    const sell = depthIn(market, o, comparedBandPips, 'SELL')
    return buy < sell ? buy : sell
  }
  const [deepest] = venues
    .map((venue) => ({ venue, depth: depth(venue) }))
    .sort((a, b) => (a.depth === b.depth ? 0 : a.depth < b.depth ? 1 : -1))
  if (!deepest) throw new Error('The plan has no venue.')
  return midPrice(deepest.venue.market, o)
}

type OptionContext = Pick<Problem, 'request' | 'venues' | 'orientation' | 'price' | 'budget'>

/** An option before the other liquidity of its venue is known. */
type LaidOption = Omit<ProblemOption, 'activeWeights'> & { whole: readonly PlacedRange[] }

function optionOf(index: number, context: OptionContext): LaidOption {
  const { request, venues, orientation, price, budget } = context
  const stated = request.options[index]
  const number = venues.findIndex(({ id }) => id === stated?.venue.id)
  const venue = venues[number]
  if (!stated || !venue) throw new Error('An option has no venue.')
  const at = `payload.options.${index}`
  const ranges = rangesOf(stated, at, venue, orientation)
  const maxQuote = stated.maxQuote === undefined ? null : BigInt(stated.maxQuote)
  const put = (valueQuote: bigint) =>
    placementOf(venue.market, orientation, ranges, valueQuote, price)
  const existingQuote = BigInt(
    request.existing?.find(({ optionId }) => optionId === stated.optionId)?.valueQuote ?? '0',
  )
  const existing = put(existingQuote).map((part) => foundIn(venue.market, part, at))
  const whole = put(budget.worth)
  const worth = (part: readonly PlacedRange[]) =>
    part.reduce((sum, { base, quote }) => sum + quoteValue(base, price) + quote, 0n)
  const referenceQuote = worth(whole)
  if (whole.some(({ liquidity }) => liquidity === 0n)) {
    throw optionInvalid(
      `${at}.template`,
      'must be narrower or closer: the budget gives no liquidity in this range',
    )
  }
  const inBase = whole.reduce((sum, { base }) => sum + quoteValue(base, price), 0n)
  return {
    optionId: stated.optionId,
    venue: number,
    ranges,
    maxQuote,
    existingQuote,
    existing,
    whole,
    reference: placed(venue.market, whole, at),
    referenceQuote,
    baseShare: Number(inBase) / Number(referenceQuote),
  }
}

/**
 * Active liquidity per unit of the option, relative to all other active liquidity in the venue. Own
 * options do not count as other liquidity. The minimum of 1 avoids a division by zero.
 */
function weightsOf(
  option: LaidOption,
  all: readonly LaidOption[],
  venues: readonly ProblemVenue[],
  unit: number,
): number[] {
  const market = venues[option.venue]?.market
  if (!market) throw new Error('An option has no venue.')
  const own = all
    .filter(({ venue }) => venue === option.venue)
    .flatMap(({ existing }) => existing.filter(({ range }) => isActive(market, range)))
    .reduce((sum, { liquidity }) => sum + liquidity, 0n)
  const others = activeLiquidity(market) - own
  const atLeastOne = Number(others > 0n ? others : 1n)
  return option.whole.map(({ range, liquidity }) =>
    isActive(market, range)
      ? (Number(liquidity) / atLeastOne) * (unit / Number(option.referenceQuote))
      : 0,
  )
}

function placed(market: PoolMarket, parts: readonly PlacedRange[], at: string): PoolMarket {
  try {
    return parts.reduce(
      (open, { range, liquidity }) => withLiquidity(open, range, liquidity),
      market,
    )
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    throw optionInvalid(`${at}.template`, `must be valid in the pool: ${error.message}`)
  }
}

function rangesOf(
  { template }: AllocationRequest['options'][number],
  at: string,
  { market, volatility }: ProblemVenue,
  orientation: Orientation,
): readonly Range[] {
  const field = `${at}.template`
  if (market.kind === 'UNISWAP_V2') {
    if (template.kind === 'FULL_RANGE') return [{ tickLower: 0, tickUpper: 0 }]
    throw optionInvalid(field, 'must be FULL_RANGE: a UNISWAP_V2 pair has no ranges')
  }
  const { sqrtPriceX96, tick, tickSpacing } = market
  try {
    const ranges = layRanges(template, {
      sqrtPriceX96,
      tick,
      tickSpacing,
      orientation,
      volatility: () => volatility,
    })
    if (ranges) return ranges
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw optionInvalid(field, error.message)
  }
  throw optionInvalid(field, 'requires a volatility: the observation is too short for an estimate')
}

function targetsOf({ targets, sizeTargets = [] }: AllocationRequest): ProblemTarget[] {
  return [
    ...targets.map((statement, index): ProblemTarget => {
      const { bandPips, side, minQuote } = statement
      const target = { kind: 'DEPTH', bandPips, side } as const
      return {
        field: `targets.${index}.minQuote`,
        stated: statement,
        target,
        wantedQuote: BigInt(minQuote),
      }
    }),
    ...sizeTargets.map((statedValue, index): ProblemTarget => {
      const { side, maxSlippagePips } = statedValue
      const sizeQuote = BigInt(statedValue.sizeQuote)
      const target = { kind: 'SIZE', sizeQuote, side, maxSlippagePips } as const
      const field = `sizeTargets.${index}.sizeQuote`
      return { field, stated: statedValue, target, wantedQuote: sizeQuote }
    }),
  ]
}

/**
 * Divisor of the tolerance (1 %) for a stated position above the actual one, because its value was
 * read at another price.
 */
const misjudged = 100n

/**
 * A position in the form of the pool.
 *
 * @throws AllocationRefusal 422 if the pool cannot hold the amount
 */
function foundIn(market: PoolMarket, part: PlacedRange, at: string): PlacedRange {
  try {
    withLiquidity(market, part.range, -part.liquidity)
    return part
  } catch (error) {
    if (!(error instanceof NotThereError)) throw error
    const isClose = error.there + error.there / misjudged >= part.liquidity
    if (isClose) return { ...part, liquidity: error.there }
    throw optionInvalid(at, `must not exceed the liquidity in the pool: ${error.message}`)
  }
}
