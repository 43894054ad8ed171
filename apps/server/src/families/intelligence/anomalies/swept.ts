import type { Services } from '../../../services.ts'
import { ConflictError } from '../../../store/database/database.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** What a sweep did. `sweptTo` is how far each venue was known, so that the next one sees what is new. */
export interface Swept {
  subjects: number
  detected: number
  cleared: number
  sweptTo: Record<string, number>
  /** How many observations of each venue had left the chain: what was told of those is asked again. */
  overtaken: Record<string, number>
  /** Moments up to which studies were compared with what happened, by fingerprint. */
  comparedTo: Record<string, number>
}

export interface SweepRun {
  records: TenantRecords
  services: Pick<Services, 'background' | 'committer'>
  signal: AbortSignal
  progress: (pips: number) => Promise<void>
  /** Of the sweep before, Unix seconds by venue. */
  sweptTo: Readonly<Record<string, number>>
  overtaken: Readonly<Record<string, number>>
  comparedTo: Readonly<Record<string, number>>
}

/** Somebody else may have told of the same first; the next sweep meets what is left. */
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
