import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { declaredAssets, withClass } from '../../../market/treasury/declared-assets.ts'
import type { PinnedSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { readToken } from './read-token.ts'
import { writtenAsset } from './written-asset.ts'

/**
 * Asset record from the class in a new entry; null if no class is given or the record has the same.
 *
 * @throws Failure 422 LIQUIDITY_TREASURY_ASSET_CLASS_CONFLICT if the record has another class
 */
export async function declaredInEntry(
  records: TenantRecords,
  { asset, assetClass }: { readonly asset: string; readonly assetClass?: contract.DeclaredClass },
  snapshot: PinnedSnapshot | null,
  reason: string,
): Promise<Change | null> {
  if (assetClass === undefined || namedAsset(asset).kind !== 'TOKEN') return null
  const existing = (await declaredAssets(records)).get(asset)
  if (existing?.payload.class === assetClass) return null
  if (existing) {
    throw new Failure('LIQUIDITY_TREASURY_ASSET_CLASS_CONFLICT', {
      fieldErrors: {
        'payload.assetClass': [
          `must be ${existing.payload.class}, the class in ${existing.id}, got ${assetClass}`,
        ],
      },
    })
  }
  const token = await readToken(asset, snapshot)
  const payload = { assetKey: asset, ...token, class: null, own: null, pending: null }
  const step = { payload: withClass(payload, assetClass), what: 'declared', about: null } as const
  return writtenAsset(records, null, { ...step, reason }).change
}
