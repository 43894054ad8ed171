import type { contract, FieldErrors, Gap } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { confirmedStates, type ObservationRecord } from '../../../market/completed-observations.ts'
import { marketFacts } from '../../../market/market-facts.ts'
import { storedMidX36 } from '../../../market/mid-price.ts'
import { isSamePair, validatePair } from '../../../market/pair.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  type AllocationInput,
  type AllocationRequest,
  type AllocationRisk,
  type AllocationVenue,
  allocationDefaults,
} from './allocation-input.ts'

type Venue = VersionedRecord<Static<typeof contract.VenueProfile>>
type Study = Static<typeof contract.SimulationStudy>

/** A venue with its state and its latest proven events, the source of fees and volatility. */
interface Observed {
  venue: Venue
  observation: ObservationRecord
  history: ObservationRecord | null
}

export interface ReadInput {
  /** Null if the state of an option's venue is missing or too old. */
  input: AllocationInput | null
  observed: readonly Observed[]
  study: VersionedRecord<Study> | null
  gaps: readonly Gap[]
}

/**
 * Reads the pair's venues with their newest proven states, and the study.
 *
 * @param now milliseconds since 1970
 * @throws Failure 404 for an unknown source, 409 for an unvalidated venue, 422 for another pair or
 * a study without its risk data
 */
export async function readInput(
  records: TenantRecords,
  request: AllocationRequest,
  now: number,
): Promise<ReadInput> {
  const named = await optionVenues(records, request)
  const study = request.risk ? await studyOf(records, request) : null
  const others = await otherVenues(records, request, named)
  const found = await Promise.all(
    [...named, ...others].map(async (venue) => ({
      venue,
      ...(await newest(records, venue)),
    })),
  )
  const oldest = now - 1000 * (request.maxStateAgeSeconds ?? allocationDefaults.maxStateAgeSeconds)
  const observed: Observed[] = []
  const gaps: Gap[] = []
  for (const { venue, observation, history } of found) {
    const isCounted = venue.payload.kind !== 'STABLESWAP'
    if (isCounted && observation && isUsable(observation, oldest))
      observed.push({ venue, observation, history })
    else gaps.push(gapOf(venue, observation, named.includes(venue)))
  }
  if (gaps.some(({ code }) => code === 'STALE_STATE')) return { input: null, observed, study, gaps }
  const venues = await Promise.all(observed.map((one) => readVenue(records, one)))
  return { input: { request, venues, risk: study && riskOf(study) }, observed, study, gaps }
}

/** Venues of the options, without duplicates, in request order. */
async function optionVenues(
  records: TenantRecords,
  { options, pair }: AllocationRequest,
): Promise<Venue[]> {
  const found = new Map<string, Venue>()
  const faults: { missing: FieldErrors; foreign: FieldErrors; idle: FieldErrors } = {
    missing: {},
    foreign: {},
    idle: {},
  }
  for (const [index, { venue: ref }] of options.entries()) {
    const at = `payload.options.${index}.venue`
    const version = await records.version<Venue['payload']>(
      'VenueProfile',
      ref.id,
      ref.resourceVersion,
    )
    if (!version) {
      faults.missing[at] = [`must be a stored version, got ${ref.resourceVersion} of ${ref.id}`]
      continue
    }
    if (!isSamePair(version.record.payload.pair, pair)) {
      faults.foreign[at] = ['must be of the same pair']
      Object.assign(faults.foreign, validatePair(pair, version.record.payload.pair, 'payload.pair'))
    }
    if (version.record.payload.kind === 'STABLESWAP') {
      faults.foreign[at] = [
        'must be a Uniswap venue, got STABLESWAP; use a capital requirement with the shape STABLESWAP',
      ]
    }
    const current = await records.current('VenueProfile', ref.id)
    const status = current?.record.status
    if (status !== 'VALIDATED') faults.idle[at] = [`must be VALIDATED, got ${status}`]
    const earlier = found.get(ref.id)
    if (earlier && earlier.resourceVersion !== ref.resourceVersion) {
      faults.foreign[at] = ['must be the same version as the other reference to this venue']
    }
    found.set(ref.id, earlier ?? version.record)
  }
  refuse('LIQUIDITY_SOURCE_UNAVAILABLE', faults.missing)
  refuse('LIQUIDITY_ALLOCATION_OPTION_INVALID', faults.foreign)
  refuse('LIQUIDITY_ALLOCATION_VENUE_NOT_VALIDATED', faults.idle)
  return [...found.values()]
}

function refuse(code: ConstructorParameters<typeof Failure>[0], fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}

/** The other validated venues of the pair, whose depth counts too. */
async function otherVenues(
  records: TenantRecords,
  { pair }: AllocationRequest,
  named: readonly Venue[],
): Promise<Venue[]> {
  const { texts } = await records.page('VenueProfile', {
    after: null,
    limit: limits.allocationVenues,
    where: sql`h.status = 'VALIDATED' and r.body::jsonb #>> '{payload,pair,base}' = ${pair.base}
      and r.body::jsonb #>> '{payload,pair,quote}' = ${pair.quote}`,
  })
  const ids = named.map(({ id }) => id)
  return texts
    .map((text) => JSON.parse(text) as Venue)
    .filter(({ id, payload }) => isSamePair(payload.pair, pair) && !ids.includes(id))
    .slice(0, Math.max(0, limits.allocationVenues - named.length))
}

async function newest(records: TenantRecords, { id }: Venue) {
  const recent = await confirmedStates(records, id, limits.allocationObservations)
  const height = ({ payload }: ObservationRecord) => payload.state.at.number
  const ordered = recent.sort((a, b) => height(b) - height(a))
  const history = ordered.find(({ status }) => status === 'COMPLETED')
  return { observation: ordered[0] ?? null, history: history ?? null }
}

function isUsable({ payload }: ObservationRecord, oldest: number): boolean {
  return Date.parse(payload.state.at.timestamp) >= oldest && storedMidX36(payload.metrics) !== null
}

/** A named venue is required; any other venue may be missing and is then excluded. */
function gapOf(
  { id, payload }: Venue,
  observation: ObservationRecord | null,
  isNamed: boolean,
): Gap {
  const state = observation?.payload.state.at.timestamp
  const why = state ? `Its newest proved state, at ${state}, is too old or has no price.` : null
  return {
    code: isNamed ? 'STALE_STATE' : 'VENUE_NOT_COUNTED',
    detail:
      payload.kind === 'STABLESWAP'
        ? 'Plans do not count the depth of StableSwap pools. A capital requirement does.'
        : (why ?? 'It has no proved observation.'),
    venueId: id,
  }
}

async function readVenue(
  records: TenantRecords,
  { venue, observation, history }: Observed,
): Promise<AllocationVenue> {
  const [state, facts] = await Promise.all([
    records.artifact(observation.payload.state.artifactHash),
    history && marketFacts(records, history),
  ])
  const { caps } = venue.payload
  return {
    id: venue.id,
    state: Uint8Array.from(state),
    feesQuotePerDay: facts?.feesQuotePerDay ?? null,
    volatility: facts?.volatility?.value ?? null,
    maxCapitalQuote: caps?.maxCapitalQuote === undefined ? null : BigInt(caps.maxCapitalQuote),
  }
}

async function studyOf(
  records: TenantRecords,
  { risk, pair, horizonSeconds }: AllocationRequest,
): Promise<VersionedRecord<Study>> {
  const at = 'payload.risk.study'
  if (!risk) throw new Error('A plan without risk terms has no study.')
  const { id, resourceVersion } = risk.study
  const found = await records.version<Study>('SimulationStudy', id, resourceVersion)
  refuse(
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    found ? {} : { [at]: [`must be a stored version, got ${resourceVersion} of ${id}`] },
  )
  if (!found) throw new Error('A missing study was not rejected.')
  const { record } = found
  const { spec, result } = record.payload
  const faults = [
    ...(record.status === 'COMPLETED' && result?.paths
      ? []
      : [`must be COMPLETED with paths, got ${record.status}`]),
    ...(spec.kind === 'MONTE_CARLO' ? [] : [`must be MONTE_CARLO, got ${spec.kind}`]),
    ...(isSamePair(spec.pair, pair) ? [] : ['must be of the same pair']),
    ...((spec.horizonSeconds ?? 0) >= horizonSeconds
      ? []
      : ['must have at least the horizon of the plan']),
    ...(spec.price?.kind === 'BLOCK_BOOTSTRAP'
      ? ['must not resample returns: they are not stored']
      : []),
    ...(spec.scenario ? ['must not have a scenario'] : []),
  ]
  refuse('LIQUIDITY_ALLOCATION_RISK_STUDY_INCOMPATIBLE', faults.length > 0 ? { [at]: faults } : {})
  return record
}

function riskOf({ payload: { spec, result } }: VersionedRecord<Study>): AllocationRisk {
  if (!result?.paths) throw new Error('A study without paths was not rejected.')
  return { spec, calibration: result.calibration, paths: result.paths.run }
}
