import { EvidenceError } from '@liquidity-os/evidence'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf, type Row, textOf } from '../store/database/row.ts'
import { sql } from '../store/database/sql.ts'
import {
  type EventPosition,
  eventAtPlace,
  eventsAfter,
  eventsBehind,
  orderOfEventsNewest,
  placeColumns,
  placeOf,
} from '../store/records/event-order.ts'
import { hourMilliseconds } from '../units.ts'

/** The history of one organization, up to the place of the last event that no transaction could still get before. */
export interface VerifiedOrganization {
  readonly organizationId: string
  /** Null if the organization had no events. */
  readonly place: EventPosition | null
  /** Events up to that place. */
  readonly events: number
  /** Registration time of the newest artifact, in milliseconds since 1970; null if none existed. */
  readonly artifactsAt: number | null
}

/**
 * Verified extent of a history. The caller stores it, and the next verification continues from it.
 */
export interface VerifiedHistory {
  readonly version: 'verified-history-v1'
  readonly organizations: readonly VerifiedOrganization[]
}

export const verifiedHistory = (
  organizations: readonly VerifiedOrganization[],
): VerifiedHistory => ({ version: 'verified-history-v1', organizations })

/**
 * Current end of an organization's events.
 *
 * @param earlier result of a previous walk, whose events are already counted
 */
export async function placeNow(
  database: Database,
  organizationId: string,
  earlier?: VerifiedOrganization,
): Promise<VerifiedOrganization> {
  const [[row] = [], [newest] = []] = await database.tenant(organizationId, [
    sql`select ${placeColumns} from events e where ${eventsAfter(organizationId, null)}
      ${orderOfEventsNewest} limit 1`,
    sql`select max(registered_at)::text as at from artifacts where organization_id = ${organizationId}`,
  ])
  const place = row ? intactPlace(row) : null
  const events = await eventsUpTo(database, organizationId, place, earlier)
  return { organizationId, place, events, artifactsAt: newest?.at ? Number(newest.at) : null }
}

/** Detects changes before an earlier verified position, if an index shows them; null if intact. */
export async function faultBefore(
  database: Database,
  { organizationId, place, events }: VerifiedOrganization,
): Promise<string | null> {
  if (place === null) return null
  const [[row] = []] = await database.tenant(organizationId, [eventAtPlace(organizationId, place)])
  if (!isIntactThere(row, place)) {
    return `the event ${place.evidenceHash}, the end of the last verification, has moved`
  }
  const found = await eventsUpTo(database, organizationId, place)
  return found === events
    ? null
    : `${events} events preceded the end of the last verification, but ${found} are stored`
}

/** Null if the event was altered; the walk reports it. */
function intactPlace(row: Row): EventPosition | null {
  try {
    return placeOf(row)
  } catch (error) {
    if (error instanceof EvidenceError) return null
    throw error
  }
}

function isIntactThere(row: Row | undefined, place: EventPosition): boolean {
  return row !== undefined && intactPlace(row)?.evidenceHash === place.evidenceHash
}

/** IDs of subjects with events after a place, in order, starting after `after`. */
export async function subjectsBehind(
  database: Database,
  { organizationId, place }: VerifiedOrganization,
  after: string,
): Promise<readonly string[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select distinct e.subject_id as id from events e where ${eventsBehind(organizationId, place)}
      and e.subject_id > ${after} order by 1 limit ${limits.verifiedSubjects}`,
  ])
  return rows.map((row) => textOf(row, 'id'))
}

/**
 * Hashes of artifacts registered since then, and in the hour before: the clocks of nodes differ.
 */
export async function artifactsSince(
  database: Database,
  { organizationId, artifactsAt }: VerifiedOrganization,
): Promise<readonly string[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select content_hash from artifacts where organization_id = ${organizationId} and part = 0
      and registered_at > ${(artifactsAt ?? 0) - hourMilliseconds} order by content_hash`,
  ])
  return rows.map((row) => textOf(row, 'content_hash'))
}

async function eventsUpTo(
  database: Database,
  organizationId: string,
  place: EventPosition | null,
  earlier?: VerifiedOrganization,
): Promise<number> {
  if (place === null) return 0
  const from = earlier?.place ?? null
  const [[row] = []] = await database.tenant(organizationId, [
    sql`select (select count(*) from events e where ${eventsBehind(organizationId, from)})
      - (select count(*) from events e where ${eventsBehind(organizationId, place)}) as number`,
  ])
  return (from === null ? 0 : (earlier?.events ?? 0)) + integerOf(row ?? {}, 'number')
}
