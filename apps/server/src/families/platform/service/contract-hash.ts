import { operationsPage } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'

let hash: string | null = null

/** Hash of the list of operations: two nodes with the same one serve the same contract. */
export function contractHash(): string {
  hash ??= H('contract/v2', operationsPage())
  return hash
}
