import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { holdingOf } from './holding-figures.ts'
import { treasuryEntries } from './records.ts'
import { latestCustody } from './signed-holding.ts'

type Bucket = contract.TreasuryBucket
type Request = HandlerRequest<typeof contract.retireTreasuryLedgerEntry>

export default treasuryEntries.supersede(contract.retireTreasuryLedgerEntry, {
  isReviewed: true,
  isRecent: true,
  to: 'RETIRED',
  decide: async (request, { payload }) => {
    const { disposition } = request.body
    const fault = await faultOf(request, payload)
    if (fault !== null) {
      throw new Failure('LIQUIDITY_TREASURY_DISPOSITION_REFUSED', {
        fieldErrors: { disposition: [`${fault}, got ${disposition}`] },
      })
    }
    return {
      payload: { ...payload, disposition },
      event: 'treasury.entry.retired',
      eventPayload: { disposition },
    }
  },
})

/** Why an entry cannot be retired in this way; null where it can. */
async function faultOf(
  { body, records, services }: Request,
  payload: Bucket,
): Promise<string | null> {
  const { disposition } = body
  if (payload.entryKind === 'OBLIGATION') {
    if (disposition === 'CANCELLED') return null
    if (disposition !== 'PAID') return 'must be PAID or CANCELLED of an obligation'
    return payload.remaining === '0' ? null : `must not be PAID while ${payload.remaining} remains`
  }
  if (disposition === 'MOVED') return null
  if (disposition !== 'CLOSED') return 'must be MOVED or CLOSED of a holding'
  const { container } = payload
  if (!('address' in container)) {
    const { quantity } = await latestCustody(records, payload, 'id')
    return quantity === 0n ? null : `must not be CLOSED while the custodian holds ${quantity}`
  }
  const snapshot = await takeSnapshot(records, services, [container.chainId], 'id')
  const { balance } = await holdingOf(payload, snapshot, '')
  return balance === 0n ? null : `must not be CLOSED while the container holds ${balance}`
}
