import type { VenueRecord } from '../../../market/named-venue.ts'
import { provedSpansWithin } from '../../../market/venue-spans.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { ScorePayload } from './active-score.ts'
import type { observedOf } from './score-payload.ts'

/**
 * Evidence of a score that no longer holds: venues that are not VALIDATED any more, and observations
 * that a reorganization removed from the chain.
 *
 * @returns one message per venue; empty if all evidence holds
 */
export async function lostEvidence(
  records: TenantRecords,
  { request, window, evidence }: ScorePayload,
): Promise<string[]> {
  const refs = [...request.venues, ...(request.reference ? [request.reference.venue] : [])]
  const ids = refs.map(({ id }) => id)
  const venues = await records.find<VenueRecord['payload']>('VenueProfile', { ids })
  const statuses = new Map(venues.map(({ id, status }) => [id, status]))
  const lost = ids.flatMap((id) => {
    const status = statuses.get(id) ?? 'no record'
    return status === 'VALIDATED' ? [] : [`must rest on VALIDATED venues, got ${status} for ${id}`]
  })
  if (lost.length > 0) return lost
  const hash = evidence.inputs.find(({ name }) => name === 'observations')?.hash
  if (hash === undefined) throw new Error('A score must name its observations.')
  const observed = JSON.parse(`${await records.artifact(hash)}`) as ReturnType<typeof observedOf>
  const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)
  const range = { from: seconds(window.from), to: seconds(window.to) }
  const standing = await provedSpansWithin(records, ids, range)
  return observed.flatMap(({ venueId, observations }) => {
    const known = new Set(standing.get(venueId)?.map(({ id }) => id))
    const gone = observations.filter(({ id }) => !known.has(id)).length
    return gone === 0
      ? []
      : [
          `must rest on observations of the current chain, got ${gone} of ${observations.length} that left it for ${venueId}`,
        ]
  })
}
