import type { Orientation } from '../amm/market.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { depthLadder } from '../depth/depth-ladder.ts'

/** Why depth changed: others' liquidity, or the price that moved along it. The two add up to the change. */
export interface DepthCause {
  readonly before: bigint
  readonly after: bigint
  /** Part of the change that liquidity taken out, or put in, made; below zero it fell. */
  readonly liquidity: bigint
  /** Part that the price made. */
  readonly price: bigint
}

/**
 * Splits a change of two-sided depth exactly into price and liquidity (Shapley). It quotes the old
 * liquidity at the new price and the new liquidity at the old price. Each cause gets the mean of
 * both orders. An odd atom goes to the price.
 *
 * @see Shapley, “A value for n-person games” (1953)
 */
export function splitDepthChange(
  before: ClmmState,
  after: ClmmState,
  o: Orientation,
  bandPips: number,
): DepthCause {
  const depth = (liquidity: ClmmState, price: ClmmState) =>
    twoSided(atPriceOf(liquidity, price), o, bandPips)
  const [old, now] = [depth(before, before), depth(after, after)]
  const movedOnly = depth(before, after)
  const changedOnly = depth(after, before)
  const liquidity = (changedOnly - old + (now - movedOnly)) / 2n
  return { before: old, after: now, liquidity, price: now - old - liquidity }
}

/** A pool's liquidity at the price of another of its states. */
function atPriceOf(liquidity: ClmmState, price: ClmmState): ClmmState {
  let inRange = 0n
  for (const { index, liquidityNet } of liquidity.ticks) {
    if (index <= price.tick) inRange += liquidityNet
  }
  const { sqrtPriceX96, tick } = price
  return { ...liquidity, sqrtPriceX96, tick, liquidity: inRange }
}

function twoSided(state: ClmmState, o: Orientation, bandPips: number): bigint {
  const sides = depthLadder(state, o, [bandPips]).map(({ quote }) => quote)
  return sides.reduce((least, quote) => (quote < least ? quote : least))
}
