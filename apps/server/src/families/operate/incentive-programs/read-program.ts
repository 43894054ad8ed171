import type { contract, FieldErrors } from '@liquidity-os/contract'
import { H, openEvent } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { namedVenues, type VenueRecord } from '../../../market/named-venue.ts'
import { namedOvertaken, overtakenWords } from '../../../market/observed-spans.ts'
import { ownPositionsAt } from '../../../market/own-positions.ts'
import { isSamePair } from '../../../market/pair.ts'
import { historyOf } from '../../../market/venue-history.ts'
import { required } from '../../../required.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds, daySeconds } from '../../../units.ts'
import { requireAttested } from './adapters.ts'
import type { PriorEvidence, ProgramTask } from './program-problem.ts'

export type ProgramRequest = Static<typeof contract.IncentiveProgramRequest>
export type ProgramPayload = Static<typeof contract.IncentiveProgram>
export type Evaluation = Static<typeof contract.IncentiveEvaluation>
type Ref = { id: string; resourceVersion: string }

/** All inputs of a program plan. */
export interface ProgramInput {
  request: ProgramRequest
  venues: readonly VenueRecord[]
  controls: readonly VenueRecord[]
  observations: readonly ObservationRecord[]
  /** Venues with unobserved own positions; the own share excludes those. */
  ownUnknown: readonly string[]
  /** Hash per evaluation used as evidence. */
  priors: readonly { name: string; hash: string }[]
  specHash: string
  seed: string
  task: ProgramTask
}

const MILLION = 1_000_000

/**
 * Reads the records and sealed data of a request.
 *
 * @throws Failure 404 for unknown records, 409 for a venue that is not validated, 422 for a
 * contradictory request, 400 for an invalid baseline or adapter evidence
 */
export async function readProgram(
  records: TenantRecords,
  request: ProgramRequest,
): Promise<ProgramInput> {
  requireSound(request, records.now)
  const named = await venuesOf(records, request)
  const venues = named.slice(0, request.venues.length)
  const controls = named.slice(request.venues.length)
  for (const [index, stated] of request.venues.entries()) {
    const venue = required(venues[index], `venue ${index} of the program`)
    requireAttested(stated, index, request, venue.payload.address, records.now)
  }
  await requireNoOverlap(records, request)
  const observations = await observationsOf(records, request)
  const priors = await priorsOf(records, request)
  const byVenue = (venue: VenueRecord) =>
    observations.filter(({ payload }) => payload.venue.id === venue.id)
  const specHash = H('incentive-program-spec/v1', request)
  const seed = H('incentive-program-seed/v1', specHash)
  const window = { from: seconds(request.baseline.from), to: seconds(request.baseline.to) }
  const rewarded = await Promise.all(
    venues.map(async (venue, index) => {
      const own = byVenue(venue)
      const last = own.at(-1)
      return {
        history: await historyOf(records, venue, own),
        state: last ? await records.artifact(last.payload.state.artifactHash) : new Uint8Array(),
        owned: last ? ownAt(venue, last).positions : [],
        feePips: venue.payload.feePips ?? 3000,
        tvlQuote: last?.payload.metrics.tvlQuote ?? '0',
        maxPips: request.venues[index]?.maxPips ?? MILLION,
      }
    }),
  )
  const task: ProgramTask = {
    mode: request.mode,
    objective: request.objective,
    days: request.days,
    window,
    venues: rewarded,
    controls: await Promise.all(controls.map((venue) => historyOf(records, venue, byVenue(venue)))),
    budget: request.budget,
    rewardPriceX18: rewardPrice(request),
    quoteDecimals: request.pair.quoteDecimals,
    confidence: request.confidencePips / MILLION,
    minimumLift: request.minimumLiftPips / MILLION,
    requireNetPositive: request.requireNetPositive,
    priors: priors.map(({ evidence }) => evidence),
    seed: Uint8Array.from(Buffer.from(seed.slice(2), 'hex')),
  }
  const isOwnUnknown = (venue: VenueRecord) => {
    const last = byVenue(venue).at(-1)
    return last !== undefined && !ownAt(venue, last).areKnown
  }
  const ownUnknown = venues.filter(isOwnUnknown).map(({ id }) => id)
  return { request, venues, controls, observations, ownUnknown, priors, specHash, seed, task }
}

const ownAt = ({ payload }: VenueRecord, last: ObservationRecord) =>
  ownPositionsAt(payload.ownedPositions, last.payload.positionTokens)

export const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)
const isOneOf = (address: string, other: string) => address.toLowerCase() === other.toLowerCase()
const X18 = `${10n ** 18n}`

/** Null for the base, whose price comes from the market. */
function rewardPrice({ rewardAsset, rewardPriceX18, pair }: ProgramRequest): string | null {
  if (rewardPriceX18 !== undefined) return rewardPriceX18
  return isOneOf(rewardAsset, pair.quote) ? X18 : null
}

const invalid = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_INCENTIVE_REQUEST_INVALID', { fieldErrors })
export const baselineRequired = (field: string, message: string) =>
  new Failure('LIQUIDITY_INCENTIVE_BASELINE_REQUIRED', {
    message: `The baseline ${message}.`,
    fieldErrors: { [field]: [message] },
  })

function requireSound(request: ProgramRequest, now: number): void {
  const { pair, rewardAsset, rewardPriceX18, budget, start, days, mode, distribution } = request
  const faults: FieldErrors = {}
  if (BigInt(budget) === 0n) faults['payload.budget'] = ['must be above zero']
  if (Date.parse(start) < now) faults['payload.start'] = ['must not be in the past']
  const isOfPair = [pair.base, pair.quote].some((token) => isOneOf(rewardAsset, token))
  if (!isOfPair && rewardPriceX18 === undefined) {
    faults['payload.rewardPriceX18'] = ['is required if the reward is not a token of the pair']
  }
  if (rewardPriceX18 !== undefined && BigInt(rewardPriceX18) === 0n) {
    faults['payload.rewardPriceX18'] = ['must be above zero']
  }
  if (mode === 'PILOT' && days < 14) {
    faults['payload.days'] = [
      'must be at least 14 in a PILOT: one week with rewards and one without',
    ]
  }
  if (distribution) {
    // The liquidity response is known per venue, not per rewarded position type.
    faults['payload.distribution'] = [
      'must be omitted: the adapter of the venue determines how rewards are shared',
    ]
  }
  const { from, to } = request.baseline
  if (Date.parse(to) > now) faults['payload.baseline.to'] = ['must not be in the future']
  if (Date.parse(to) > Date.parse(start)) {
    faults['payload.baseline.to'] = ['must not be after the start']
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  const span = (seconds(to) - seconds(from)) / daySeconds
  const { incentiveBaselineLeastDays: min, incentiveBaselineMostDays: max } = limits
  if (span < min) {
    throw baselineRequired(
      'payload.baseline',
      `must span at least ${min} days, got ${Math.floor(span)}`,
    )
  }
  if (span > max) throw invalid({ 'payload.baseline': [`must span at most ${max} days`] })
}

/** The rewarded venues in order, then the controls. */
async function venuesOf(records: TenantRecords, request: ProgramRequest): Promise<VenueRecord[]> {
  const { venues, baseline, pair } = request
  const names = [
    ...venues.map(({ venue: ref }, index) => ({ ref, at: `payload.venues.${index}.venue` })),
    ...(baseline.controls ?? []).map((ref, index) => ({
      ref,
      at: `payload.baseline.controls.${index}`,
    })),
  ]
  const found = await namedVenues(records, names, pair, invalid)
  for (const [itemIndex, { payload }] of found.entries()) {
    if (payload.kind === 'UNISWAP_V3' || payload.kind === 'UNISWAP_V2') continue
    throw new Failure('LIQUIDITY_INCENTIVE_ADAPTER_EVIDENCE_INVALID', {
      fieldErrors: {
        [names[itemIndex]!.at]: [`must be a venue that an adapter supports, got ${payload.kind}`],
      },
    })
  }
  return found
}

const unavailable = (at: string, { id, resourceVersion }: Ref) =>
  new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { [at]: [`must be a stored version, got ${id} ${resourceVersion}`] },
  })

async function observationsOf(
  records: TenantRecords,
  { baseline, venues }: ProgramRequest,
): Promise<ObservationRecord[]> {
  const known = new Set([
    ...venues.map(({ venue }) => venue.id),
    ...(baseline.controls ?? []).map(({ id }) => id),
  ])
  const overtaken = await namedOvertaken(records, [...known])
  const found = await Promise.all(
    baseline.observations.map(async (ref, index) => {
      const at = `payload.baseline.observations.${index}`
      const read = await records.version<ObservationRecord['payload']>(
        ...(['VenueObservation', ref.id, ref.resourceVersion] as const),
      )
      if (!read) throw unavailable(at, ref)
      const { status, payload } = read.record
      if (!known.has(payload.venue.id)) throw invalid({ [at]: ['must be of a named venue'] })
      if (overtaken.has(ref.id)) throw invalid({ [at]: [overtakenWords] })
      if (status !== 'COMPLETED' || !payload.continuity.proved) {
        throw baselineRequired(
          at,
          `must use an observation with proved continuity, got one that is ${status}`,
        )
      }
      return read.record
    }),
  )
  found.sort((a, b) => a.payload.range.from.number - b.payload.range.from.number)
  for (const [place, { payload }] of found.entries()) {
    const next = found.slice(place + 1).find((later) => later.payload.venue.id === payload.venue.id)
    if (next && next.payload.range.from.number <= payload.range.to.number) {
      throw invalid({
        'payload.baseline.observations': [
          `must not overlap for one venue, got an overlap at ${next.id}`,
        ],
      })
    }
  }
  return found
}

/** Rejects the request if another program paid on a venue or control during the baseline. */
async function requireNoOverlap(records: TenantRecords, request: ProgramRequest): Promise<void> {
  const paid = await records.find<ProgramPayload>('IncentiveProgram', {
    status: ['ACTIVE', 'COMPLETED', 'REVOKED'],
    order: 'OLDEST',
  })
  const { venues, baseline } = request
  const ids = new Set(
    [...venues.map(({ venue }) => venue), ...(baseline.controls ?? [])].map(({ id }) => id),
  )
  const [from, to] = [Date.parse(request.baseline.from), Date.parse(request.baseline.to)]
  for (const { id, payload } of paid) {
    if (!payload.firstDistribution) continue
    const start = Date.parse(payload.request.start)
    const end = start + payload.request.days * dayMilliseconds
    const isShared = payload.request.venues.some(({ venue }) => ids.has(venue.id))
    if (isShared && start < to && end > from) {
      throw baselineRequired(
        'payload.baseline',
        `must not overlap the program ${id}, which paid rewards on one of the venues or controls`,
      )
    }
  }
}

const unmeasured = (at: string, status: string) =>
  new Failure('LIQUIDITY_INCENTIVE_CONFIDENCE_INSUFFICIENT', {
    message: 'A prior program has no complete measurement.',
    fieldErrors: {
      [at]: [`must be COMPLETED, got ${status}; use the version after the end of the program`],
    },
  })

/** Completed earlier programs. The completed version of a program contains its final evaluation. */
async function priorsOf(records: TenantRecords, { priorPrograms = [], pair }: ProgramRequest) {
  const found = await Promise.all(
    priorPrograms.map(async (ref, index) => {
      const at = `payload.priorPrograms.${index}`
      type Payload = ProgramPayload
      const read = await records.version<Payload>('IncentiveProgram', ref.id, ref.resourceVersion)
      if (!read) throw unavailable(at, ref)
      const { status, payload } = read.record
      if (status !== 'COMPLETED') throw unmeasured(at, status)
      if (!isSamePair(payload.request.pair, pair))
        throw invalid({ [at]: ['must be a program of the same pair'] })
      const bound = await boundEvaluation(records, ref)
      const evidence = bound && evidenceOf(bound.evaluation)
      return bound && evidence ? [{ name: `prior.${index}`, hash: bound.hash, evidence }] : []
    }),
  )
  return found.flat()
}

/** The last evaluation of exactly this version, with the hash of its event. */
export async function boundEvaluation(
  records: TenantRecords,
  { id, resourceVersion }: Ref,
): Promise<{ evaluation: Evaluation; hash: string } | null> {
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId} and subject_id = ${id}
      order by sequence desc limit ${limits.incentiveEvents}`,
  ])
  for (const row of rows) {
    const event = openEvent(textOf(row, 'body'))
    const { evaluation } = event.payload as { evaluation?: Evaluation }
    if (event.subject.resourceVersion !== resourceVersion || !evaluation?.responsePips) continue
    return { evaluation, hash: event.evidenceHash }
  }
  return null
}

function evidenceOf({
  state,
  responsePips,
  responseErrorPips,
  speedPerDayPips,
  retention,
}: Evaluation): PriorEvidence | null {
  if (state !== 'COMPLETED') return null
  if (!responsePips || responseErrorPips === null || speedPerDayPips === null) return null
  const lastRetention = retention.at(-1)
  return {
    response: responsePips.estimatePips / MILLION,
    responseError: responseErrorPips / MILLION,
    speedPerDay: Math.min(1, Math.max(0.01, speedPerDayPips / MILLION)),
    retention: lastRetention ? Math.min(1, Math.max(0, lastRetention.keptPips / MILLION)) : null,
  }
}
