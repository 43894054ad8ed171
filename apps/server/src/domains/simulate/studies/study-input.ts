import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../http/failure.ts'
import { limits } from '../../../limits.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'

export type StudySpec = Static<typeof contract.StudySpec>

type Venue = Static<typeof contract.VenueProfile>
export type Observation = Static<typeof contract.VenueObservation>
type Strategy = Static<typeof contract.StrategyDefinitionV2>

/** The inputs of a study: exact generations, held together. */
export interface StudyInput {
  venue: VersionedRecord<Venue>
  /** The strategies of the arms, by arm. */
  strategies: ReadonlyMap<string, VersionedRecord<Strategy>>
  /** In chain order, without a gap over the window. */
  observations: readonly VersionedRecord<Observation>[]
}

/**
 * Finds what a study names and checks that it fits together.
 *
 * @throws Failure 404 for a source that does not exist, 422 for one that does not fit
 */
export async function readStudyInput(records: TenantRecords, spec: StudySpec): Promise<StudyInput> {
  const faults = specFaults(spec)
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', { fieldErrors: faults })
  }
  const { base, quote } = spec.capital
  if (base === '0' && quote === '0') throw new Failure('LIQUIDITY_STUDY_CAPITAL_ZERO')
  const venue = await exact<Venue>(
    records,
    'VenueProfile',
    spec.market.venue,
    'payload.market.venue',
  )
  requireReplayable(spec, venue.payload)
  const observations: VersionedRecord<Observation>[] = []
  for (const [index, ref] of spec.observations.entries()) {
    const at = `payload.observations.${index}`
    const observation = await exact<Observation>(records, 'VenueObservation', ref, at)
    if (observation.payload.venue.id !== venue.id) {
      throw invalid(at, `is an observation of ${observation.payload.venue.id}, not of ${venue.id}`)
    }
    observations.push(observation)
  }
  observations.sort((a, b) => a.payload.range.from.number - b.payload.range.from.number)
  requireCoverage(spec, observations)
  const events = observations.reduce((sum, { payload }) => sum + payload.events.count, 0)
  if (events > limits.studyEvents) {
    throw new Failure('LIQUIDITY_STUDY_BUDGET_EXCEEDED', {
      fieldErrors: { 'payload.window': [`holds ${events} events, at most ${limits.studyEvents}`] },
    })
  }
  return { venue, observations, strategies: await strategiesOf(records, spec, venue.id) }
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
    fieldErrors: { [at]: [`has no version ${ref.resourceVersion} of ${ref.id}`] },
  })
}

/** The strategies that arms name: exact versions that compiled, for this venue. */
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
      throw invalid(at, `is a strategy for ${definition.venue.id}, not for ${venueId}`)
    }
    const isRunnable = compilation.ok && record.status !== 'REVOKED'
    if (!isRunnable) {
      const why = compilation.ok ? 'is revoked' : 'did not compile'
      throw new Failure('LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE', {
        fieldErrors: { [at]: [why] },
      })
    }
    // Its width at the start is that of a volatility which a replay does not know before it begins.
    const scaled = definition.positions.findIndex(({ template }) => template.kind === 'VOL_SCALED')
    if (scaled >= 0) {
      throw new Failure('LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE', {
        fieldErrors: {
          [at]: [`positions.${scaled} is VOL_SCALED, and no volatility is calibrated`],
        },
      })
    }
    found.set(arm.armId, record)
  }
  return found
}

/** What a specification says against itself. */
function specFaults(spec: StudySpec): FieldErrors {
  const faults: FieldErrors = {}
  if (spec.window.toBlock < spec.window.fromBlock) {
    faults['payload.window.toBlock'] = [
      `must be at least fromBlock ${spec.window.fromBlock}, got ${spec.window.toBlock}`,
    ]
  }
  const seen = new Set<string>()
  for (const [index, { armId }] of spec.arms.entries()) {
    if (seen.has(armId)) faults[`payload.arms.${index}.armId`] = [`is used twice: ${armId}`]
    seen.add(armId)
  }
  return faults
}

function requireReplayable(spec: StudySpec, venue: Venue): void {
  if (venue.kind !== 'UNISWAP_V3') {
    throw invalid(
      'payload.market.venue',
      `must be a UNISWAP_V3 venue for REPLAY, got ${venue.kind}`,
    )
  }
  if (JSON.stringify(sorted(spec.pair)) !== JSON.stringify(sorted(venue.pair))) {
    throw invalid('payload.pair', 'must be the pair of the venue')
  }
  const spacing = venue.tickSpacing ?? 1
  const unaligned: FieldErrors = {}
  for (const [index, arm] of spec.arms.entries()) {
    const position = 'position' in arm ? arm.position : null
    if (position?.kind === 'TICKS') {
      for (const edge of ['tickLower', 'tickUpper'] as const) {
        if (position[edge] % spacing !== 0) {
          unaligned[`payload.arms.${index}.position.${edge}`] = [
            `must be a multiple of ${spacing}, got ${position[edge]}`,
          ]
        }
      }
      if (position.tickLower >= position.tickUpper) {
        throw invalid(`payload.arms.${index}.position.tickUpper`, 'must be above tickLower')
      }
    }
  }
  if (Object.keys(unaligned).length > 0) {
    throw new Failure('LIQUIDITY_STUDY_TICK_UNALIGNED', { fieldErrors: unaligned })
  }
}

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

/** Every block of the window lies in one observation, and each begins where the one before ends. */
function requireCoverage(
  spec: StudySpec,
  observations: readonly VersionedRecord<Observation>[],
): void {
  const { fromBlock, toBlock } = spec.window
  let covered = (observations[0]?.payload.range.from.number ?? 0) - 1
  const missing: string[] = []
  if (covered >= fromBlock) missing.push(`${fromBlock} to ${covered}`)
  for (const { payload } of observations) {
    if (payload.range.from.number !== covered + 1) {
      missing.push(`${covered + 1} to ${payload.range.from.number - 1}`)
    }
    covered = payload.range.to.number
  }
  if (covered < toBlock) missing.push(`${covered + 1} to ${toBlock}`)
  if (missing.length > 0) {
    throw new Failure('LIQUIDITY_STUDY_WINDOW_UNCOVERED', {
      fieldErrors: { 'payload.window': missing.map((range) => `blocks ${range} are not observed`) },
    })
  }
}
