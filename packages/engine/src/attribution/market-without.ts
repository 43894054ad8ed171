import type { PoolMarket } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { swapExactIn, swapExactOut } from '../amm/swap.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import { loadPool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { commitSwap, walkSwap } from '../amm/v3/swap.ts'
import { startReplay } from '../replay/baseline.ts'
import { classifyPairSwap } from '../replay/cpmm-replay.ts'
import type { ClmmEvent, CpmmEvent, PoolEvent } from '../replay/events.ts'
import { recoverSwap } from '../replay/recover-swap.ts'

/**
 * The market after some events, with one of its swaps removed. Replays the later calls with the
 * same input, output, limit or liquidity.
 *
 * @param start the market before the first event
 * @param events in chain order, all from this market
 * @param leftOut index of the omitted Swap
 * @returns null if a later call is ambiguous. Examples: a swap with an unknown call, a swap that
 * the market would now reject, a deposit into a pair at another price.
 */
export function marketWithout(
  start: PoolMarket,
  events: readonly PoolEvent[],
  leftOut: number,
): PoolMarket | null {
  const isPair = start.kind === 'UNISWAP_V2'
  // The Sync of a pair precedes the Swap of the same call.
  const begin = isPair && events[leftOut - 1]?.type === 'Sync' ? leftOut - 1 : leftOut
  const before = startReplay(start, { positions: 'PARTIAL' })
  for (const event of events.slice(0, begin)) before.apply(event)
  const market = before.final()
  const later = events.slice(begin)
  try {
    return market.kind === 'UNISWAP_V3'
      ? poolWithoutFirst(market, later as readonly ClmmEvent[])
      : pairWithoutFirst(market, later as readonly CpmmEvent[])
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

/** Leaves out the first event, a Swap. */
function poolWithoutFirst(start: ClmmState, events: readonly ClmmEvent[]): ClmmState | null {
  let actual = start
  let fair = start
  for (const [index, event] of events.entries()) {
    if (index > 0 && event.type === 'Swap') {
      const call = recoverSwap(actual, event)
      if (call === null) return null
      const pool = loadPool(fair)
      commitSwap(pool, walkSwap(pool, call))
      fair = snapshotPool(pool)
    } else if (index > 0) fair = after(fair, event)
    actual = after(actual, event)
  }
  return fair
}

function after(pool: ClmmState, event: ClmmEvent): ClmmState {
  const replay = startReplay(pool, { positions: 'PARTIAL' })
  replay.apply(event)
  return replay.final() as ClmmState
}

/** Leaves out the first Swap and its Sync. */
function pairWithoutFirst(start: CpmmState, events: readonly CpmmEvent[]): CpmmState | null {
  const first = events.findIndex(({ type }) => type === 'Swap')
  let { reserve0, reserve1 } = reservesAfter(start, events.slice(0, first + 1))
  let fair = start
  let synced: Extract<CpmmEvent, { type: 'Sync' }> | null = null
  for (const event of events.slice(first + 1)) {
    if (event.type === 'Sync' && synced === null) {
      synced = event
      continue
    }
    // Deposits, withdrawals and bare syncs would have been others at another price.
    if (event.type !== 'Swap' || synced === null) return null
    const kind = classifyPairSwap(reserve0, reserve1, event, fair.fee)
    if (kind === 'MULTI_SIDED' || kind === 'OTHER_FEE') return null
    const d = event.amount0In > 0n ? { from: 0, to: 1 } : { from: 1, to: 0 }
    fair =
      kind === 'EXACT_OUT'
        ? swapExactOut(fair, d, event.amount0Out + event.amount1Out).state
        : swapExactIn(fair, d, event.amount0In + event.amount1In).state
    ;({ reserve0, reserve1 } = synced)
    synced = null
  }
  return synced === null ? fair : null
}

function reservesAfter(start: CpmmState, events: readonly CpmmEvent[]) {
  const sync = events.find((event) => event.type === 'Sync')
  return sync?.type === 'Sync' ? sync : start
}
