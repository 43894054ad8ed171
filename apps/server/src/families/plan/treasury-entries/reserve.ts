import type { contract, FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { SealedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentSources } from '../../sources.ts'
import type { ObservedEntry } from './holding-figures.ts'
import { inputOf } from './input-of.ts'
import { observeAgain, signAgain } from './observe-again.ts'
import { treasuryEntries } from './records.ts'
import { liveReservations, reservedOf, withReserved } from './reserved.ts'

type Bucket = contract.TreasuryBucket
type Holding = contract.TreasuryHolding

/** A part of a holding to reserve. */
export interface RequestedReservation {
  readonly entry: SourceRef
  readonly quantity: bigint
  readonly expiresAt: string
  /** Path of the request field. */
  readonly at: string
}

export interface ReservationTerms {
  readonly purpose: string
  readonly capitalRequirement: SourceRef
  readonly reason: string
}

export interface Reserved {
  readonly reservations: readonly SealedRecord<Bucket>[]
  readonly sources: readonly SealedRecord<Bucket>[]
  readonly change: Change
}

export interface HeldSource {
  readonly current: Current<Bucket>
  readonly holding: Holding
}

/**
 * Active holdings named in a request, in their current version.
 *
 * @throws Failure 404 and 412 as `currentSources`, and the result of `invalid` for a record that is
 * no active holding
 */
export async function reservableHoldings(
  records: TenantRecords,
  requestedValue: readonly RequestedReservation[],
  invalid: (faults: FieldErrors) => Failure,
): Promise<HeldSource[]> {
  await currentSources(
    records,
    requestedValue.map(({ entry: ref, at }) => ({ ref, at: `${at}.entry` })),
  )
  const faults: FieldErrors = {}
  const found: HeldSource[] = []
  for (const { entry, at } of requestedValue) {
    const current = await treasuryEntries.current(records, entry.id)
    const payload = current?.record.payload
    const isActive = current?.record.status === 'ACTIVE' || current?.record.status === 'PARTIAL'
    if (!current || payload?.entryKind !== 'ASSET' || !isActive) {
      faults[`${at}.entry`] = ['must be an active holding']
    } else found.push({ current, holding: payload })
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return found
}

/**
 * Reserves parts of holdings, all or none. Each holding is observed again, and its next version
 * contains the reserved sum. Of two concurrent reservations, the later one meets a new version and
 * retries, so reservations never exceed the free amount.
 *
 * @throws Failure 409 LIQUIDITY_TREASURY_RESERVATION_EXCEEDS_AVAILABLE with every insufficient
 * holding, 503 if chains are unavailable
 */
export async function reserveHoldings(
  records: TenantRecords,
  services: ProviderAccess,
  held: readonly HeldSource[],
  query: readonly RequestedReservation[],
  terms: ReservationTerms,
): Promise<Reserved> {
  const observed = await observeAll(records, services, held)
  const live = await liveReservations(records)
  requireAvailable(observed, query)
  const changes: Change[] = []
  const reservations: SealedRecord<Bucket>[] = []
  const sources: SealedRecord<Bucket>[] = []
  const artifacts: Change['artifacts'][number][] = []
  for (const [index, { current, holding }] of held.entries()) {
    const [entry, one] = [observed[index], query[index]]
    if (!entry || !one) throw new Error('Every holding must be requested and observed.')
    const wanted = reservedOf(live, current.record.id) + one.quantity
    const first = treasuryEntries.first(records, {
      status: 'ACTIVE',
      reason: terms.reason,
      event: 'treasury.reservation.created',
      payload: reservationOf(current.record.id, holding, one, terms),
    })
    const next = treasuryEntries.next(records, current, {
      ...withReserved(entry.payload, wanted),
      reason: terms.reason,
      evidenceHashes: current.record.evidenceHashes,
      event: 'treasury.entry.reserved',
      eventPayload: { reservation: first.sealed.record.id, quantity: `${one.quantity}` },
    })
    const { id, resourceType, resourceVersion } = next.sealed.record
    const producer = { id, resourceType, resourceVersion }
    artifacts.push(...entry.artifacts.map((artifact) => ({ ...artifact, producer })))
    reservations.push(first.sealed)
    sources.push(next.sealed)
    changes.push(first.change, next.change)
  }
  const [head, ...rest] = changes
  if (!head) throw new Error('The request has no holdings.')
  return { reservations, sources, change: { ...rest.reduce(joinChanges, head), artifacts } }
}

/** All at one snapshot. */
async function observeAll(
  records: TenantRecords,
  services: ProviderAccess,
  held: readonly HeldSource[],
): Promise<ObservedEntry[]> {
  const chainIds = held.flatMap(({ holding: { container } }) =>
    'address' in container ? [container.chainId] : [],
  )
  const snapshot =
    chainIds.length === 0 ? null : await takeSnapshot(records, services, chainIds, 'reservations')
  return Promise.all(
    held.map(({ current: { record }, holding }) => {
      const { container } = holding
      const input = inputOf(holding)
      if (!('address' in container)) return signAgain(records, record, input)
      if (snapshot === null) throw new Error('A holding on a chain requires a snapshot.')
      return observeAgain(records, record, { input, payload: holding, container }, snapshot)
    }),
  )
}

function requireAvailable(
  observed: readonly ObservedEntry[],
  requests: readonly RequestedReservation[],
): void {
  const faults: FieldErrors = {}
  for (const [index, { quantity, at }] of requests.entries()) {
    const unrestricted = BigInt(observed[index]?.payload.split?.unrestricted ?? '0')
    if (quantity <= unrestricted) continue
    faults[`${at}.quantity`] = [
      `must be at most ${unrestricted}, the unrestricted and unreserved quantity, got ${quantity}`,
    ]
  }
  if (Object.keys(faults).length === 0) return
  throw new Failure('LIQUIDITY_TREASURY_RESERVATION_EXCEEDS_AVAILABLE', { fieldErrors: faults })
}

/** A reservation as a ledger entry. It copies its asset and container from the holding. */
function reservationOf(
  sourceId: string,
  holding: Holding,
  { quantity, expiresAt }: RequestedReservation,
  { purpose, capitalRequirement }: ReservationTerms,
): contract.TreasuryReservation {
  const { asset, purpose: of, containerKey, assetClass, tier, decimals, computation } = holding
  return {
    entryKind: 'RESERVATION',
    label: purpose,
    asset,
    purpose: of,
    capitalRequirement,
    source: { resourceType: 'TreasuryBucket', id: sourceId },
    quantity: `${quantity}`,
    expiresAt: new Date(expiresAt).toISOString(),
    containerKey,
    assetClass,
    assetClassSource: holding.assetClassSource,
    tier,
    decimals,
    observed: null,
    split: null,
    total: `${quantity}`,
    settled: '0',
    remaining: `${quantity}`,
    overdue: null,
    settlements: [],
    rollForward: null,
    value: null,
    loaned: null,
    disposition: null,
    computation: { ...computation, prices: [], gaps: [], completeness: 'COMPLETED' },
  }
}

/**
 * Next version of a holding without an ending reservation. Null if the holding was retired, which
 * does not prevent expiry of the reservation.
 *
 * @throws Error if the holding does not exist
 */
export async function freedHolding(
  records: TenantRecords,
  reservationId: string,
  { source, quantity }: contract.TreasuryReservation,
): Promise<Change | null> {
  const current = await treasuryEntries.current(records, source.id)
  const payload = current?.record.payload
  if (!current || payload?.entryKind !== 'ASSET') {
    throw new Error(`The holding ${source.id} of reservation ${reservationId} does not exist.`)
  }
  if (current.record.status === 'RETIRED') return null
  const wanted = reservedOf(await liveReservations(records), source.id, reservationId)
  return treasuryEntries.next(records, current, {
    ...withReserved(payload, wanted),
    reason: 'A reservation of the holding ended',
    evidenceHashes: current.record.evidenceHashes,
    event: 'treasury.entry.unreserved',
    eventPayload: { reservation: reservationId, quantity },
  }).change
}
