import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { RequestActor } from '../../../access/request-actor.ts'
import { Failure } from '../../../failure.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { readerFault } from './review/review-readers.ts'
import { failingClosed, requireRun } from './serialize-run.ts'
import { verifyRun } from './verify-run.ts'

export { metricWords, verdictWords } from './drawn.ts'
export { unitOf as unitOfMetric } from './receipt.ts'

/**
 * Returns the verified research report. Null if the run has no report or is of another kind.
 *
 * @throws Failure 503 LIQUIDITY_AGENT_RUN_UNVERIFIABLE
 */
export async function verifiedReport(
  records: TenantRecords,
  { database, awaited }: Pick<Services, 'database' | 'awaited'>,
  { id, payload }: VersionedRecord<contract.AgentRun>,
): Promise<contract.ResearchReport | null> {
  const { report } = payload
  if (report?.reportVersion !== 'research-report-v1') return null
  const { checks } = await failingClosed(() =>
    verifyRun(records, database, awaited, { id, payload }),
  )
  if (checks.some(({ ok }) => !ok)) throw new Failure('LIQUIDITY_AGENT_RUN_UNVERIFIABLE')
  return report
}

/**
 * Reason a user may not download bytes of a run, or null. Only users who may read a review can
 * download its sentences. Sealed content is open to all readers of runs.
 */
export async function bytesFault(
  records: TenantRecords,
  actor: RequestActor,
  { runId, contentHash }: { readonly runId: string; readonly contentHash: string },
): Promise<Failure | null> {
  const { payload } = await requireRun(records, runId)
  const isText = [payload.draftHash, payload.narration?.wordsHash].includes(contentHash)
  return isText ? readerFault(records, actor, payload) : null
}
