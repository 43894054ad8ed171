import type { TenantRecords } from '../../../records/tenant-records.ts'
import type { StudyResult } from '../../../simulation/study-hashes.ts'
import type { StudyPayload } from './replay-result.ts'

/** The same question to the same engine has the same answer; anything else is a defect that must be seen. */
export async function requireReproduction(
  records: TenantRecords,
  payload: Pick<StudyPayload, 'reproduces'>,
  result: StudyResult,
): Promise<void> {
  if (!payload.reproduces) return
  const earlier = await records.current<StudyPayload>('SimulationStudy', payload.reproduces.id)
  const before = earlier?.record.payload.result
  if (!before || before.evidence.engineBuildHash !== result.evidence.engineBuildHash) return
  if (before.resultHash !== result.resultHash) {
    throw new Error(`NONDETERMINISM: ${payload.reproduces.id} came to ${before.resultHash}.`)
  }
}
