import type { contract } from '@liquidity-os/contract'
import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import type { Outcome } from '../../../http/handler.ts'
import type { Change } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { treasuryAssets } from './records.ts'

type Payload = contract.TreasuryAsset

/**
 * Change of a token's class. All members receive an email about a pending or formerly pending
 * change.
 */
export interface AssetStep {
  readonly payload: Payload
  readonly what:
    | 'declared'
    | 'changed'
    | 'loosening_requested'
    | 'loosened'
    | 'loosening_withdrawn'
    | 'loosening_expired'
  readonly about: contract.PendingAssetClass | null
  readonly reason: string
}

interface Written {
  readonly sealed: SealedRecord<Payload>
  readonly change: Change
}

/** Writes the next version of a token's record, its event, and the job that emails the members. */
export function writtenAsset(
  records: TenantRecords,
  current: Current<Payload> | null,
  { payload, what, about, reason }: AssetStep,
): Written {
  const version = {
    status: 'ACTIVE',
    payload,
    reason,
    evidenceHashes: [],
    event: `treasury.asset.${what}`,
    eventPayload: {
      assetKey: payload.assetKey,
      class: payload.class,
      requestedClass: about?.class ?? null,
      requestedBy: about?.requestedBy ?? null,
    },
  }
  const { sealed, change } = current
    ? treasuryAssets.next(records, current, version)
    : treasuryAssets.first(records, version)
  if (about === null) return { sealed, change }
  const { resourceType, id, resourceVersion } = sealed.record
  const { assetKey, symbol } = payload
  const job = {
    id: newId('job', records.now),
    kind: 'TREASURY_ASSET_NOTICE',
    subject: { resourceType, id, resourceVersion },
    input: { what, by: records.actor, about, reason, assetKey, symbol },
  }
  return { sealed, change: { ...change, jobs: [...change.jobs, job] } }
}

export const assetView = ({
  id,
  resourceVersion,
  payload,
}: VersionedRecord<Payload>): contract.TreasuryAssetView => ({
  id: id as never,
  resourceVersion: resourceVersion as never,
  ...payload,
})

export function assetReply({ sealed, change }: Written, status: 200 | 201): Outcome {
  const { record, resourceVersion } = sealed
  return { status, data: assetView(record), etag: resourceVersion, change }
}
