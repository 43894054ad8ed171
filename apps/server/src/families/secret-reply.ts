import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import type { Outcome } from '../http/handler.ts'

/** Answers with a record and its secret, which leaves once: an identical retry is told when it was issued. */
export function secretReply(
  record: VersionedRecord,
  name: string,
  secret: string,
): Omit<Outcome, 'change'> {
  const { resourceType, id, resourceVersion, createdAt } = record
  return {
    etag: resourceVersion,
    data: { [name]: record, secret, secretReturnedOnce: true },
    storedAs: new Failure('LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED', {
      metadata: { resourceType, resourceId: id, resourceVersion, issuedAt: createdAt },
    }),
  }
}
