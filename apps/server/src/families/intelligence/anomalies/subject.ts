import type { contract, FieldErrors } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import {
  hasHistory,
  noHistory,
  requireValidated,
  type VenueRecord,
  venuesToEvaluate,
} from '../../../market/named-venue.ts'
import { isSamePair, pairKey, validatePair } from '../../../market/pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { minuteSeconds, weekSeconds } from '../../../units.ts'
import { refOf } from './owned-ranges.ts'

export type AnomalyRequest = Static<typeof contract.AnomalyEvaluation>
export type AnomalyPayload = Static<typeof contract.LiquidityAnomaly>
type Subject = AnomalyRequest['subject']

/** Kinds that use all venues of a pair if the subject names no venue. */
const ofPairs: ReadonlySet<string> = new Set(['STABLECOIN_DEPEG', 'ORACLE_DISAGREEMENT'])
const ofPositions: ReadonlySet<string> = new Set(['INACTIVE_RANGE', 'INVENTORY_ACCUMULATION'])

/** Cadence and baseline of a request, in seconds. Defaults: five minutes and one week. */
export const anomalyTermsOf = ({
  cadenceSeconds = 5 * minuteSeconds,
  baselineSeconds = weekSeconds,
}: Pick<AnomalyRequest, 'cadenceSeconds' | 'baselineSeconds'>) => ({
  cadenceSeconds,
  baselineSeconds,
})

/** Key of a kind and subject, independent of address notation. */
export function fingerprintOf({ kind, subject }: Pick<AnomalyRequest, 'kind' | 'subject'>): string {
  const { pair, venueId = null, positionRefs, asset, pegX18 = null, study, armId } = subject
  const ranges = positionRefs?.map(refOf).toSorted()
  return H('anomaly-fingerprint/v1', {
    kind,
    pair: pairKey(pair),
    venueId,
    pegX18,
    positions: ranges ?? null,
    asset: asset?.toLowerCase() ?? null,
    study: study?.id ?? null,
    ...(armId === undefined ? {} : { armId }),
  })
}

/**
 * Venues of a request, its subject first.
 *
 * @throws Failure 404 for unknown records, 409 for a venue that is not validated, 422 for a subject
 * that this kind does not support
 */
export async function venuesOf(
  records: TenantRecords,
  request: AnomalyRequest,
): Promise<VenueRecord[]> {
  requireSound(request, records.now)
  const { kind, subject } = request
  const { venueId, pair } = subject
  const all = ofPairs.has(kind) ? await venuesToEvaluate(records, pair) : []
  if (venueId === undefined) {
    if (all.length > 0) return all
    throw invalid({ 'payload.subject.pair': ['must have a VALIDATED venue with sealed history'] })
  }
  const own = await venueOf(records, venueId, subject)
  requireOwned(own, subject.positionRefs ?? [])
  return [own, ...all.filter(({ id }) => id !== own.id)]
}

async function venueOf(
  records: TenantRecords,
  venueId: string,
  subject: Subject,
): Promise<VenueRecord> {
  const found = await records.current<VenueRecord['payload']>('VenueProfile', venueId)
  const at = 'payload.subject.venueId'
  if (!found) throw unavailable(at, venueId)
  const { record } = found
  requireValidated(record, at)
  if (!isSamePair(record.payload.pair, subject.pair)) {
    const faults = validatePair(subject.pair, record.payload.pair, 'payload.subject.pair')
    throw invalid({ [at]: ['must be a venue of the same pair'], ...faults })
  }
  if (!hasHistory(record.payload)) throw invalid({ [at]: [noHistory(record.payload)] })
  return record
}

function requireOwned(
  { payload }: VenueRecord,
  requested: NonNullable<Subject['positionRefs']>,
): void {
  const known = new Set((payload.ownedPositions ?? []).map(refOf))
  for (const [index, position] of requested.entries()) {
    if (!known.has(refOf(position))) {
      throw invalid({
        [`payload.subject.positionRefs.${index}`]: ['must be an owned position of the venue'],
      })
    }
  }
}

function requireSound({ kind, subject, ...terms }: AnomalyRequest, now: number): void {
  const faults: FieldErrors = {}
  const { venueId, positionRefs, asset, pegX18, study, armId, pair } = subject
  const on = (member: string) => `payload.subject.${member}`
  if (venueId === undefined && !ofPairs.has(kind)) {
    faults[on('venueId')] = [`is required for ${kind}`]
  }
  if (positionRefs && !ofPositions.has(kind)) {
    faults[on('positionRefs')] = [`must be omitted for ${kind}`]
  }
  const isDepeg = kind === 'STABLECOIN_DEPEG'
  const tokens = [pair.base, pair.quote].map((token) => token.toLowerCase())
  if (isDepeg && (pegX18 === undefined || BigInt(pegX18) === 0n)) {
    faults[on('pegX18')] = ['is required for STABLECOIN_DEPEG and must be above zero']
  }
  if (isDepeg && (asset === undefined || !tokens.includes(asset.toLowerCase()))) {
    faults[on('asset')] = ['must be the base or the quote of the pair']
  }
  if (!isDepeg && asset !== undefined) faults[on('asset')] = [`must be omitted for ${kind}`]
  if (!isDepeg && pegX18 !== undefined) faults[on('pegX18')] = [`must be omitted for ${kind}`]
  const isDivergence = kind === 'SIMULATED_REALIZED_DIVERGENCE'
  if (isDivergence !== (study !== undefined)) {
    faults[on('study')] = [isDivergence ? `is required for ${kind}` : `must be omitted for ${kind}`]
  }
  if (!isDivergence && armId !== undefined) faults[on('armId')] = [`must be omitted for ${kind}`]
  if (terms.at !== undefined && Date.parse(terms.at) > now) {
    faults['payload.at'] = [`must be at most ${new Date(now).toISOString()} (now)`]
  }
  const { cadenceSeconds, baselineSeconds } = anomalyTermsOf(terms)
  if (baselineSeconds / cadenceSeconds > limits.anomalyCadences) {
    faults['payload.baselineSeconds'] = [
      `must be at most ${limits.anomalyCadences} times cadenceSeconds`,
    ]
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

const invalid = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_ANOMALY_SUBJECT_INVALID', { fieldErrors })
const unavailable = (at: string, id: string) =>
  new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { [at]: [`must exist, got ${id}`] },
  })
