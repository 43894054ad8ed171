import type { SealedRecord } from '@liquidity-os/evidence'
import type { Outcome } from '../http/handler.ts'
import type { Change } from '../store/records/change.ts'

/** @param all all ranges that can be added */
export function recordReply(sealed: SealedRecord, change: Change, status?: number): Outcome {
  const { id, sequence } = sealed.record
  return {
    ...(status === undefined ? {} : { status }),
    record: { id, sequence, text: sealed.text, resourceVersion: sealed.resourceVersion },
    change,
  }
}
