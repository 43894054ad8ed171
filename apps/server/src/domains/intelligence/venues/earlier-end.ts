import type { LoggedMarket } from '@liquidity-os/engine'
import {
  continuableObservations,
  marketAfter,
} from '../../../observations/completed-observations.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'

// An index job looks back this far for an observation whose last block is still on the chain.
const lookBack = 100

/** The end of an earlier observation, from which an index run goes on. */
export interface EarlierEnd {
  nextBlock: number
  market: LoggedMarket
  positions: 'COMPLETE' | 'PARTIAL'
  /** Whether the chain confirmed the market; otherwise the engine alone computed it. */
  isRead: boolean
}

/**
 * The newest observation of a venue that can be gone on from and still ends on the chain. One whose last block is gone was
 * overtaken by a reorganization: it stays, and the run goes on from before it.
 *
 * @param hashOf the hash that the chain has at a height now
 */
export async function earlierEnd(
  records: TenantRecords,
  venueId: string,
  hashOf: (block: number) => Promise<string | null>,
): Promise<EarlierEnd | null> {
  for (const observation of await continuableObservations(records, venueId, lookBack)) {
    const { state, evidence } = observation.payload
    if ((await hashOf(state.at.number)) !== state.at.hash) continue
    const isPartial = evidence.assumptions.some(({ code }) => code === 'POSITIONS_FROM_EVENTS')
    return {
      nextBlock: state.at.number + 1,
      market: await marketAfter(records, observation),
      positions: isPartial ? 'PARTIAL' : 'COMPLETE',
      isRead: observation.status === 'COMPLETED',
    }
  }
  return null
}
