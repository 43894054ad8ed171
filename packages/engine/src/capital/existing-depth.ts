import type { Market, Orientation } from '../amm/market.ts'
import { type Depth, depthLadder, depthNetOfFee } from '../depth/depth-ladder.ts'
import { OwnDepth } from '../study/own-depth.ts'
import type { DepthTarget } from './move.ts'

const MILLION = 1_000_000n
const X10_OF_PIP = 10_000n

/** An observed market, with the issuer's own liquidity in it. */
export interface ObservedMarket {
  readonly market: Market
  readonly orientation: Orientation
  /** Taken off what a purchase pays, as targets are net of fee. */
  readonly feePips: number
  /** Positions in a v3 market that are not others'; none by default. */
  readonly own?: readonly {
    readonly tickLower: number
    readonly tickUpper: number
    readonly liquidity: bigint
  }[]
}

/** A target, the assumed depth of others, and the remaining depth to provide. */
export interface NetTarget {
  readonly gross: DepthTarget
  readonly existingQuote: bigint
  /** Absent where others give enough. */
  readonly net: DepthTarget | null
}

/**
 * Targets less the depth of others that is assumed to stay. Each market is moved from its own price; depth is
 * rounded down, so that never too little is left to provide. The issuer's own positions do not count.
 *
 * @param persistencePips share of others' liquidity that stays, default 500,000
 * @throws RangeError for a share outside 0..1,000,000
 */
export function netTargets(
  targets: readonly DepthTarget[],
  markets: readonly ObservedMarket[],
  persistencePips = 500_000,
): NetTarget[] {
  if (!Number.isInteger(persistencePips) || persistencePips < 0 || persistencePips > 1_000_000) {
    throw new RangeError(
      `a share of ${persistencePips} pips; expected a whole number in 0..1000000`,
    )
  }
  return targets.map((gross) => {
    const others = markets.reduce((sum, observed) => sum + depthOfOthers(observed, gross), 0n)
    const existingQuote = (others * BigInt(persistencePips)) / MILLION
    const left = gross.depthQuote - existingQuote
    return { gross, existingQuote, net: left > 0n ? { ...gross, depthQuote: left } : null }
  })
}

function depthOfOthers(
  { market, orientation, feePips, own = [] }: ObservedMarket,
  { side, movePips }: DepthTarget,
): bigint {
  const find = (ladder: readonly Depth[]) =>
    ladder.find((depth) => depth.side === side)?.quote ?? 0n
  let quote = find(depthLadder(market, orientation, [movePips]))
  if (market.kind === 'UNISWAP_V3' && own.length > 0) {
    quote -= find(new OwnDepth(market, orientation, [movePips]).measure(market, own))
  }
  if (quote <= 0n) return 0n
  return depthNetOfFee({ side, quote }, BigInt(feePips) * X10_OF_PIP)
}

/** Depth on the way from the price to a move: bought above it, sold below it. */
export interface DepthCurvePoint {
  /** −400,000..400,000 */
  readonly movePips: number
  readonly buyDepthQuote: bigint
  readonly sellDepthQuote: bigint
}

/**
 * Depth by price move, in 81 points of 1 % from −40 % to +40 %.
 *
 * @param depthAt planned depth, summed over all shapes
 */
export function depthCurve(
  depthAt: (target: Pick<DepthTarget, 'side' | 'movePips'>) => bigint,
): DepthCurvePoint[] {
  return Array.from({ length: 81 }, (_, place) => {
    const movePips = (place - 40) * 10_000
    return {
      movePips,
      buyDepthQuote: movePips > 0 ? depthAt({ side: 'BUY', movePips }) : 0n,
      sellDepthQuote: movePips < 0 ? depthAt({ side: 'SELL', movePips: -movePips }) : 0n,
    }
  })
}
