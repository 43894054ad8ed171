import type { contract } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import {
  type DepthTarget,
  depthOfLiquidity,
  type Inventory,
  ladderDepth,
  liquidityForDepths,
  moved,
  orderBookInventory,
  scaleLadder,
  stableInventory,
  targetLadder,
  weightedDepth,
  weightedInventory,
  wholeCurveInventory,
} from '@liquidity-os/engine/capital'
import { mintedAmounts, sqrtPriceX96At, type TickBand, tickBand } from './range-bands.ts'

export type ShapeRequest = contract.CapitalRequirementInput['shapes'][number]
type Move = Pick<DepthTarget, 'side' | 'movePips'>
type Ranged = Extract<ShapeRequest['shape'], { tickSpacing: number }>

export interface Band extends TickBand {
  readonly liquidity: bigint
}

/** A shape that contributes its share to every target. */
export interface SolvedShape {
  readonly request: ShapeRequest
  readonly targets: readonly DepthTarget[]
  readonly inventory: Inventory
  /** Liquidity of a full-range constant product; else null. */
  readonly liquidity: bigint | null
  readonly bands: readonly Band[] | null
  readonly sqrtPriceX96: bigint | null
  readonly depthAt: (move: Move) => bigint
}

/** A range that ends before a target. */
export class RangeTooNarrowError extends Error {
  readonly target: DepthTarget

  constructor(target: DepthTarget) {
    super(`no band reaches ${target.movePips} pips on side ${target.side}`)
    this.target = target
  }
}

const million = 1_000_000n
const probe = 10n ** 24n

/**
 * Smallest inventory of a shape that meets its targets, rounded up.
 *
 * @param targets net of other liquidity, already the share of the shape
 * @param orientation token index in a pool; used only for shapes with ranges
 * @throws RangeTooNarrowError, PoolRevertError, RangeError for targets that the shape cannot meet
 * at any size
 */
export function solveShape(
  request: ShapeRequest,
  price: Rat,
  targets: readonly DepthTarget[],
  orientation: Orientation,
): SolvedShape {
  const { shape } = request
  const found = { request, targets, liquidity: null, bands: null, sqrtPriceX96: null }
  switch (shape.kind) {
    case 'V2': {
      const liquidity = liquidityForDepths(price, targets)
      const depthAt = (move: Move) => depthOfLiquidity(price, liquidity, move)
      return { ...found, liquidity, inventory: wholeCurveInventory(price, liquidity), depthAt }
    }
    case 'V3_RANGE':
    case 'V3_LADDER':
    case 'V3_TARGET_LADDER': {
      const bands = solveBands(shape, price, targets, orientation)
      const sqrtPriceX96 = sqrtPriceX96At(price, orientation)
      const place = { sqrtPriceX96, tickSpacing: shape.tickSpacing, orientation }
      const depthAt = (move: Move) => ladderDepth(price, bands, move)
      return { ...found, bands, sqrtPriceX96, inventory: mintedAmounts(bands, place), depthAt }
    }
    case 'WEIGHTED': {
      const inventory = weightedInventory(price, targets, shape.tokenWeightPips)
      const depthAt = (move: Move) => weightedDepth(inventory.quote, move, shape.tokenWeightPips)
      return { ...found, inventory, depthAt }
    }
    case 'STABLESWAP': {
      const inventory = stableInventory(price, targets, shape.amplification)
      const depthAt = (move: Move) => stableDepth(price, inventory, move, shape.amplification)
      return { ...found, inventory, depthAt }
    }
    case 'ORDER_BOOK': {
      const inventory = orderBookInventory(price, targets, shape.inventoryMultiplePips)
      // Orders exist only at the targets.
      const depthAt = ({ side, movePips }: Move) =>
        targets
          .filter((target) => target.side === side && target.movePips <= movePips)
          .reduce((max, { depthQuote }) => (depthQuote > max ? depthQuote : max), 0n)
      return { ...found, inventory, depthAt }
    }
  }
}

function solveBands(
  shape: Ranged,
  price: Rat,
  targets: readonly DepthTarget[],
  orientation: Orientation,
): Band[] {
  const { tickSpacing } = shape
  if (shape.kind === 'V3_TARGET_LADDER') {
    return targetLadder(price, targets).map(({ liquidity, ...edges }) => ({
      ...tickBand(edges, tickSpacing, orientation),
      liquidity,
    }))
  }
  const requested =
    shape.kind === 'V3_RANGE'
      ? [{ fromMovePips: -shape.lowerMovePips, toMovePips: shape.upperMovePips, weightPips: 1 }]
      : shape.bands
  const bands = requested.map(({ fromMovePips, toMovePips, weightPips }) => {
    const edges = { lower: movedBy(price, fromMovePips), upper: movedBy(price, toMovePips) }
    return { ...tickBand(edges, tickSpacing, orientation), weightPips }
  })
  for (const target of targets) {
    const end = moved(price, target.side, target.movePips)
    const isReached = bands.some(({ lower, upper }) => !isBelow(end, lower) && !isBelow(upper, end))
    if (!isReached) throw new RangeTooNarrowError(target)
  }
  const scaled = scaleLadder(price, bands, targets)
  return bands.map((band, index) => ({ ...band, liquidity: scaled[index]!.liquidity }))
}

const isBelow = (a: Rat, b: Rat) => a.num * b.den < b.num * a.den
const movedBy = ({ num, den }: Rat, movePips: number): Rat => ({
  num: num * (million + BigInt(movePips)),
  den: den * million,
})

/** The curve is homogeneous, so the inventory for a probe scales to any depth, rounded down. */
function stableDepth(price: Rat, { quote }: Inventory, move: Move, amplification: number): bigint {
  const needed = stableInventory(price, [{ ...move, depthQuote: probe }], amplification).quote
  return (quote * probe) / needed
}
