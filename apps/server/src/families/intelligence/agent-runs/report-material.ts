import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Run } from './records.ts'
import type { ReportTask } from './report-task.ts'
import { sealedProtocol } from './sealed-protocol.ts'

/** Bytes without an artifact so far. */
export async function reportMaterial(records: TenantRecords, payload: Run): Promise<ReportTask> {
  const { capture, captureHash, draftHash, trials } = payload
  if (!capture || captureHash === null) throw new Error('The run has no capture.')
  const { content, protocolHash } = await sealedProtocol(records, payload)
  const receipts: Uint8Array[] = []
  for (const { receiptHash } of trials) {
    if (receiptHash !== null) receipts.push(await records.artifact(receiptHash))
  }
  return {
    protocol: content,
    protocolHash,
    captureHash,
    receipts,
    capture: { coveragePips: capture.coveragePips, gaps: capture.gaps },
    trials: trials.map(({ trialKey, label, state, reason, receiptHash }) => ({
      trialKey,
      label,
      state,
      reason,
      receiptHash,
    })),
    draft:
      draftHash === null ? null : { content: await records.artifact(draftHash), hash: draftHash },
  }
}
