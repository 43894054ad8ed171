import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { DamagedArtifactError } from '../../../store/artifacts/artifacts.ts'
import { StoreUnavailableError } from '../../../store/database/database.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { agentRuns, type Run } from './records.ts'

/** @throws Failure 404 */
export async function requireRun(
  records: TenantRecords,
  runId: string,
): Promise<VersionedRecord<Run>> {
  const current = await agentRuns.current(records, runId)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return current.record
}

/**
 * Fails closed: if sealed bytes cannot be verified, the caller receives only an error code. Store
 * outages and refusals pass unchanged.
 *
 * @throws Failure 503 LIQUIDITY_AGENT_RUN_UNVERIFIABLE
 */
export async function failingClosed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const isOther = cause instanceof Failure || cause instanceof StoreUnavailableError
    if (isOther && !(cause instanceof DamagedArtifactError)) throw cause
    throw new Failure('LIQUIDITY_AGENT_RUN_UNVERIFIABLE', { cause })
  }
}
