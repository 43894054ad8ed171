import { contract } from '@liquidity-os/contract'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { dueOf } from '../../../market/treasury/waiting-change.ts'
import { recordFamily } from '../../record-family.ts'

const kind = 'treasury-asset'
/** A token has one record. */
export const assetName = (assetKey: string) => ({ kind, name: assetKey })

const dueKind = 'treasury-asset-due'
/** Tokens with a pending change that is due or expired. */
export const overdueAssets = overdueNames(dueKind)

export const treasuryAssets = recordFamily(contract.treasuryAssetsFamily, {
  names: ({ id, payload: { assetKey, pending } }) =>
    pending === null
      ? [assetName(assetKey)]
      : [assetName(assetKey), { kind: dueKind, name: dueName(dueOf(pending), id) }],
  nameKinds: [kind, dueKind],
})
