import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../../failure.ts'
import { pairKey } from '../../../../market/pair.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { AnomalyRequest } from '../subject.ts'

type Study = VersionedRecord<Static<typeof contract.SimulationStudy>>
type Subject = AnomalyRequest['subject']
export type BoundArm = Study['payload']['spec']['arms'][number]

export interface BoundStudy {
  readonly study: Study
  readonly arm: BoundArm
}

/**
 * Returns the study of a subject. The study must be the current version, simulate the subject's venue
 * and use a current strategy. It may still be running.
 *
 * @throws Failure 404 for an unknown study, 422 LIQUIDITY_ANOMALY_STUDY_INCOMPATIBLE for an unsuitable one
 */
export async function boundStudy(records: TenantRecords, subject: Subject): Promise<BoundStudy> {
  const { study: ref } = subject
  if (!ref) throw new Error('A divergence requires a study.')
  const at = 'payload.subject.study'
  const found = await records.version<Study['payload']>(
    'SimulationStudy',
    ref.id,
    ref.resourceVersion,
  )
  if (!found) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { [at]: [`must be a stored study, got ${ref.id}`] },
    })
  }
  const study = found.record
  const why = found.isCurrent ? misfitOf(study, subject) : 'must be the current version'
  if (why !== null) throw incompatible({ [at]: [why] })
  const arm = armOf(study, subject)
  await requireCurrentStrategy(records, arm)
  return { study, arm }
}

function misfitOf({ payload: { spec } }: Study, { pair, venueId }: Subject): string | null {
  if (spec.kind === 'REPLAY') return 'must not be a REPLAY study: it has no price paths'
  if (pairKey(spec.pair) !== pairKey(pair)) return 'must be a study of the same pair'
  if (!('venue' in spec.market))
    return 'must simulate the market of a venue, got a market without trades'
  const { id } = spec.market.venue
  return id === venueId ? null : `must be a study of venue ${venueId}, got ${id}`
}

/** The arm of the subject; by default, the first arm other than HOLD. */
function armOf({ payload: { spec } }: Study, { armId }: Subject): BoundArm {
  const at = 'payload.subject.armId'
  const doing = spec.arms.filter((arm) => !('position' in arm) || arm.position.kind !== 'HOLD')
  const arm = armId === undefined ? doing[0] : spec.arms.find((one) => one.armId === armId)
  if (!arm) {
    const known = doing.map((one) => one.armId).join(', ') || 'none'
    throw incompatible({ [at]: [`must be an arm of the study other than HOLD: ${known}`] })
  }
  if (!doing.includes(arm))
    throw incompatible({ [at]: ['must not be a HOLD arm: it cannot diverge'] })
  return arm
}

/** A study of an outdated strategy version cannot predict the current one. */
async function requireCurrentStrategy(records: TenantRecords, arm: BoundArm): Promise<void> {
  if (!('strategy' in arm)) return
  const { id, resourceVersion } = arm.strategy
  const found = await records.version('StrategyDefinitionV2', id, resourceVersion)
  if (found?.isCurrent && found.record.status !== 'REVOKED') return
  throw incompatible({
    'payload.subject.study': [`must use the current version of the strategy ${id}`],
  })
}

/** Error for a study that cannot be compared with realized data. */
export const incompatible = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_ANOMALY_STUDY_INCOMPATIBLE', { fieldErrors })
