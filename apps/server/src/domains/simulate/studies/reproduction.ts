import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import type { Change } from '../../../records/change.ts'
import type { TenantRecords } from '../../../records/tenant-records.ts'
import type { StudySpec } from '../../../simulation/spec-faults.ts'
import { type StudyResult, specHashOf } from '../../../simulation/study-hashes.ts'
import type { StudyPayload } from './replay-result.ts'

/** The name that the first study of a question holds, asked of one build of the engine. */
export const questionOf = (spec: StudySpec) => ({
  kind: 'study-spec',
  name: `${specHashOf(spec)}|${engineBuildHash()}`,
})

/** The question of a study that ends without an answer is free for the next one that asks it. */
export const releasedBy = ({
  spec,
  reproduces,
}: Pick<StudyPayload, 'spec' | 'reproduces'>): Pick<Change, 'releases'> => ({
  releases: reproduces === null ? [questionOf(spec)] : [],
})

/** Two results of one question; the alert that follows carries both. */
export interface Nondeterminism {
  cause: 'NONDETERMINISM'
  reproduces: string
  expectedResultHash: string
  resultHash: string
}

/**
 * Compares a result with that of the study which it reproduces. The same question to the same engine has the
 * same answer; anything else is a defect that must be seen.
 *
 * @returns null where the two agree, or another engine answered
 */
export async function compareReproduction(
  records: TenantRecords,
  { reproduces }: Pick<StudyPayload, 'reproduces'>,
  { resultHash, evidence }: StudyResult,
): Promise<Nondeterminism | null> {
  if (!reproduces) return null
  const earlier = await records.current<StudyPayload>('SimulationStudy', reproduces.id)
  const before = earlier?.record.payload.result
  if (!before || before.evidence.engineBuildHash !== evidence.engineBuildHash) return null
  if (before.resultHash === resultHash) return null
  return {
    cause: 'NONDETERMINISM',
    reproduces: reproduces.id,
    expectedResultHash: before.resultHash,
    resultHash,
  }
}
