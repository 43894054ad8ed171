import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { computedAtOf } from '../../../market/treasury/computed-at.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { custodyEvidence, type LiveCustody } from '../../prove/treasury-custody/api.ts'

type Freshness = contract.TreasurySummary['freshness'][number]
type Proof = VersionedRecord<contract.ProjectControlProof>

/** Seconds after which a figure is old; null where each has an end of its own. */
const staleAfter: Readonly<Record<contract.FreshFamily, number | null>> = {
  ENTRIES: daySeconds,
  // As old as a projection may name it.
  RECONCILIATION: 31 * daySeconds,
  PROJECTION: 31 * daySeconds,
  STRESS: 31 * daySeconds,
  CUSTODY: null,
  CONTROL: null,
}

/** Whole seconds, none where the moment is yet to come. Both in milliseconds since 1970. */
export const secondsSince = (at: number, now: number) => Math.max(0, Math.floor((now - at) / 1000))

export const ageOf = (at: string, now: number) => secondsSince(Date.parse(at), now)

/** What stands of a family whose records have ends of their own. */
export interface Standing {
  /** The oldest moment of what holds now, milliseconds since 1970; null where nothing does. */
  readonly oldestAt: number | null
  /** Whether something has ended in whose place nothing holds. */
  readonly hasLapsed: boolean
}

/** @param live what counts now, of one asset of one container once */
export async function custodyStanding(
  records: TenantRecords,
  live: readonly LiveCustody[],
): Promise<Standing> {
  const known = await custodyEvidence.find(records, {
    newestOfEach: [member('payload.statement.container')],
  })
  const containers = new Set(live.map(({ container }) => container))
  return {
    oldestAt: oldestOf(live.map(({ heldAt }) => heldAt)),
    hasLapsed: known.some(({ payload }) => !containers.has(payload.statement.container)),
  }
}

/** @param live proofs that hold now, oldest first; the latest of a claim stands for it */
export async function controlStanding(
  records: TenantRecords,
  live: readonly Proof[],
): Promise<Standing> {
  const known = await records.find<contract.ProjectControlProof>('ProjectControlProof', {
    newestOfEach: claimMembers.map((name) => member(`payload.${name}`)),
  })
  const standing = new Map(live.map((proof) => [claimKeyOf(proof), computedAtOf(proof)]))
  return {
    oldestAt: oldestOf([...standing.values()]),
    hasLapsed: known.some((proof) => !standing.has(claimKeyOf(proof))),
  }
}

/** What a proof claims; through which contracts is no part of it. */
const claimMembers = ['chainId', 'token', 'claimant', 'method', 'role'] as const

const claimKeyOf = ({ payload }: Proof) => claimMembers.map((name) => payload[name]).join('|')

const oldestOf = (times: readonly number[]) => (times.length === 0 ? null : Math.min(...times))

/**
 * How old the figures of each family are.
 *
 * @param entriesAge seconds since the holding was read that was read the longest ago
 */
export function freshnessOf(
  { reconciliation, projection, stress }: contract.TreasurySummary['latest'],
  entriesAge: number | null,
  standing: { readonly custody: Standing; readonly control: Standing },
  now: number,
): Freshness[] {
  const aged = (family: contract.FreshFamily, ageSeconds: number | null): Freshness => {
    const staleAfterSeconds = staleAfter[family]
    const stale =
      ageSeconds !== null && staleAfterSeconds !== null && ageSeconds > staleAfterSeconds
    return { family, ageSeconds, staleAfterSeconds, stale }
  }
  const ended = (family: contract.FreshFamily, { oldestAt, hasLapsed }: Standing): Freshness => ({
    ...aged(family, oldestAt === null ? null : secondsSince(oldestAt, now)),
    stale: hasLapsed,
  })
  return [
    aged('ENTRIES', entriesAge),
    aged('RECONCILIATION', reconciliation.ageSeconds),
    aged('PROJECTION', projection.ageSeconds),
    aged('STRESS', stress.ageSeconds),
    ended('CUSTODY', standing.custody),
    ended('CONTROL', standing.control),
  ]
}
