import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { createdAtOf, member } from '../../store/records/find.ts'

/** What rests on blocks, where any could be read. */
export type Computed = { readonly computation: contract.TreasuryComputation }

/** When the blocks were made that a record rests on: another version of it leaves that as it is. */
export const snapshotTime = member('payload.computation.snapshot.asOf')

/** The moment that figures are of; where no block was read, that of the record. Milliseconds since 1970. */
export const computedAtOf = ({ id, payload }: VersionedRecord<Computed>): number => {
  const { snapshot } = payload.computation
  return snapshot ? Date.parse(snapshot.asOf) : createdAtOf(id)
}
