import {
  collectProtocolFees,
  flashLoan,
  initializePool,
  setProtocolShare,
} from '../amm/v3/administration.ts'
import { burnLiquidity, collectOwed, mintLiquidity } from '../amm/v3/liquidity.ts'
import { increaseObservationCardinalityNext } from '../amm/v3/oracle.ts'
import { loadPool, type Pool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { commitSwap, walkSwap } from '../amm/v3/swap.ts'
import type { PoolLog } from './logs.ts'
import type { UniswapV3Operation } from './operations.ts'

/** Runs one v3 operation. @throws PoolRevertError as the contract */
export function applyV3(
  state: ClmmState,
  operation: UniswapV3Operation,
): { state: ClmmState; logs: PoolLog[] } {
  const pool = loadPool(state)
  const logs = runV3(pool, operation)
  return { state: snapshotPool(pool), logs }
}

/** Runs one v3 operation on the working form. @throws PoolRevertError, with the state unchanged */
function runV3(pool: Pool, operation: UniswapV3Operation): PoolLog[] {
  pool.blockTimestamp = operation.timestamp
  switch (operation.kind) {
    case 'v3.initialize': {
      initializePool(pool, operation.sqrtPriceX96)
      const { sqrtPriceX96, tick } = pool
      return [{ name: 'Initialize', args: { sqrtPriceX96, tick } }]
    }
    case 'v3.mint': {
      const { owner, tickLower, tickUpper, liquidity } = operation
      const amounts = mintLiquidity(pool, operation, liquidity)
      return [
        { name: 'Mint', args: { owner, tickLower, tickUpper, amount: liquidity, ...amounts } },
      ]
    }
    case 'v3.burn': {
      const { owner, tickLower, tickUpper, liquidity } = operation
      const amounts = burnLiquidity(pool, operation, liquidity)
      return [
        { name: 'Burn', args: { owner, tickLower, tickUpper, amount: liquidity, ...amounts } },
      ]
    }
    case 'v3.collect': {
      const { owner, tickLower, tickUpper, amount0Requested, amount1Requested } = operation
      const amounts = collectOwed(pool, operation, {
        amount0: amount0Requested,
        amount1: amount1Requested,
      })
      return [{ name: 'Collect', args: { owner, tickLower, tickUpper, ...amounts } }]
    }
    case 'v3.swap':
      return swap(pool, operation)
    default:
      return administer(pool, operation)
  }
}

function swap(pool: Pool, operation: Extract<UniswapV3Operation, { kind: 'v3.swap' }>): PoolLog[] {
  const walk = walkSwap(pool, operation)
  commitSwap(pool, walk)
  const { amountIn, amountOut, zeroForOne } = walk
  return [
    {
      name: 'Swap',
      args: {
        amount0: zeroForOne ? amountIn : -amountOut,
        amount1: zeroForOne ? -amountOut : amountIn,
        sqrtPriceX96: pool.sqrtPriceX96,
        liquidity: pool.liquidity,
        tick: pool.tick,
      },
    },
  ]
}

type Administration = Exclude<
  UniswapV3Operation,
  { kind: 'v3.initialize' | 'v3.mint' | 'v3.burn' | 'v3.collect' | 'v3.swap' }
>

function administer(pool: Pool, operation: Administration): PoolLog[] {
  switch (operation.kind) {
    case 'v3.flash': {
      const { amount0, amount1, paid0, paid1 } = operation
      flashLoan(pool, { amount0, amount1 }, { amount0: paid0, amount1: paid1 })
      return [{ name: 'Flash', args: { amount0, amount1, paid0, paid1 } }]
    }
    case 'v3.setFeeProtocol': {
      const before = { feeProtocol0Old: pool.feeProtocol0, feeProtocol1Old: pool.feeProtocol1 }
      const { feeProtocol0, feeProtocol1 } = operation
      setProtocolShare(pool, feeProtocol0, feeProtocol1)
      const after = { feeProtocol0New: feeProtocol0, feeProtocol1New: feeProtocol1 }
      return [{ name: 'SetFeeProtocol', args: { ...before, ...after } }]
    }
    case 'v3.collectProtocol': {
      const amounts = collectProtocolFees(pool, {
        amount0: operation.amount0Requested,
        amount1: operation.amount1Requested,
      })
      return [{ name: 'CollectProtocol', args: { ...amounts } }]
    }
    case 'v3.increaseObservationCardinalityNext': {
      const observationCardinalityNextOld = pool.observationCardinalityNext
      increaseObservationCardinalityNext(pool, operation.observationCardinalityNext)
      const observationCardinalityNextNew = pool.observationCardinalityNext
      if (observationCardinalityNextNew === observationCardinalityNextOld) return []
      return [
        {
          name: 'IncreaseObservationCardinalityNext',
          args: { observationCardinalityNextOld, observationCardinalityNextNew },
        },
      ]
    }
  }
}
