import type { PoolMarket } from '../amm/market.ts'
import { PoolRevertError, type RevertReason } from '../amm/pool-revert.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { applyV2 } from './apply-v2.ts'
import { applyV3 } from './apply-v3.ts'
import type { PoolLog } from './logs.ts'
import type { PoolOperation } from './operations.ts'

/** Result of a transaction: its logs, or the revert reason. */
export type OperationOutcome =
  | { readonly reverted: false; readonly logs: readonly PoolLog[] }
  | { readonly reverted: true; readonly reason: RevertReason }

/**
 * Runs one operation as a separate transaction. A revert is a result, and leaves the state
 * unchanged except for the block time.
 *
 * @throws TypeError if the operation belongs to another kind of market
 */
export function applyOperation<M extends PoolMarket>(
  state: M,
  operation: PoolOperation,
): { state: M; outcome: OperationOutcome } {
  const now = { ...state, blockTimestamp: operation.timestamp }
  try {
    const { state: next, logs } = dispatch(now, operation)
    // Each branch returns the kind of market that it received.
    return { state: next as M, outcome: { reverted: false, logs } }
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    return { state: now, outcome: { reverted: true, reason: error.reason } }
  }
}

function dispatch(
  state: CpmmState | ClmmState,
  operation: PoolOperation,
): { state: PoolMarket; logs: PoolLog[] } {
  if (state.kind === 'UNISWAP_V3' && isV3(operation)) return applyV3(state, operation)
  if (state.kind === 'UNISWAP_V2' && !isV3(operation)) return applyV2(state, operation)
  throw new TypeError(`operation ${operation.kind} on a market of kind ${state.kind}`)
}

function isV3(
  operation: PoolOperation,
): operation is Extract<PoolOperation, { kind: `v3.${string}` }> {
  return operation.kind.startsWith('v3.')
}
