import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { sql } from '../../store/database/sql.ts'
import { member } from '../../store/records/find.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../units.ts'
import { type Computed, computedAtOf, snapshotTime } from './computed-at.ts'

type Reconciliation = VersionedRecord<contract.TreasuryLedgerReconciliation>
type Stress = VersionedRecord<contract.TreasuryStressStudy>
type Projection = VersionedRecord<contract.TreasuryProjection>
type Limit = NonNullable<contract.TreasuryStressStudy['request']['limits']>[number]

/** Number of newest records of a kind that are searched for one that covers the whole treasury. */
const looked = 50

/**
 * Newest reconciliation of exactly the current holdings. A partial reconciliation does not cover
 * the remaining entries, however new it is.
 *
 * @param holdings IDs of the active asset entries
 */
export async function wholeReconciliation(
  records: TenantRecords,
  holdings: ReadonlySet<string>,
): Promise<Reconciliation | null> {
  const found = await records.find<contract.TreasuryLedgerReconciliation>(
    'TreasuryReconciliation',
    {
      where: sql`${member('payload.request.scope.kind')} = 'ALL_ACTIVE'`,
      latestBy: snapshotTime,
      limit: looked,
    },
  )
  return found.find((one) => isOfHoldings(one, holdings)) ?? null
}

function isOfHoldings({ payload }: Reconciliation, holdings: ReadonlySet<string>): boolean {
  const compared = new Set(
    payload.lines.flatMap(({ sources }) =>
      sources.flatMap(({ resourceType, id }) => (resourceType === 'TreasuryBucket' ? [id] : [])),
    ),
  )
  return compared.size === holdings.size && [...holdings].every((id) => compared.has(id))
}

/** True if persons other than the authors have acknowledged every line of a reconciliation. */
export function isAcknowledgedByOthers({
  payload: { lines, acknowledgements },
}: Reconciliation): boolean {
  const byOthers = acknowledgements.filter(({ selfAcknowledged }) => !selfAcknowledged)
  const stated = new Set(byOthers.flatMap(({ lineKeys }) => lineKeys))
  return lines.every(({ lineKey }) => stated.has(lineKey))
}

/**
 * Newest stress study of all active entries. For a gate, its limits must be at least as strict as
 * required. At least one limit must exist, because a study without limits cannot fail.
 */
export async function wholeStress(
  records: TenantRecords,
  required: readonly Limit[] | null = null,
): Promise<Stress | null> {
  const found = await records.find<contract.TreasuryStressStudy>('TreasuryStressStudy', {
    where: sql`${member('payload.request.portfolio.scope')} = 'ALL_ACTIVE'`,
    order: 'NEWEST',
    limit: looked,
  })
  const covers = ({ payload: { request } }: Stress) => {
    if (required === null) return true
    const set = request.limits ?? []
    return set.length > 0 && required.every((one) => set.some((other) => isAsStrict(other, one)))
  }
  return found.find(covers) ?? null
}

/** A figure below the threshold breaks a limit, so a higher one is stricter. */
export const isAsStrict = (limit: Limit, required: Limit): boolean =>
  limit.metric === required.metric && BigInt(limit.threshold) >= BigInt(required.threshold)

/** Gaps of a projection for study only: earlier assumptions, markets of the caller. */
const studyGaps: readonly string[] = ['ASSUMPTIONS_SUPERSEDED', 'VOLUME_DECLARED']
/** Sales of the own token follow a volume that its issuer can trade up, so no gate rests on them. */
const ungatedGaps: readonly string[] = ['OWN_TOKEN_SOLD']

type Gaps = contract.TreasuryProjection['computation']['gaps']

/** True if headlines, alerts and gates ignore the projection. */
export const isForStudyOnly = (gaps: Gaps): boolean =>
  gaps.some(({ code }) => studyGaps.includes(code))

/**
 * The newest projection of all active entries, by assumptions that were current, without markets
 * of the caller. It uses the primary assumptions if the organization sets them.
 *
 * @param use GATE: also without sales of the own token
 */
export async function wholeProjection(
  records: TenantRecords,
  primaryAssumptions: string | null,
  use: 'HEADLINE' | 'GATE',
): Promise<Projection | null> {
  const byPrimary =
    primaryAssumptions === null
      ? sql`true`
      : sql`${member('payload.request.assumptions.id')} = ${primaryAssumptions}`
  const found = await records.find<contract.TreasuryProjection>('TreasuryProjection', {
    where: sql`${member('payload.request.entries')} is null and ${byPrimary}`,
    order: 'NEWEST',
    limit: looked,
  })
  const isUsed = ({ payload: { computation } }: Projection) =>
    !isForStudyOnly(computation.gaps) &&
    (use === 'HEADLINE' || !computation.gaps.some(({ code }) => ungatedGaps.includes(code)))
  return found.find(isUsed) ?? null
}

/** Age of the values in a record, in whole days. */
export const ageInDays = (record: VersionedRecord<Computed>, now: number): number =>
  Math.floor((now - computedAtOf(record)) / dayMilliseconds)
