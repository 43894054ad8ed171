import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { joinChanges } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { holdingOf } from './holding-figures.ts'
import { treasuryEntries } from './records.ts'
import { freedHolding } from './reserve.ts'
import { liveReservations } from './reserved.ts'
import { latestCustody } from './signed-holding.ts'

type Bucket = contract.TreasuryBucket
type Request = HandlerRequest<typeof contract.retireTreasuryLedgerEntry>

export default treasuryEntries.supersede(contract.retireTreasuryLedgerEntry, {
  isRecent: true,
  to: 'RETIRED',
  decide: async (request, { id, payload }) => {
    const { disposition } = request.body
    const { records } = request
    if (payload.entryKind === 'ASSET') await requireUnreserved(records, id)
    const fault = await faultOf(request, payload)
    if (fault !== null) {
      throw new Failure('LIQUIDITY_TREASURY_DISPOSITION_REFUSED', {
        fieldErrors: { disposition: [`${fault}, got ${disposition}`] },
      })
    }
    const retired = { payload: { ...payload, disposition }, eventPayload: { disposition } }
    if (payload.entryKind !== 'RESERVATION') return { ...retired, event: 'treasury.entry.retired' }
    return {
      payload: { ...payload, disposition, remaining: '0' },
      event: 'treasury.reservation.released',
      eventPayload: { source: payload.source.id },
      complete: async (sealed, change) => {
        const freed = await freedHolding(records, id, payload)
        return recordReply(sealed, freed ? joinChanges(change, freed) : change)
      },
    }
  },
})

/**
 * Reserved parts of a holding block its retirement until the reservations end. @throws Failure 409
 */
async function requireUnreserved(records: TenantRecords, id: string): Promise<void> {
  const live = await liveReservations(records)
  const own = live.filter(({ payload }) => payload.source.id === id)
  if (own.length === 0) return
  throw new Failure('LIQUIDITY_TREASURY_ENTRY_ENCUMBERED', {
    fieldErrors: { id: [`must have no reservations, got ${own.map((one) => one.id).join(', ')}`] },
  })
}

/**
 * Bank money and native coins leave no log that proves a payment, so the issuer supplies evidence
 * hashes. The record stores them; `settled` contains only proven payments.
 */
const isPaidByEvidence = (asset: string, evidenceHashes: readonly string[] = []) =>
  namedAsset(asset).kind !== 'TOKEN' && evidenceHashes.length > 0

/** Reason an entry cannot be retired in this way, or null. */
async function faultOf(
  { body, records, services }: Request,
  payload: Bucket,
): Promise<string | null> {
  const { disposition } = body
  if (payload.entryKind === 'RESERVATION') {
    return disposition === 'RELEASED' ? null : 'must be RELEASED for a reservation'
  }
  if (payload.entryKind === 'OBLIGATION') {
    if (disposition === 'CANCELLED') return null
    if (disposition !== 'PAID') return 'must be PAID or CANCELLED for an obligation'
    if (payload.remaining === '0' || isPaidByEvidence(payload.asset, body.evidenceHashes))
      return null
    return namedAsset(payload.asset).kind === 'TOKEN'
      ? `must not be PAID while ${payload.remaining} remains`
      : `must not be PAID without evidenceHashes: no token transfer pays ${payload.asset}`
  }
  if (disposition === 'MOVED') return null
  if (disposition !== 'CLOSED') return 'must be MOVED or CLOSED for a holding'
  const { container } = payload
  if (!('address' in container)) {
    const { quantity } = await latestCustody(records, payload, 'id')
    return quantity === 0n ? null : `must not be CLOSED while the custodian holds ${quantity}`
  }
  const snapshot = await takeSnapshot(records, services, [container.chainId], 'id')
  const { balance } = await holdingOf(payload, snapshot, '')
  return balance === 0n ? null : `must not be CLOSED while the container holds ${balance}`
}
