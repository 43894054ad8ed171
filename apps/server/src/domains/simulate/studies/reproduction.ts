import type { TenantRecords } from '../../../records/tenant-records.ts'
import type { StudyResult } from '../../../simulation/study-hashes.ts'
import type { StudyPayload } from './replay-result.ts'

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
