import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import type { HeldName } from '../../family.ts'

type Bucket = contract.TreasuryBucket

export const entryNameKinds = [
  'treasury-container',
  'treasury-rest',
  'treasury-obligation',
  'treasury-settlement',
] as const

/**
 * What nobody else may have: of a holding its purpose in the container, and the rest of the container where it is that; of
 * an obligation what identifies it, and the transfers that paid it. Paid transfers stay paid when the entry is retired.
 */
export function namesOfEntry(payload: Bucket, isRetired: boolean): HeldName[] {
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
    ...{ kind: 'treasury-settlement', name: `${chainId}|${txHash}|${logIndex}` },
  }))
  if (isRetired) return paid
  return [{ kind: 'treasury-obligation', name: H('obligation/v1', identity) }, ...paid]
}
