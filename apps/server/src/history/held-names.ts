import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { openName } from '../families/intelligence/anomalies/anomaly-life.ts'
import type { AnomalyPayload } from '../families/intelligence/anomalies/subject.ts'
import {
  activeName,
  heldBy,
  type ScorePayload,
  scoreDueName,
} from '../families/intelligence/scores/active-score.ts'
import { foldEvents } from '../families/operate/migration-plans/plan-events.ts'
import {
  busyNames,
  deadlineKind,
  deadlineName,
  holdsDeadline,
  positionKind,
  walletKind,
} from '../families/operate/migration-plans/plan-names.ts'
import type { PlanPayload } from '../families/operate/migration-plans/plan-types.ts'
import { admittedKind, lapsedKind } from '../families/plan/strategies/admissions.ts'
import { admissionName, nameOf } from '../families/plan/strategies/lapses.ts'
import { type VenueIdentity, venueKind, venueName } from '../market/venue-name.ts'
import { providerKind, providerName } from '../outside/providers/provider-name.ts'

/** A record as it is now, as far as it decides which names it holds. */
export interface Standing {
  id: string
  resourceType: string
  status: string
  payload: unknown
}

export interface HeldName {
  readonly kind: string
  readonly name: string
  /** Whether a record may as well not hold it. */
  readonly isOptional?: boolean
}

/**
 * Kinds of names of which the records and their events themselves say who must hold them. Those of bookmarks and of
 * questions to the engine are not among them: of the one the user who saved it, of the other the build at that time is part.
 */
export const derivedKinds: readonly string[] = [
  ...[venueKind, openName, activeName, scoreDueName, providerKind, admissionName],
  ...[walletKind, positionKind, deadlineKind],
]

/** The names of these kinds that a record must or may hold, and no other may. */
export function heldNames(
  record: Standing,
  events: readonly OperatingSystemEvent[],
): readonly HeldName[] {
  const { id, status, payload } = record
  switch (record.resourceType) {
    case 'VenueProfile':
      return status === 'REVOKED' ? [] : [venueName(payload as VenueIdentity)]
    case 'Provider':
      // One that is revoked can be registered again, as another version of itself.
      return [providerName((payload as { providerId: string }).providerId)]
    case 'StrategyDefinitionV2':
      return admissions(events)
    case 'MigrationPlan':
      return namesOfPlan(record, events)
    case 'LiquidityAnomaly':
      return status === 'ACTIVE'
        ? [{ kind: openName, name: (payload as AnomalyPayload).fingerprint }]
        : []
    case 'MarketQualityScore':
      return status === 'ACTIVE' ? heldBy({ id, payload: payload as ScorePayload }) : []
    default:
      return []
  }
}

/** An admission holds its name until an event says that it has lapsed, for whatever reason. */
function admissions(events: readonly OperatingSystemEvent[]): HeldName[] {
  const told = new Set(
    events.filter(({ kind }) => kind === lapsedKind).map(({ payload }) => payload.admissionId),
  )
  return events
    .filter(({ id, kind }) => kind === admittedKind && !told.has(id))
    .map(({ id, payload }) => ({
      kind: admissionName,
      name: nameOf({ eventId: id, expiresAt: `${payload.expiresAt}` }),
    }))
}

function namesOfPlan(
  { id, status, payload }: Standing,
  events: readonly OperatingSystemEvent[],
): HeldName[] {
  const { request } = payload as PlanPayload
  // One on its way back is PAUSED as a record, and none gets there that was not started.
  const isUnderWay = status === 'ACTIVE' || status === 'PAUSED'
  const deadline = holdsDeadline(foldEvents(events).machine)
  return [
    ...(isUnderWay ? busyNames(request) : []),
    ...(deadline === 'NO'
      ? []
      : [{ ...deadlineName(request, id), isOptional: deadline === 'EITHER' }]),
  ]
}
