import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { computedAtOf } from '../../../market/treasury/computed-at.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { custodyEvidence, type LiveCustody } from '../../prove/treasury-custody/api.ts'

type Freshness = contract.TreasurySummary['freshness'][number]
type Proof = VersionedRecord<contract.ProjectControlProof>

/** Maximum age of a figure in seconds; null if each record expires individually. */
const staleAfter: Readonly<Record<contract.FreshFamily, number | null>> = {
  ENTRIES: daySeconds,
  // Maximum age of a price in a projection.
  RECONCILIATION: 31 * daySeconds,
  PROJECTION: 31 * daySeconds,
  STRESS: 31 * daySeconds,
  CUSTODY: null,
  CONTROL: null,
}

/** Whole seconds; 0 for a future time. Both in milliseconds since 1970. */
export const secondsSince = (at: number, now: number) => Math.max(0, Math.floor((now - at) / 1000))

export const ageOf = (at: string, now: number) => secondsSince(Date.parse(at), now)

/** State of a family whose records expire individually. */
export interface EvidenceStatus {
  /** Oldest time of valid records, in milliseconds since 1970; null if none is valid. */
  readonly oldestAt: number | null
  /** True if a record expired without a valid successor. */
  readonly hasExpired: boolean
}

/** @param live active entries, one per asset and container */
export async function readCustodyStatus(
  records: TenantRecords,
  live: readonly LiveCustody[],
): Promise<EvidenceStatus> {
  const known = await custodyEvidence.find(records, {
    newestOfEach: [member('payload.statement.container')],
  })
  const containers = new Set(live.map(({ container }) => container))
  return {
    oldestAt: oldestOf(live.map(({ heldAt }) => heldAt)),
    hasExpired: known.some(({ payload }) => !containers.has(payload.statement.container)),
  }
}

/** @param live valid proofs, oldest first; the latest one of a claim counts */
export async function readControlStatus(
  records: TenantRecords,
  live: readonly Proof[],
): Promise<EvidenceStatus> {
  const known = await records.find<contract.ProjectControlProof>('ProjectControlProof', {
    newestOfEach: claimMembers.map((name) => member(`payload.${name}`)),
  })
  const liveTimes = new Map(live.map((proof) => [claimKeyOf(proof), computedAtOf(proof)]))
  return {
    oldestAt: oldestOf([...liveTimes.values()]),
    hasExpired: known.some((proof) => !liveTimes.has(claimKeyOf(proof))),
  }
}

/** Claim of a proof, independent of the contracts used. */
const claimMembers = ['chainId', 'token', 'claimant', 'method', 'role'] as const

const claimKeyOf = ({ payload }: Proof) => claimMembers.map((name) => payload[name]).join('|')

const oldestOf = (times: readonly number[]) => (times.length === 0 ? null : Math.min(...times))

/**
 * Freshness of figures, by family.
 *
 * @param entriesAge seconds since the oldest holding reading
 */
export function freshnessOf(
  { reconciliation, projection, stress }: contract.TreasurySummary['latest'],
  entriesAge: number | null,
  status: { readonly custody: EvidenceStatus; readonly control: EvidenceStatus },
  now: number,
): Freshness[] {
  const aged = (family: contract.FreshFamily, ageSeconds: number | null): Freshness => {
    const staleAfterSeconds = staleAfter[family]
    const stale =
      ageSeconds !== null && staleAfterSeconds !== null && ageSeconds > staleAfterSeconds
    return { family, ageSeconds, staleAfterSeconds, stale }
  }
  const ended = (
    family: contract.FreshFamily,
    { oldestAt, hasExpired }: EvidenceStatus,
  ): Freshness => ({
    ...aged(family, oldestAt === null ? null : secondsSince(oldestAt, now)),
    stale: hasExpired,
  })
  return [
    aged('ENTRIES', entriesAge),
    aged('RECONCILIATION', reconciliation.ageSeconds),
    aged('PROJECTION', projection.ageSeconds),
    aged('STRESS', stress.ageSeconds),
    ended('CUSTODY', status.custody),
    ended('CONTROL', status.control),
  ]
}
