import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { treasuryEntries } from './records.ts'

type Bucket = contract.TreasuryBucket
type Holding = contract.TreasuryHolding
export type LedgerEntry = VersionedRecord<Exclude<Bucket, { entryKind: 'RESERVATION' }>>
export type Reservation = VersionedRecord<contract.TreasuryReservation>

const isReservation = (entry: VersionedRecord<Bucket>): entry is Reservation =>
  entry.payload.entryKind === 'RESERVATION'

/** Holdings and obligations that are active, oldest first. */
export async function activeEntries(records: TenantRecords): Promise<LedgerEntry[]> {
  const active = await treasuryEntries.find(records, {
    status: ['ACTIVE', 'PARTIAL'],
    order: 'OLDEST',
  })
  return active.filter((entry): entry is LedgerEntry => !isReservation(entry))
}

/** Holdings that are active, oldest first. */
export async function activeHoldings(
  records: TenantRecords,
): Promise<VersionedRecord<contract.TreasuryHolding>[]> {
  return (await activeEntries(records)).filter(
    (entry): entry is VersionedRecord<contract.TreasuryHolding> =>
      entry.payload.entryKind === 'ASSET',
  )
}

/** Active reservations, oldest first; expired ones are excluded even before the sweep. */
export async function liveReservations(records: TenantRecords): Promise<Reservation[]> {
  const active = await treasuryEntries.find(records, { status: ['ACTIVE'], order: 'OLDEST' })
  return active
    .filter(isReservation)
    .filter(({ payload }) => Date.parse(payload.expiresAt) > records.now)
}

/** Reserved amount of a holding in atoms, optionally excluding one reservation. */
export function reservedOf(
  reservations: readonly Reservation[],
  holdingId: string,
  exceptId: string | null = null,
): bigint {
  return reservations
    .filter(({ id, payload }) => payload.source.id === holdingId && id !== exceptId)
    .reduce((sum, { payload }) => sum + BigInt(payload.quantity), 0n)
}

/** Quantity of a holding by availability: observed = unrestricted + restricted + reserved. */
export interface SplitQuantity {
  readonly unrestricted: bigint
  readonly reserved: bigint
  /** Reserved amount above the free amount; reservations are not reduced. */
  readonly overReserved: bigint
}

export function splitFree(free: bigint, wanted: bigint): SplitQuantity {
  const reserved = wanted < free ? wanted : free
  return { unrestricted: free - reserved, reserved, overReserved: wanted - reserved }
}

export const overReservedGap = (subject: string, atoms: bigint): contract.TreasuryGap => ({
  code: 'OVER_RESERVED',
  subject,
  effect: 'BOUNDED',
  detail: `Its reservations exceed the free quantity by ${atoms} atoms.`,
})

/** An observed holding with a different reserved sum. */
export function withReserved(
  payload: Holding,
  wanted: bigint,
): { payload: Holding; status: 'ACTIVE' | 'PARTIAL' } {
  const { split, observed, computation } = payload
  if (split === null || observed === null) throw new Error('The holding has no observation.')
  const free = BigInt(observed.quantity) - BigInt(split.restricted)
  const { unrestricted, reserved, overReserved } = splitFree(free, wanted)
  const others = computation.gaps.filter(({ code }) => code !== 'OVER_RESERVED')
  const subject = payload.containerKey ?? payload.asset
  const gaps = overReserved > 0n ? [...others, overReservedGap(subject, overReserved)] : others
  const isPartial = gaps.some(({ effect }) => effect !== 'FLAGGED')
  return {
    status: isPartial ? 'PARTIAL' : 'ACTIVE',
    payload: {
      ...payload,
      split: { ...split, unrestricted: `${unrestricted}`, reserved: `${reserved}` },
      computation: { ...computation, gaps, completeness: isPartial ? 'PARTIAL' : 'COMPLETED' },
    },
  }
}
