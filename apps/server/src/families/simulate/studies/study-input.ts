import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { namedOvertaken, overtakenWords } from '../../../market/observed-spans.ts'
import { isSamePair } from '../../../market/pair.ts'
import { type NamedReference, readReference } from '../../../market/prices/named-reference.ts'
import { stableSwapRemedy } from '../../../market/stableswap-remedy.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { validateGuard, validateRange } from '../../plan/strategies/api.ts'
import type { Observation } from './replay/window-coverage.ts'
import type { StudyResult } from './study-hashes.ts'
import type { StudySpec } from './validate-spec.ts'

type Venue = Static<typeof contract.VenueProfile>
type Strategy = Static<typeof contract.StrategyDefinitionV2>

/** The inputs of a study on a venue: matched exact versions. */
export interface StudyInput {
  venue: VersionedRecord<Venue>
  /** The strategies by candidate. */
  strategies: ReadonlyMap<string, VersionedRecord<Strategy>>
  /** In chain order. */
  observations: readonly Observation[]
  /** External prices; null if the study has no reference. */
  reference: NamedReference | null
}

/**
 * Finds the sources of a study on a venue, and checks that they match.
 *
 * @throws Failure 404 for an unknown source, 422 for an unsuitable one
 */
export async function readStudyInput(records: TenantRecords, spec: StudySpec): Promise<StudyInput> {
  if (!('venue' in spec.market)) throw new Error('An inline market has no inputs to read.')
  const at = 'payload.market.venue'
  const venue = await exact<Venue>(records, 'VenueProfile', spec.market.venue, at)
  requireVenue(spec, venue.payload)
  const observations: Observation[] = []
  const overtaken = await namedOvertaken(records, [venue.id])
  for (const [index, ref] of (spec.observations ?? []).entries()) {
    const at = `payload.observations.${index}`
    const observation = await exact<Observation['payload']>(records, 'VenueObservation', ref, at)
    if (observation.payload.venue.id !== venue.id) {
      throw invalid(
        at,
        `must be an observation of ${venue.id}, got one of ${observation.payload.venue.id}`,
      )
    }
    if (overtaken.has(observation.id)) throw invalid(at, overtakenWords)
    observations.push(observation)
  }
  observations.sort((a, b) => a.payload.range.from.number - b.payload.range.from.number)
  return {
    venue,
    observations,
    strategies: await strategiesOf(records, spec, venue.id),
    reference: await referenceOf(records, spec, venue.payload, observations),
  }
}

async function referenceOf(
  records: TenantRecords,
  { reference, pair }: StudySpec,
  { feePips, address }: Venue,
  observations: readonly Observation[],
): Promise<NamedReference | null> {
  const [first, last] = [observations[0], observations.at(-1)]
  if (!reference || reference.kind === 'POOL_POST_SWAP' || !first || !last) return null
  const seconds = (time: string) => Date.parse(time) / 1000
  return readReference(records, reference, {
    pair,
    window: {
      from: seconds(first.payload.range.from.timestamp),
      to: seconds(last.payload.range.to.timestamp),
    },
    // Default fee of v2 pairs without a profile fee.
    feePips: feePips ?? 3000,
    evaluated: [address],
    field: 'payload.reference',
    refusal: 'LIQUIDITY_STUDY_REFERENCE_REQUIRED',
  })
}

const invalid = (field: string, message: string) =>
  new Failure('LIQUIDITY_STUDY_INPUT_INVALID', { fieldErrors: { [field]: [message] } })

async function exact<Payload>(
  records: TenantRecords,
  type: 'VenueProfile' | 'VenueObservation' | 'StrategyDefinitionV2',
  ref: { id: string; resourceVersion: string },
  at: string,
): Promise<VersionedRecord<Payload>> {
  const found = await records.version<Payload>(type, ref.id, ref.resourceVersion)
  if (found) return found.record
  throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { [at]: [`must be a stored version of ${ref.id}, got ${ref.resourceVersion}`] },
  })
}

/** The strategies of the candidates: exact versions that compile, for this venue. */
async function strategiesOf(
  records: TenantRecords,
  { arms }: StudySpec,
  venueId: string,
): Promise<Map<string, VersionedRecord<Strategy>>> {
  const found = new Map<string, VersionedRecord<Strategy>>()
  for (const [index, arm] of arms.entries()) {
    if (!('strategy' in arm)) continue
    const at = `payload.arms.${index}.strategy`
    const record = await exact<Strategy>(records, 'StrategyDefinitionV2', arm.strategy, at)
    const { definition, compilation } = record.payload
    if (definition.venue.id !== venueId) {
      throw invalid(at, `must be a strategy for ${venueId}, got one for ${definition.venue.id}`)
    }
    const isRunnable = compilation.ok && record.status !== 'REVOKED'
    if (!isRunnable) {
      throw notCompilable(at, compilation.ok ? 'is revoked' : 'did not compile')
    }
    // Strategies of an earlier release may contain fields that this release ignores.
    const [fault] = Object.values(validateGuard(definition, at))
    if (fault) throw notCompilable(at, `has guards.oracleMaxAgeSeconds, which ${fault[0]}`)
    const [tooLow] = Object.entries(validateRange(definition, 'definition'))
    if (tooLow) throw notCompilable(at, `has ${tooLow[0]}, which ${tooLow[1][0]}`)
    found.set(arm.armId, record)
  }
  return found
}

const notCompilable = (at: string, why: string) =>
  new Failure('LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE', { fieldErrors: { [at]: [why] } })

function requireVenue(spec: StudySpec, venue: Venue): void {
  const at = 'payload.market.venue'
  if (spec.kind === 'REPLAY' && venue.kind !== 'UNISWAP_V3') {
    throw invalid(at, `must be a UNISWAP_V3 venue for REPLAY, got ${venue.kind}${remedyOf(venue)}`)
  }
  if (venue.kind === 'STABLESWAP') {
    throw invalid(
      at,
      `must not be a STABLESWAP venue, because its events contain no prices${remedyOf(venue)}`,
    )
  }
  if (venue.kind === 'CLOB_SNAPSHOT') {
    throw invalid(at, 'must not be an order book: its liquidity providers have no model')
  }
  if (!isSamePair(spec.pair, venue.pair))
    throw invalid('payload.pair', 'must match the pair of the venue')
  if (venue.kind === 'UNISWAP_V3') requireAlignedTicks(spec, venue.tickSpacing ?? 1)
}

/** The alternative to a backtest for a venue kind, as a clause of a refusal; empty if none is known. */
export function remedyOf(venue: Pick<Venue, 'kind' | 'stableswap'>): string {
  switch (venue.kind) {
    case 'STABLESWAP':
      return `; ${stableSwapRemedy(venue)}`
    case 'UNISWAP_V2':
      return '; use MONTE_CARLO'
    case 'CLOB_SNAPSHOT':
      return '; an order book has no model of its liquidity providers'
    default:
      return ''
  }
}

/** @throws Failure 422 LIQUIDITY_STUDY_TICK_UNALIGNED */
export function requireAlignedTicks(spec: StudySpec, spacing: number): void {
  const unaligned: FieldErrors = {}
  for (const [index, arm] of spec.arms.entries()) {
    const position = 'position' in arm ? arm.position : null
    if (position?.kind !== 'TICKS') continue
    for (const edge of ['tickLower', 'tickUpper'] as const) {
      if (position[edge] % spacing === 0) continue
      unaligned[`payload.arms.${index}.position.${edge}`] = [
        `must be a multiple of ${spacing}, got ${position[edge]}`,
      ]
    }
  }
  if (Object.keys(unaligned).length > 0) {
    throw new Failure('LIQUIDITY_STUDY_TICK_UNALIGNED', { fieldErrors: unaligned })
  }
}

/** All source records of a study on a venue, in their exact versions. */
export function inputsOf(input: StudyInput): StudyResult['evidence']['inputs'] {
  return [
    { name: 'venue', hash: input.venue.resourceVersion },
    ...input.observations.map(({ resourceVersion }, index) => ({
      name: `observation.${index}`,
      hash: resourceVersion,
    })),
    ...[...input.strategies].map(([armId, { resourceVersion }]) => ({
      name: `strategy.${armId}`,
      hash: resourceVersion,
    })),
    ...(input.reference?.inputs ?? []),
  ]
}
