import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { createdAtOf, member } from '../../store/records/find.ts'

/** Payload with a computation, which may reference a block snapshot. */
export type Computed = { readonly computation: contract.TreasuryComputation }

/** Block time behind a record; a new version of the record does not change it. */
export const snapshotTime = member('payload.computation.snapshot.asOf')

/**
 * Time of the values: the snapshot time, or else the creation of the record. Milliseconds since
 * 1970.
 */
export const computedAtOf = ({ id, payload }: VersionedRecord<Computed>): number => {
  const { snapshot } = payload.computation
  return snapshot ? Date.parse(snapshot.asOf) : createdAtOf(id)
}
