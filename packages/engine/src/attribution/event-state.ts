import { type CpmmState, createCpmmPair } from '../amm/v2/state.ts'
import { type ClmmState, createClmmPool } from '../amm/v3/state.ts'
import type { ClmmEvent, CpmmEvent } from '../replay/events.ts'
import { SingleRangeReplay } from '../replay/single-range.ts'

/**
 * A v3 pool derived from its last Swap and later deposits: price, tick and liquidity in range,
 * without ticks. It is exact for swaps that stay in this range, which their logs prove.
 *
 * @param events of the pool, in chain order
 * @returns null if the events contain no Swap
 */
export function poolFromEvents(
  terms: { feePips: number; tickSpacing: number },
  events: readonly ClmmEvent[],
): ClmmState | null {
  const last = events.findLastIndex(({ type }) => type === 'Swap')
  if (last < 0) return null
  const replay = new SingleRangeReplay(terms.feePips, terms.tickSpacing)
  for (const event of events.slice(last)) replay.apply(event)
  return {
    ...createClmmPool(terms),
    ...replay.final(),
    balance0: null,
    balance1: null,
    observationCardinality: 1,
    observationCardinalityNext: 1,
    observations: [
      {
        blockTimestamp: 0,
        tickCumulative: 0n,
        secondsPerLiquidityCumulativeX128: 0n,
        initialized: true,
      },
    ],
  }
}

/**
 * A v2 pair before a swap, from the swap's logs: Sync reserves, minus the input, plus the output. A
 * swap depends on no other pair state, so this is exact.
 */
export function pairBeforeSwap(
  sync: Extract<CpmmEvent, { type: 'Sync' }>,
  swap: Extract<CpmmEvent, { type: 'Swap' }>,
): CpmmState {
  const reserve0 = sync.reserve0 - swap.amount0In + swap.amount0Out
  const reserve1 = sync.reserve1 - swap.amount1In + swap.amount1Out
  return { ...createCpmmPair({}), reserve0, reserve1, balance0: reserve0, balance1: reserve1 }
}
