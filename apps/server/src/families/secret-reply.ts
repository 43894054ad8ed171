import { Failure } from '../failure.ts'

/** What an identical retry is told instead of the secret. */
export function alreadyReturned(record: {
  resourceType: string
  id: string
  resourceVersion: string
  createdAt: string
}): Failure {
  return new Failure('LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED', {
    metadata: {
      resourceType: record.resourceType,
      resourceId: record.id,
      resourceVersion: record.resourceVersion,
      issuedAt: record.createdAt,
    },
  })
}
