import type { contract } from '@liquidity-os/contract'
import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import type { Outcome } from '../../../http/handler.ts'
import type { PinnedSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import { expectFound } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Decision } from '../../record-family.ts'
import { recordReply } from '../../record-reply.ts'
import type { Claim } from './allocation.ts'
import { claimOf, entriesOfPlace, type ObservedEntry, ofPlace } from './holding-figures.ts'
import { inputOf } from './input-of.ts'
import { observeAgain, signAgain } from './observe-again.ts'
import { treasuryEntries } from './records.ts'

type Bucket = contract.TreasuryBucket
type Holding = contract.TreasuryHolding
type Entry = VersionedRecord<Holding>

interface Sharing {
  /** Observed entry, and the snapshot of its chain; null for an off-chain holding. */
  readonly observed: ObservedEntry
  readonly snapshot: PinnedSnapshot | null
  /** The record that the entry creates for its token. */
  readonly declared?: Change | null
  readonly decision: Omit<Decision<Bucket>, 'payload' | 'artifacts' | 'complete'>
  /** Previous entry; null if new. */
  readonly before: Pick<Entry, 'id'> | null
  readonly status?: 201
}

/**
 * Applies a decision about an entry. The same change observes all other entries of its container
 * and asset at the same moment. Their parts therefore never exceed the balance, even with
 * concurrent requests.
 */
export function sharingPlace(
  records: TenantRecords,
  { observed, declared = null, snapshot, decision, before, status }: Sharing,
): Decision<Bucket> {
  const { payload, artifacts } = observed
  return {
    ...decision,
    payload,
    status: observed.status,
    complete: async (sealed, change): Promise<Outcome> => {
      const others = (await entriesOfPlace(records, payload)).filter(({ id }) => id !== before?.id)
      const own = sealed.record as Entry
      const claims = claimsWith(others, own, before === null)
      const again = await observeOthers(records, others, { claims, snapshot })
      const { id, resourceType, resourceVersion } = own
      const producer = { id, resourceType, resourceVersion }
      const otherChanges = [
        ...again.map((one) => one.change),
        ...(declared === null ? [] : [declared]),
      ]
      const whole = otherChanges.reduce(joinChanges, change)
      const heads = [own, ...again.map((one) => one.record)]
      const untouched = others.filter(({ id: other }) => !heads.some((one) => one.id === other))
      const key = `treasury-place|${payload.containerKey}|${payload.asset}`
      const statements = expectFound(records.organizationId, 'TreasuryBucket', ofPlace(payload), {
        key,
        records: [...heads, ...untouched],
      })
      const proofs = [
        ...artifacts.map((one) => ({ ...one, producer })),
        ...again.flatMap((one) => one.change.artifacts),
      ]
      const shared = { ...whole, artifacts: proofs, statements }
      return recordReply(sealed as SealedRecord, shared, status)
    },
  }
}

/** Claims by age: a new entry is the youngest; an existing one retains its position. */
function claimsWith(others: readonly Entry[], own: Entry, isNew: boolean): Claim[] {
  const all = [...others, own]
  if (!isNew) all.sort((a, b) => (a.id < b.id ? -1 : 1))
  return all.map(({ id, payload }) => claimOf(id, payload))
}

/** The next version of every other entry whose part, or the time of its part, has changed. */
async function observeOthers(
  records: TenantRecords,
  others: readonly Entry[],
  { claims, snapshot }: { claims: readonly Claim[]; snapshot: PinnedSnapshot | null },
) {
  const made: { record: { id: string; sequence: number }; change: Change }[] = []
  for (const { id } of others) {
    const current = await treasuryEntries.current(records, id)
    if (!current) throw new Error(`Entry ${id} does not exist.`)
    const { record } = current
    const payload = record.payload as Holding
    const input = inputOf(payload)
    const { container } = input
    const found =
      snapshot && 'address' in container
        ? await observeAgain(records, record, { input, payload, container, claims }, snapshot)
        : await signAgain(records, record, input, { claims })
    const { observed, rollForward } = payload
    const isSame =
      observed?.quantity === found.payload.observed?.quantity &&
      observed?.containerBalance === found.payload.observed?.containerBalance
    if (isSame) continue
    const { sealed, change } = treasuryEntries.next(records, current, {
      status: found.status,
      reason: 'Its container was observed for another entry',
      payload: { ...found.payload, rollForward: found.payload.rollForward ?? rollForward },
      evidenceHashes: record.evidenceHashes,
      event: 'treasury.entry.refreshed',
    })
    const { resourceType, resourceVersion } = sealed.record
    const producer = { id, resourceType, resourceVersion }
    const artifacts = found.artifacts.map((one) => ({ ...one, producer }))
    made.push({ record: sealed.record, change: { ...change, artifacts } })
  }
  return made
}
