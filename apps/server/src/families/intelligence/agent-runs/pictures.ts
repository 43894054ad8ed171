import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { rebuildAssessment } from './assessed/assessed-report.ts'
import { assessmentKindOf } from './assessed/report-kinds.ts'
import type { DrawnRun } from './drawn.ts'
import type { Draft, Run } from './records.ts'
import { readerFault } from './review/review-readers.ts'
import { openJson } from './sealed-json.ts'
import { failingClosed, requireRun } from './serialize-run.ts'

export const pictures: PictureFamily = {
  operationId: 'getAgentRun',
  read: readRun,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/**
 * A run with the part of its report that the reader may read, and the quote decimals of its
 * protocol.
 */
async function readRun({ id, actor, records, services }: PictureRequest): Promise<DrawnRun> {
  const { payload: run } = await requireRun(records, id)
  const sealed = run.plan
    ? await services.artifacts.find(records.organizationId, run.plan.draftArtifact)
    : null
  const protocol = sealed ? openJson<Draft>(sealed) : null
  const fault = await readerFault(records, actor, run)
  return {
    run,
    report: fault ? null : await readReport(records, run),
    withheld: fault?.code === 'LIQUIDITY_ROLE_REQUIRED' ? 'ROLE' : fault ? 'VERSION' : null,
    quoteDecimals: protocol?.baseline.pair.quoteDecimals ?? null,
  }
}

/** Report of a run. If the record omits it, the service rebuilds it from the seals. */
async function readReport(records: TenantRecords, run: Run): Promise<DrawnRun['report']> {
  const kind = assessmentKindOf(run.kind)
  if (run.report || run.resultHash === null || !kind) return run.report
  const { report, resultHash } = await failingClosed(() => rebuildAssessment(kind, records, run))
  if (resultHash !== run.resultHash) throw new Failure('LIQUIDITY_AGENT_RUN_UNVERIFIABLE')
  return report
}
