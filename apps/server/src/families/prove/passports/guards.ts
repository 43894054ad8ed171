import { integerOf, type Row } from '../../../store/database/row.ts'
import { join, type Sql, sql } from '../../../store/database/sql.ts'
import { idRange, type ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

/** Record kinds whose new records or versions can change passport claims. */
const guarded: readonly ResourceType[] = [
  ...(['QualifiedVault', 'ProjectControlProof', 'MarketQualityScore', 'VenueObservation'] as const),
  ...(['AutonomyPolicy', 'TreasuryReconciliation', 'ExecutionReceipt'] as const),
  ...(['LiquidityAnomaly', 'TreasuryBucket', 'IncentiveProgram', 'Provider'] as const),
  ...(['PartnerConsent', 'MarketMakerMandate', 'StrategyDefinitionV2'] as const),
  'TreasuryCustodyEvidence',
]

/** Number of records of these kinds, and of their versions; both only grow. */
export interface Mark {
  readonly heads: number
  readonly versions: number
}

function counted(organizationId: string): Sql {
  const ranges = guarded.map((type) => {
    const { from, to } = idRange(type)
    return sql`(id >= ${from} and id < ${to})`
  })
  return sql`select count(*) as heads, coalesce(sum(sequence), 0) as versions from record_heads
    where organization_id = ${organizationId} and (${join(ranges, ' or ')})`
}

/** Taken before the first read of a source. */
export async function markSources(records: TenantRecords): Promise<Mark> {
  const [rows = []] = await records.query([counted(records.organizationId)])
  const row: Row = rows[0] ?? {}
  return { heads: integerOf(row, 'heads'), versions: integerOf(row, 'versions') }
}

/**
 * Fails the transaction (LQ001) if any source changed since the mark; the request is then evaluated
 * again. Later commits come after the publication.
 */
export const requireUnmoved = (organizationId: string, { heads, versions }: Mark): Sql =>
  sql`select require_expected(heads = ${heads} and versions = ${versions})
    from (${counted(organizationId)}) as now`
