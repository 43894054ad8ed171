import type { Services } from '../../../services.ts'
import { ConflictError } from '../../../store/database/database.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/**
 * Result of a sweep. `sweptTo` is the time covered per venue, so that the next sweep sees only new
 * data.
 */
export interface Swept {
  subjects: number
  detected: number
  cleared: number
  sweptTo: Record<string, number>
  /** Number of observations per venue lost to reorgs. Their evaluations are repeated. */
  overtaken: Record<string, number>
  /** End of the compared period of studies per fingerprint, in Unix seconds. */
  comparedTo: Record<string, number>
}

export interface SweepRun {
  records: TenantRecords
  services: Pick<Services, 'background' | 'committer'>
  signal: AbortSignal
  progress: (pips: number) => Promise<void>
  /** End of the previous sweep per venue, in Unix seconds. */
  sweptTo: Readonly<Record<string, number>>
  overtaken: Readonly<Record<string, number>>
  comparedTo: Readonly<Record<string, number>>
}

/** Ignores a write conflict: another process was faster, and the next sweep handles the rest. */
export async function tryToCommit(
  { committer }: Pick<Services, 'committer'>,
  change: Change,
): Promise<boolean> {
  try {
    await committer.commit(change)
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}
