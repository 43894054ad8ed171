import type { SourceRef } from '@liquidity-os/contract'
import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import type { ExitVenue } from '@liquidity-os/engine/stress'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { confirmedStates, marketAfter } from './completed-observations.ts'
import type { VenueRecord } from './named-venue.ts'
import { tokenKey } from './treasury/asset-keys.ts'
import { venueOrientation } from './venue-orientation.ts'

/** A venue to sell an asset in, at its last observation. */
export interface ReadVenue {
  readonly venueId: string
  readonly quoteKey: string
  readonly observation: SourceRef
  readonly block: number
  readonly market: LoggedMarket
  readonly orientation: Orientation
}

/** Newest confirmed state per venue; venues without observations are omitted. */
export async function readExitVenues(
  records: TenantRecords,
  venues: readonly VenueRecord[],
): Promise<ReadVenue[]> {
  const read = await Promise.all(
    venues.map(async ({ id: venueId, payload }): Promise<ReadVenue[]> => {
      const [observation] = await confirmedStates(records, venueId, 1)
      if (!observation) return []
      const { id, resourceType, resourceVersion } = observation
      return [
        {
          venueId,
          observation: { id, resourceType, resourceVersion },
          orientation: venueOrientation(payload),
          quoteKey: tokenKey(payload.pair.chainId, payload.pair.quote),
          block: observation.payload.state.at.number,
          market: await marketAfter(records, observation),
        },
      ]
    }),
  )
  return read.flat()
}

/** The same, in the form of the engine. */
export const engineVenues = (venues: readonly ReadVenue[]): ExitVenue[] =>
  venues.map(({ venueId, quoteKey, market, orientation }) => ({
    venueId,
    quoteId: quoteKey,
    market,
    orientation,
  }))
