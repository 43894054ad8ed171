import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { required } from '../../../required.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { StudyPayload } from './replay/replay-result.ts'
import { type StudyResult, specHashOf } from './study-hashes.ts'
import type { StudySpec } from './validate-spec.ts'

/** Name that the first study with this specification holds for one engine build. */
export const studyClaim = (spec: StudySpec) => ({
  kind: 'study-spec',
  name: `${specHashOf(spec)}|${engineBuildHash()}`,
})

/** A study that ends without a result releases its claim, so the next equal study can claim it. */
export const releasedBy = ({
  spec,
  reproduces,
}: Pick<StudyPayload, 'spec' | 'reproduces'>): Pick<Change, 'releases'> => ({
  releases: reproduces === null ? [studyClaim(spec)] : [],
})

/**
 * Name claimed by the first completed study of a specification. The first accepted study can finish
 * later.
 */
const answerTo = (spec: StudySpec) => ({ ...studyClaim(spec), kind: 'study-answer' })

/** Two different results of one specification; the resulting alert contains both. */
export interface Nondeterminism {
  cause: 'NONDETERMINISM'
  reproduces: string
  expectedResultHash: string
  resultHash: string
}

/**
 * Compares a result with the first result of the same specification. The same engine must give the
 * same result; a difference is a defect that must raise an alert. If two studies end
 * simultaneously, the claim lets only one store first, and the other one compares.
 *
 * @returns `claims` for the change that stores the result; `difference` is null if both agree
 */
export async function compareAnswers(
  records: TenantRecords,
  { spec }: Pick<StudyPayload, 'spec'>,
  { resultHash }: StudyResult,
): Promise<{
  difference: Nondeterminism | null
  claims: (recordId: string) => Change['claims']
}> {
  const { kind, name } = answerTo(spec)
  const { organizationId } = records
  const [rows] = await records.query([
    sql`select record_id from names where organization_id = ${organizationId} and kind = ${kind} and name = ${name}`,
  ])
  const first = rows?.[0]?.record_id
  if (!first) {
    return { difference: null, claims: (recordId) => [{ ...answerTo(spec), recordId }] }
  }
  const earlier = await records.current<StudyPayload>('SimulationStudy', first)
  const expectedResultHash = required(
    earlier?.record.payload.result,
    `result of the study ${first}`,
  ).resultHash
  const difference: Nondeterminism | null =
    expectedResultHash === resultHash
      ? null
      : { cause: 'NONDETERMINISM', reproduces: first, expectedResultHash, resultHash }
  return { difference, claims: () => [] }
}
