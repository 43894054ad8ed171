import { readFileSync } from 'node:fs'
import {
  exchangeStable,
  marketToJson,
  type StableState,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import { readStableRecording } from '@liquidity-os/engine/replay'
import type { ScoreTask } from '../apps/server/src/families/intelligence/scores/score-task.ts'
import type { VenueHistory } from '../apps/server/src/market/venue-history.ts'
import { weekSeconds } from '../apps/server/src/units.ts'

const file = new URL('../datasets/onchain-quotes/curve_3pool_24407242.json', import.meta.url)
const trades = 1000
/** USDC is the base, USDT the quote. */
const orientation = { base: 1, quote: 2 }
/** One thousand of each; both have six decimals. */
export const stableReference = 1000n * 10n ** 6n

/**
 * A week of the recorded 3pool with one exchange every ten minutes, of 1,000 to 100,000 in either
 * direction.
 */
export function stableWeek(): { history: VenueHistory; window: ScoreTask['window'] } {
  const { state: start } = readStableRecording(
    JSON.parse(readFileSync(file, 'utf8')),
    file.pathname,
  )
  const from = start.blockTimestamp + 1
  const window = { from, to: from + weekSeconds }
  let state: StableState = start
  const lines = Array.from({ length: trades }, (_, index) => {
    const timestamp = from + Math.floor(((index + 0.5) * weekSeconds) / trades)
    const [soldId, boughtId] = (index * 7919) % 13 < 6 ? [1, 2] : [2, 1]
    const tokensSold = stableReference * BigInt(1 + ((index * 7919) % 97))
    const d = { from: soldId, to: boughtId }
    const exchange = exchangeStable({ ...state, blockTimestamp: timestamp }, d, tokensSold)
    state = exchange.state
    const event = { type: 'TokenExchange', block: 2 + index, timestamp, logIndex: 0, line: null }
    const sold = { soldId, boughtId, tokensSold, tokensBought: exchange.amountOut }
    return JSON.stringify(toJsonSafe({ ...event, ...sold, origin: `0x${index % 50}` }))
  })
  const stretch = {
    from: window.from,
    to: window.to,
    fromBlock: 1,
    toBlock: 2 + trades,
    start: Buffer.from(JSON.stringify(marketToJson(start))),
    events: [Buffer.from(lines.join('\n'))],
  }
  return {
    history: {
      venueId: 'venue-stable',
      kind: 'STABLESWAP',
      feePips: 150,
      orientation,
      stretches: [stretch],
    },
    window,
  }
}
