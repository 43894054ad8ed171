import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { dueName } from '../../../jobs/overdue.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'

export type ScorePayload = Static<typeof contract.MarketQualityScore>
export type ScoreRecord = VersionedRecord<ScorePayload>

/** Minimum confidence to activate a score, in pips. */
export const minConfidencePips = 600_000

/** Kind of the names that ACTIVE scores hold until they expire. */
export const scoreDueName = 'score-due'
/** Kind of the unique name of a pair, held by one score at a time. */
export const activeName = 'active-score'

type Pair = Pick<ScorePayload['request']['pair'], 'chainId' | 'base' | 'quote'>

const pairName = ({ chainId, base, quote }: Pair) =>
  `${chainId}|${base.toLowerCase()}|${quote.toLowerCase()}`

/** The names that a score holds while ACTIVE. */
export function heldBy({
  id,
  payload,
}: Pick<VersionedRecord<ScorePayload>, 'id' | 'payload'>): Change['releases'] {
  return [
    { kind: activeName, name: pairName(payload.request.pair) },
    { kind: scoreDueName, name: dueName(payload.validUntil, id) },
  ]
}

/** Last activated score of a pair, expired or not; null if none exists. */
export async function holderOf(
  records: TenantRecords,
  pair: Pair,
): Promise<Current<ScorePayload> | null> {
  const [rows] = await records.query([
    sql`select record_id from names where organization_id = ${records.organizationId}
      and kind = ${activeName} and name = ${pairName(pair)}`,
  ])
  const id = rows?.[0]?.record_id
  const found = id ? await records.current<ScorePayload>('MarketQualityScore', id) : null
  return found?.record.status === 'ACTIVE' ? found : null
}
