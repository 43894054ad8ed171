import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { isSamePair, type Pair, pairKey, validatePair } from './pair.ts'

export type VenueRecord = VersionedRecord<Static<typeof contract.VenueProfile>>

/** A venue reference of a request, with the path of its field. */
export interface VenueName {
  readonly ref: { readonly id: string; readonly resourceVersion: string }
  readonly at: string
}

/**
 * Venue versions that a request names. Measurements use the named version, but the current version
 * must still be valid: a venue paused or revoked since is not trusted. A missing venue raises 404,
 * a venue that is not VALIDATED 409. Another pair or a duplicate raises `invalid`.
 *
 * @param pair of the request, at `payload.pair`
 * @param invalid error for an existing but unsuitable venue
 * @throws Failure
 */
export async function namedVenues(
  records: TenantRecords,
  names: readonly VenueName[],
  pair: Pair,
  invalid: (faults: FieldErrors) => Failure,
): Promise<VenueRecord[]> {
  const seen = new Set<string>()
  for (const { ref, at } of names) {
    if (seen.has(ref.id)) throw invalid({ [at]: [`must be unique, got ${ref.id} twice`] })
    seen.add(ref.id)
  }
  return Promise.all(
    names.map(async ({ ref: { id, resourceVersion }, at }) => {
      type Payload = VenueRecord['payload']
      const found = await records.version<Payload>('VenueProfile', id, resourceVersion)
      if (!found) {
        throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
          fieldErrors: { [at]: [`must be a stored version of ${id}, got ${resourceVersion}`] },
        })
      }
      const { record, isCurrent } = found
      requireValidated(record, at)
      const current = isCurrent ? null : await records.current<Payload>('VenueProfile', id)
      if (current) requireValidated(current.record, at)
      if (!isSamePair(record.payload.pair, pair)) {
        const faults = validatePair(pair, record.payload.pair, 'payload.pair')
        throw invalid({ [at]: ['must be a venue for the same pair'], ...faults })
      }
      return record
    }),
  )
}

/** @throws Failure 409 */
export function requireValidated({ status }: { status: string }, at: string): void {
  if (status === 'VALIDATED') return
  throw new Failure('LIQUIDITY_VENUE_NOT_VALIDATED', {
    fieldErrors: { [at]: [`must be VALIDATED, got ${status}`] },
  })
}

/** VALIDATED venues with sealed history, of one pair or of all, oldest first. */
export async function venuesToEvaluate(
  records: TenantRecords,
  pair?: Pair,
): Promise<VenueRecord[]> {
  const venues = await records.find<VenueRecord['payload']>('VenueProfile', {
    status: ['VALIDATED'],
    order: 'OLDEST',
  })
  return venues
    .filter(
      ({ payload }) =>
        hasHistory(payload) && (pair === undefined || pairKey(payload.pair) === pairKey(pair)),
    )
    .slice(0, pair === undefined ? undefined : limits.pairVenues)
}

/** True if index jobs seal a history of a venue that can be replayed event by event. */
export const hasHistory = ({ kind }: VenueRecord['payload']): boolean => kind !== 'CLOB_SNAPSHOT'

export const noHistory = ({ kind }: VenueRecord['payload']): string =>
  `must be a venue with sealed history; ${kind} venues have none yet`
