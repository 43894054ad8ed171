import { createHash } from 'node:crypto'
import { type ClmmState, createClmmPool, marketToJson, toJsonSafe } from '@liquidity-os/engine/amm'
import { type ClmmEvent, startReplay } from '@liquidity-os/engine/replay'
import type { VenueHistory } from '../venue-history.ts'

const range = { tickLower: -6000, tickUpper: 6000, amount0: null, amount1: null }
const place = (timestamp: number) => ({
  block: timestamp,
  timestamp,
  logIndex: 0,
  line: null,
  blockHash: hashAt(timestamp),
  transactionHash: '0x0',
})
const bytes = (text: string) => new TextEncoder().encode(text)

/** Hash of the block at a time, one block a second. */
export const hashAt = (timestamp: number) =>
  `0x${createHash('sha256').update(`${timestamp}`).digest('hex')}`

/** A pool of 0.3 % at price 1 with one position. */
function poolWith(liquidity: bigint): ClmmState {
  const empty = { ...createClmmPool({ feePips: 3000, tickSpacing: 60 }), balance0: null }
  const replay = startReplay({ ...empty, balance1: null })
  replay.apply({ ...place(0), type: 'Initialize', sqrtPriceX96: 1n << 96n })
  replay.apply({ ...place(1), type: 'Mint', owner: '0xa', ...range, liquidity })
  return replay.final() as ClmmState
}

/** Liquidity of another owner that is present for `seconds` from each time on. */
export const pulsesAt = (
  times: readonly number[],
  { liquidity, seconds }: { readonly liquidity: bigint; readonly seconds: number },
): ClmmEvent[] =>
  times.flatMap((at): ClmmEvent[] => [
    { ...place(at), type: 'Mint', owner: '0xb', ...range, liquidity },
    { ...place(at + seconds), type: 'Burn', owner: '0xb', ...range, liquidity },
  ])

/** A trade that leaves the price unchanged. */
export const flatTrade = (at: number, liquidity: bigint, origin: string): ClmmEvent =>
  Object.assign(
    {
      ...place(at),
      type: 'Swap' as const,
      amount0: -(10n ** 15n),
      amount1: 10n ** 15n,
      sqrtPriceX96: 1n << 96n,
      liquidity,
      tick: 0,
    },
    { origin, sender: '0x1', recipient: '0x2' },
  )

/** History of a pool with constant liquidity and the events of a window, in the order of time. */
export function poolHistory(
  window: { readonly from: number; readonly to: number },
  liquidity: bigint,
  events: readonly ClmmEvent[],
): VenueHistory {
  const lines = events.map((event) => `${JSON.stringify(toJsonSafe(event))}\n`).join('')
  const start = bytes(JSON.stringify(marketToJson(poolWith(liquidity))))
  const span = { ...window, fromBlock: window.from, toBlock: window.to }
  return {
    venueId: 'venue_a',
    kind: 'UNISWAP_V3',
    feePips: 3000,
    orientation: { base: 0, quote: 1 },
    stretches: [{ ...span, start, events: [bytes(lines)] }],
  }
}
