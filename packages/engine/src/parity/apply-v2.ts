import {
  burnPair,
  mintPair,
  skimPair,
  swapPair,
  syncPair,
  transferLiquidity,
  transferToPair,
} from '../amm/v2/pair.ts'
import type { CpmmState } from '../amm/v2/state.ts'
import type { PoolLog } from './logs.ts'
import type { UniswapV2Operation } from './operations.ts'

/** Runs one v2 operation. @throws PoolRevertError as the contract */
export function applyV2(
  state: CpmmState,
  operation: UniswapV2Operation,
): { state: CpmmState; logs: PoolLog[] } {
  switch (operation.kind) {
    case 'v2.transfer': {
      const { token, amount } = operation
      const next = transferToPair(state, token === 0 ? amount : 0n, token === 0 ? 0n : amount)
      return { state: next, logs: [] }
    }
    case 'v2.transferLiquidity':
      return {
        state: transferLiquidity(state, operation.from, operation.to, operation.amount),
        logs: [],
      }
    case 'v2.mint': {
      const { state: next, amount0, amount1 } = mintPair(state, operation.to)
      return { state: next, logs: [sync(next), { name: 'Mint', args: { amount0, amount1 } }] }
    }
    case 'v2.burn': {
      const { state: next, amount0, amount1 } = burnPair(state)
      const args = { amount0, amount1, to: operation.to }
      return { state: next, logs: [sync(next), { name: 'Burn', args }] }
    }
    case 'v2.swap': {
      const { state: next, ...amounts } = swapPair(
        state,
        operation.amount0Out,
        operation.amount1Out,
      )
      const args = { ...amounts, to: operation.to }
      return { state: next, logs: [sync(next), { name: 'Swap', args }] }
    }
    case 'v2.sync': {
      const next = syncPair(state)
      return { state: next, logs: [sync(next)] }
    }
    case 'v2.skim':
      return { state: skimPair(state).state, logs: [] }
    case 'v2.setFeeTo':
      return { state: { ...state, feeTo: operation.feeTo }, logs: [] }
  }
}

function sync(state: CpmmState): PoolLog {
  return { name: 'Sync', args: { reserve0: state.reserve0, reserve1: state.reserve1 } }
}
