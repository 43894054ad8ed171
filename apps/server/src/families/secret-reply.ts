import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import type { Outcome } from '../http/handler.ts'

/**
 * Responds with a record and its secret, only once. An identical retry gets the time of issue
 * instead.
 */
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
