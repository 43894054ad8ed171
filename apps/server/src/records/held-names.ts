import { openName } from '../anomalies/anomaly-life.ts'
import type { AnomalyPayload } from '../anomalies/subject.ts'
import { type VenueIdentity, venueKind, venueName } from '../observations/venue-name.ts'
import { activeName, heldBy, type ScorePayload, scoreDueName } from '../scores/active-score.ts'

/** A record as it is now, as far as it decides which names it holds. */
export interface Standing {
  id: string
  resourceType: string
  status: string
  payload: unknown
}

/** Kinds of names of which the records themselves say who must hold them. */
export const derivedKinds: readonly string[] = [venueKind, openName, activeName, scoreDueName]

/** The names of these kinds that a record must hold, and no other may. */
export function heldNames(record: Standing): readonly { kind: string; name: string }[] {
  const { id, resourceType, status, payload } = record
  if (resourceType === 'VenueProfile' && status !== 'REVOKED') {
    return [venueName(payload as VenueIdentity)]
  }
  if (status !== 'ACTIVE') return []
  if (resourceType === 'LiquidityAnomaly') {
    return [{ kind: openName, name: (payload as AnomalyPayload).fingerprint }]
  }
  return resourceType === 'MarketQualityScore'
    ? heldBy({ id, payload: payload as ScorePayload })
    : []
}
