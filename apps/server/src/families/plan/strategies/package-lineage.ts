import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { StrategyPayload } from './compile.ts'

export type PackagePayload = Static<typeof contract.StrategyPackage>

/** Current package of a strategy; null if it was not seeded from a package. */
export async function packageOf(
  records: TenantRecords,
  { lineage }: StrategyPayload,
): Promise<VersionedRecord<PackagePayload> | null> {
  if (!lineage) return null
  const current = await records.current<PackagePayload>('StrategyPackage', lineage.package.id)
  if (!current) throw new Error(`The package ${lineage.package.id} of a strategy is not stored.`)
  return current.record
}
