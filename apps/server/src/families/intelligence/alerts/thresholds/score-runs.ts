import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { limits } from '../../../../limits.ts'
import type { Pair } from '../../../../market/pair.ts'
import { optionalTextOf, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { findStatement, member } from '../../../../store/records/find.ts'
import { idRange } from '../../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Run } from './state-machine.ts'

export type ScoreRecord = VersionedRecord<Static<typeof contract.MarketQualityScore>>

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)

/**
 * Samples of the score of a pair, one per second, after `before.at` up to now. Until the active score
 * began, the last value holds if its sample is recent. An expired score has no value.
 *
 * @param active the ACTIVE score of the pair
 */
export function scoreRuns(
  before: { readonly at: number; readonly value: bigint | null },
  active: ScoreRecord | null,
  now: number,
): Run[] {
  const first = before.at + 1
  if (active === null) return runsOf([[first, now, null]])
  const began = secondsOf(active.createdAt)
  const { validUntil, scorePips } = active.payload
  const isRecent = began - first <= limits.mapFreshSeconds
  const end = secondsOf(validUntil)
  return runsOf([
    [first, Math.min(now, began - 1), isRecent ? before.value : null],
    [Math.max(first, began), Math.min(now, end - 1), scorePips === null ? null : BigInt(scorePips)],
    [Math.max(first, end, began), now, null],
  ])
}

const runsOf = (parts: readonly (readonly [number, number, bigint | null])[]): Run[] =>
  parts.flatMap(([from, to, value]) => (from > to ? [] : [{ from, to, value }]))

/** ACTIVE scores of all pairs. */
export const activeScoresStatement = (organizationId: string): Sql =>
  findStatement(organizationId, 'MarketQualityScore', { status: ['ACTIVE'] })

/** Samples of a pair over a time, from all versions that were ACTIVE in it. */
export async function readScoreRuns(
  records: TenantRecords,
  { chainId, base, quote }: Pick<Pair, 'chainId' | 'base' | 'quote'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Run[]> {
  const { organizationId } = records
  const range = idRange('MarketQualityScore')
  const oldest = idFrom(
    range.from,
    from - limits.scoreValidSeconds - limits.scoreActivationMilliseconds / 1000,
  )
  const [rows = []] = await records.query([
    sql`select r.body, (select n.body::jsonb ->> 'createdAt' from records n
        where n.organization_id = ${organizationId} and n.id = r.id and n.sequence = r.sequence + 1) as ended
      from records r where r.organization_id = ${organizationId} and r.id >= ${oldest} and r.id < ${range.to}
        and r.body::jsonb ->> 'status' = 'ACTIVE'
        and ${member('payload.request.pair.chainId')} = ${`${chainId}`}
        and lower(${member('payload.request.pair.base')}) = ${base.toLowerCase()}
        and lower(${member('payload.request.pair.quote')}) = ${quote.toLowerCase()}
      order by r.body::jsonb ->> 'createdAt', r.sequence`,
  ])
  const parts: [number, number, bigint | null][] = []
  let reached = from
  for (const row of rows) {
    const { createdAt, payload } = JSON.parse(textOf(row, 'body')) as ScoreRecord
    const ended = optionalTextOf(row, 'ended')
    const began = Math.max(reached, secondsOf(createdAt))
    const end = Math.min(
      to,
      secondsOf(payload.validUntil) - 1,
      ended === null ? to : secondsOf(ended) - 1,
    )
    if (end < began) continue
    const { scorePips } = payload
    parts.push([reached, began - 1, null])
    parts.push([began, end, scorePips === null ? null : BigInt(scorePips)])
    reached = end + 1
  }
  return runsOf([...parts, [reached, to, null]])
}

/** The smallest id that could be made at a time. */
function idFrom(prefix: string, seconds: number): string {
  const time = Math.max(0, Math.floor(seconds * 1000))
    .toString(16)
    .padStart(12, '0')
  return `${prefix.slice(0, -1)}${time}`
}
