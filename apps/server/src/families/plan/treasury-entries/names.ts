import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import type { HeldName } from '../../../family-parts.ts'
import { dueName } from '../../../jobs/overdue.ts'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'

type Bucket = contract.TreasuryBucket

/** Names that reservations hold until they expire. */
export const reservationDueName = 'treasury-reservation-due'

/** Identity of an obligation that is not retired. */
export const obligationName = 'treasury-obligation'

/** A notice of a due amount, sent once. */
export const noticeKind = 'treasury-due-notice'

export const noticeName = (entryId: string, dueAt: string, withinDays: number): HeldName => ({
  kind: noticeKind,
  name: `${entryId}|${dueAt}|${withinDays}`,
})

export const entryNameKinds = [
  reservationDueName,
  'treasury-container',
  'treasury-rest',
  obligationName,
  'treasury-settlement',
  noticeKind,
] as const

/**
 * Unique names of an entry. A holding: its purpose in the container, and the container's rest if it
 * takes that. An obligation: its identity, and its settlement transfers, which remain used after
 * retirement. A reservation: its expiry.
 */
export function namesOfEntry(payload: Bucket, isRetired: boolean, id = ''): HeldName[] {
  if (payload.entryKind === 'RESERVATION') {
    return isRetired ? [] : [{ kind: reservationDueName, name: dueName(payload.expiresAt, id) }]
  }
  if (payload.entryKind === 'ASSET') {
    if (isRetired) return []
    const place = `${containerKeyOf(payload.container)}|${payload.asset}`
    const isRest = payload.allocation?.kind !== 'FIXED'
    return [
      { kind: 'treasury-container', name: `${place}|${payload.purpose}` },
      ...(isRest ? [{ kind: 'treasury-rest', name: place }] : []),
    ]
  }
  const { obligationKind, counterparty, reference } = payload.obligation
  const identity = { obligationKind, counterparty, reference, asset: payload.asset }
  const paid = payload.settlements.map(({ place: { chainId, txHash, logIndex } }) => ({
    kind: 'treasury-settlement',
    name: `${chainId}|${txHash}|${logIndex}`,
  }))
  if (isRetired) return paid
  return [{ kind: obligationName, name: H('obligation/v1', identity) }, ...paid]
}

/** @param holder the entry that has the name */
export function duplicateEntry(entryKind: Bucket['entryKind'], holder: string): Failure {
  const isOwed = entryKind === 'OBLIGATION'
  const field = isOwed ? 'payload.obligation.reference' : 'payload.container'
  return new Failure(
    isOwed ? 'LIQUIDITY_TREASURY_OBLIGATION_DUPLICATE' : 'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE',
    {
      fieldErrors: { [field]: [`must not belong to another active entry, got that of ${holder}`] },
    },
  )
}
