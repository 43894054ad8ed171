import { contract } from '@liquidity-os/contract'
import type { JobInsert } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'

interface Wish {
  readonly formats: readonly contract.ReportFormat[]
  readonly reason: string
  readonly evidenceHashes: readonly string[]
  readonly requestedBy: { readonly kind: string; readonly id: string }
}

/** The job that signs the report of one study version. It always creates the signed body. */
export function reportJob(
  { id, resourceType, resourceVersion }: JobInsert['subject'],
  { formats, reason, evidenceHashes, requestedBy }: Wish,
  now: number,
): JobInsert {
  return {
    id: newId('job', now),
    kind: 'STUDY_REPORT',
    subject: { resourceType, id, resourceVersion },
    input: {
      // Sorted, so that equal requests have equal bytes.
      formats: contract.reportFormats.filter(
        (format) => format !== 'json' && formats.includes(format),
      ),
      reason,
      evidenceHashes,
      requestedBy,
    },
  }
}
