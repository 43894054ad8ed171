import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import { custodyEvidence, isLive, type LiveCustody } from '../../prove/treasury-custody/api.ts'
import { type Entry, refOf } from './read-sources.ts'
import { totalsByQuote } from './summary-totals.ts'

type Summary = contract.TreasurySummary

/** Blocks of the entry readings, with the entries read there. */
export function snapshotsOf(entries: readonly Entry[]): Summary['snapshots'] {
  const read = entries.flatMap(({ payload: { computation, entryKind } }) =>
    entryKind === 'ASSET' ? (computation.snapshot?.chains ?? []) : [],
  )
  return [...Map.groupBy(read, ({ chainId, blockHash }) => `${chainId}|${blockHash}`).values()]
    .flatMap((same) => {
      const [first] = same
      if (!first) return []
      const { chainId, blockNumber, blockHash, timestamp } = first
      return [{ chainId, blockNumber, blockHash, timestamp, entries: same.length }]
    })
    .toSorted((a, b) => a.chainId - b.chainId || a.blockNumber - b.blockNumber)
}

/**
 * Restricted and reserved value by quote. Each holding contributes its encumbered share, rounded
 * up.
 */
export function encumberedOf(holdings: Summary['holdings']): Summary['encumbered'] {
  const shares = holdings.flatMap(({ value, quantity, restricted, reserved, control }) =>
    value === null
      ? []
      : [
          {
            quoteKey: value.quoteKey,
            control,
            amount: share(
              BigInt(value.amount),
              BigInt(restricted) + BigInt(reserved),
              BigInt(quantity),
              'UP',
            ),
          },
        ],
  )
  return totalsByQuote(shares)
}

/** Value of a part; never more than the whole. */
function share(whole: bigint, part: bigint, of: bigint, rounded: 'UP' | 'DOWN'): bigint {
  if (of === 0n) return 0n
  const atMost = part < of ? part : of
  return (whole * atMost + (rounded === 'UP' ? of - 1n : 0n)) / of
}

/** Value covered by signed evidence. Entries of one container share its evidence, oldest first. */
export function coveredOf(
  counted: readonly { readonly entry: Entry; readonly holding: Summary['holdings'][number] }[],
  custody: readonly LiveCustody[],
): Summary['custody']['covered'] {
  const rest = new Map(custody.map((one) => [`${one.container}|${one.assetKey}`, one.quantity]))
  const sums = new Map<string, { whole: bigint; covered: bigint }>()
  // Legs of a claim share the evidence of the claim.
  const coveredBy = new Map<string, bigint>()
  for (const { entry, holding } of counted) {
    const { value } = holding
    const { id, payload } = entry
    if (value === null || payload.entryKind !== 'ASSET') continue
    const key = `${containerKeyOf(payload.container)}|${payload.asset}`
    const [available, quantity] = [rest.get(key) ?? 0n, BigInt(payload.observed?.quantity ?? '0')]
    const covered = coveredBy.get(id) ?? (available < quantity ? available : quantity)
    if (!coveredBy.has(id)) rest.set(key, available - covered)
    coveredBy.set(id, covered)
    const sum = sums.get(value.quoteKey) ?? { whole: 0n, covered: 0n }
    sums.set(value.quoteKey, {
      whole: sum.whole + BigInt(value.amount),
      covered: sum.covered + share(BigInt(value.amount), covered, quantity, 'DOWN'),
    })
  }
  return [...sums].flatMap(([quoteKey, { whole, covered }]) =>
    whole === 0n ? [] : [{ quoteKey, coveredPips: Number((covered * 1_000_000n) / whole) }],
  )
}

/** Valid evidence that expires within seven days. */
export async function expiringEvidence(
  records: TenantRecords,
): Promise<Summary['custody']['expiringIn7d']> {
  const end = records.now + 7 * dayMilliseconds
  const active = await custodyEvidence.find(records, { status: ['ACTIVE'], order: 'OLDEST' })
  return active
    .filter((evidence) => isLive(evidence, records.now))
    .map((evidence) => ({
      evidence: refOf(evidence),
      expiresAt: new Date(evidence.payload.statement.expiresAt).toISOString(),
    }))
    .filter(({ expiresAt }) => Date.parse(expiresAt) <= end)
    .toSorted((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))
    .slice(0, 1000)
}

/** Valid proofs of control, oldest first. */
export async function liveProofs(
  records: TenantRecords,
): Promise<VersionedRecord<contract.ProjectControlProof>[]> {
  const active = await records.find<contract.ProjectControlProof>('ProjectControlProof', {
    status: ['ACTIVE'],
    order: 'OLDEST',
  })
  return active.filter(({ payload }) => Date.parse(payload.validUntil) > records.now)
}

/** Number of valid proofs, and the next expiry. */
export function summarizeControl(
  live: readonly VersionedRecord<contract.ProjectControlProof>[],
): Summary['control'] {
  const ends = live.map(({ payload }) => payload.validUntil).toSorted()
  return { proofs: ends.length, nextExpiry: ends[0] ?? null }
}
