import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { controlChallenges, nonceName } from './records.ts'

/**
 * Challenge of the organization by nonce.
 *
 * @throws Failure 404
 */
export async function findChallenge(records: TenantRecords, nonce: string) {
  const id = await records.holder({ kind: nonceName, name: nonce })
  const current = id === null ? null : await controlChallenges.current(records, id)
  if (current === null) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return current
}
