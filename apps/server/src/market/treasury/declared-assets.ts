import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { changeState, type OwnersAt, ownersOf } from './waiting-change.ts'

type Payload = contract.TreasuryAsset
export type DeclaredAsset = VersionedRecord<Payload>

/** Token declarations of an organization, by asset key, with the class in effect now. */
export async function declaredAssets(
  records: TenantRecords,
): Promise<ReadonlyMap<string, DeclaredAsset>> {
  const found = await records.find<Payload>('TreasuryAsset', {})
  const ownersAt = ownersOf(records)
  const now = await Promise.all(
    found.map(async (record) => ({
      ...record,
      payload: await assetInForce(record.payload, records.now, ownersAt),
    })),
  )
  return new Map(now.map((record) => [record.payload.assetKey, record]))
}

/**
 * The class of a token at a time: a change takes effect or ends at its own time, before the service
 * records it.
 */
export async function assetInForce(
  payload: Payload,
  now: number,
  ownersAt: OwnersAt,
): Promise<Payload> {
  const { pending } = payload
  if (pending === null) return payload
  const state = await changeState(pending, now, ownersAt)
  if (state === 'WAITS') return payload
  return state === 'IN_FORCE' ? withClass(payload, pending.class) : { ...payload, pending: null }
}

/** A token with a declared class and no pending change. */
export const withClass = (payload: Payload, declared: contract.DeclaredClass): Payload => ({
  ...payload,
  class: declared,
  own: declared === 'OWN_TOKEN' ? { basis: 'DECLARED' } : null,
  pending: null,
})
