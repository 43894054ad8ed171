import type { Orientation } from '../amm/market.ts'
import { MAX_TICK, MIN_TICK } from '../amm/v3/tick-math.ts'
import { Q96 } from '../arithmetic/integer.ts'
import type { TickRange } from '../montecarlo/market-session.ts'
import { ln } from '../numerics/ln.ts'
import type { RangeTemplate, TokenRole } from './definition.ts'
import { ticksBetweenPrices } from './range-edges.ts'

/** Where ranges are laid. */
export interface Place {
  /** √(token1/token0) of the pool, Q64.96: the price P that distances are measured from. */
  readonly sqrtPriceX96: bigint
  /** Current pool tick. At a boundary, the price alone does not determine the active range. */
  readonly tick: number
  readonly tickSpacing: number
  readonly orientation: Orientation
  /** Standard deviation of ln price per root of a second, over a window; null when it is not known. */
  readonly volatility: (windowSeconds: number) => number | null
}

/** Ticks per unit of ln price: 1 / ln 1.0001. */
export const TICKS_PER_LN = 10_000.499991666917
const MILLION = 1_000_000

/**
 * The ranges of a template at a price, from the price outwards; a ladder has several. Every edge is
 * rounded outwards to the spacing, so a range is never narrower than requested. RANGE uses exact
 * parts of the price; the others use ln of the price.
 *
 * @returns null if the width needs an unknown volatility
 * @throws RangeError for a template that is invalid at this price, such as ticks off the spacing
 */
export function layRanges(template: RangeTemplate, place: Place): TickRange[] | null {
  switch (template.kind) {
    case 'FULL_RANGE': {
      const { lowest, highest } = edgesOf(place)
      return [{ tickLower: lowest, tickUpper: highest }]
    }
    case 'TICKS':
      return [alignedTicks(template, place)]
    case 'RANGE':
      return [rangeAround(template, place)]
    case 'VOL_SCALED': {
      const { kMilli, horizonSeconds, volWindowSeconds } = template
      const sigma = place.volatility(volWindowSeconds)
      if (sigma === null) return null
      return [around((kMilli / 1000) * sigma * Math.sqrt(horizonSeconds) * TICKS_PER_LN, place)]
    }
    case 'SINGLE_SIDED': {
      const { side, offsetPips, widthPips } = template
      return [beside(side, offsetPips, offsetPips + widthPips, place)]
    }
    case 'LADDER':
      return joined(
        rungsOf(template).map(({ near, far }) => beside(template.side, near, far, place)),
      )
  }
}

/** How many positions a template makes. */
export function countOf(template: RangeTemplate): number {
  return template.kind === 'LADDER' ? template.count : 1
}

function rungsOf(ladder: Extract<RangeTemplate, { kind: 'LADDER' }>) {
  const rungs: { near: number; far: number }[] = []
  let near = ladder.firstOffsetPips
  let width = ladder.widthPips
  for (let index = 0; index < ladder.count; index++) {
    rungs.push({ near, far: near + width })
    near += width
    width *= 1 + ladder.growthPips / MILLION
  }
  return rungs
}

/** Rungs that begin where the one before ends, so that rounding outwards makes no price count twice. */
function joined(rungs: TickRange[]): TickRange[] {
  const chain: TickRange[] = []
  for (const rung of rungs) {
    const before = chain.at(-1)
    if (before === undefined) chain.push(rung)
    else if (rung.tickUpper > before.tickUpper) {
      chain.push(nonEmpty({ tickLower: before.tickUpper, tickUpper: rung.tickUpper }))
    } else chain.push(nonEmpty({ tickLower: rung.tickLower, tickUpper: before.tickLower }))
  }
  return chain
}

/**
 * The single definition of RANGE for positions, strategies and allocations: from P·(1 −
 * lowerPips/10⁶) to P·(1 + upperPips/10⁶), P the base price. Edges are rounded outwards to the
 * spacing; the width is at least one spacing.
 *
 * @throws LowerPipsError for a lower edge at or below zero
 * @throws RangeError if the price is at the end of all ticks
 */
export function rangeAround(
  { lowerPips, upperPips }: { lowerPips: number; upperPips: number },
  place: Pick<Place, 'sqrtPriceX96' | 'tickSpacing' | 'orientation'>,
): TickRange {
  const range = ticksBetweenPrices(place, lowerPips, upperPips)
  const { highest } = edgesOf(place)
  const atLeast = range.tickLower + place.tickSpacing
  return nonEmpty({ ...range, tickUpper: Math.min(highest, Math.max(range.tickUpper, atLeast)) })
}

/** A range of as many ticks on both sides of the price, widened to whole spacings. */
function around(ticks: number, place: Place): TickRange {
  const { tickSpacing } = place
  const { lowest, highest } = edgesOf(place)
  const tickLower = Math.max(lowest, floorTo(positionOf(place) - ticks, tickSpacing))
  const reached = ceilTo(positionOf(place) + ticks, tickSpacing)
  const tickUpper = Math.min(highest, Math.max(reached, tickLower + tickSpacing))
  return nonEmpty({ tickLower, tickUpper })
}

/** A range on one side of the price; its near edge leaves the price's own spacing free. */
function beside(side: TokenRole, near: number, far: number, place: Place): TickRange {
  const { tick, tickSpacing, orientation } = place
  const position = positionOf(place)
  const { lowest, highest } = edgesOf(place)
  // Token0 is sold above the tick, token1 below it.
  const isAbove = (side === 'BASE') === (orientation.base === 0)
  if (isAbove) {
    const free = floorTo(tick, tickSpacing) + tickSpacing
    const tickLower = Math.max(free, floorTo(position + ticksOf(near), tickSpacing))
    const tickUpper = Math.max(
      ceilTo(position + ticksOf(far), tickSpacing),
      tickLower + tickSpacing,
    )
    return nonEmpty({ tickLower, tickUpper: Math.min(highest, tickUpper) })
  }
  const free = floorTo(tick, tickSpacing)
  const tickUpper = Math.min(free, ceilTo(position - ticksOf(near), tickSpacing))
  const tickLower = Math.min(floorTo(position - ticksOf(far), tickSpacing), tickUpper - tickSpacing)
  return nonEmpty({ tickLower: Math.max(lowest, tickLower), tickUpper })
}

function alignedTicks(
  { lower, upper }: { lower: number; upper: number },
  { tickSpacing }: Place,
): TickRange {
  if (lower % tickSpacing !== 0 || upper % tickSpacing !== 0) {
    throw new RangeError(
      `ticks ${lower} and ${upper} are not multiples of the spacing ${tickSpacing}`,
    )
  }
  if (lower < MIN_TICK || upper > MAX_TICK) {
    throw new RangeError(`ticks ${lower} and ${upper} are not between ${MIN_TICK} and ${MAX_TICK}`)
  }
  return nonEmpty({ tickLower: lower, tickUpper: upper })
}

function nonEmpty(range: TickRange): TickRange {
  if (range.tickLower < range.tickUpper) return range
  throw new RangeError(`from tick ${range.tickLower} to ${range.tickUpper} there is no range`)
}

function edgesOf({ tickSpacing }: Pick<Place, 'tickSpacing'>): { lowest: number; highest: number } {
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  return { lowest: -highest, highest }
}

/** Fractional tick of the price. */
const positionOf = ({ sqrtPriceX96 }: Place) =>
  2 * TICKS_PER_LN * ln(Number(sqrtPriceX96) / Number(Q96))
const ticksOf = (pips: number) => (pips / MILLION) * TICKS_PER_LN
// Adding zero makes one of minus zero.
const floorTo = (tick: number, spacing: number) => Math.floor(tick / spacing) * spacing + 0
const ceilTo = (tick: number, spacing: number) => Math.ceil(tick / spacing) * spacing + 0
