import type { SwapRequest } from '../../packages/engine/src/amm/v3/swap.ts'
import { sqrtRatioAtTick } from '../../packages/engine/src/amm/v3/tick-math.ts'
import { installPeer } from '../peers.ts'
import { newDeposits } from './workload.ts'

/** An integer of the peer's big-integer library. */
interface Integer {
  toString(): string
}
interface CorePool {
  readonly sqrtPriceX96: Integer
  readonly tickCurrent: number
  readonly liquidity: Integer
  readonly feeGrowthGlobal0X128: Integer
  readonly feeGrowthGlobal1X128: Integer
  initialize(sqrtPriceX96: Integer): void
  mint(owner: string, tickLower: number, tickUpper: number, amount: Integer): unknown
  swap(
    zeroForOne: boolean,
    amount: Integer,
    limit?: Integer,
  ): { amount0: Integer; amount1: Integer }
}

/** The pool of the workload in Bella's simulator. */
export interface BellaPool {
  /** Runs a swap whose amount was converted beforehand. @returns the amount out */
  swap(index: number): Integer
  /** Price, tick, liquidity and both fee growths. */
  observed(): string
}

/**
 * Bella's Uniswap v3 simulator, the fastest exact engine for v3 on npm: a port of the contract on JSBI
 * that keeps fee growth and ticks, without oracle and protocol fee.
 *
 * @returns opens a fresh pool for a list of swaps
 */
export async function loadBella(): Promise<(swaps: readonly SwapRequest[]) => BellaPool> {
  const load = await installPeer('@bella-defintech/uniswap-v3-simulator', '0.1.5')
  const { CorePool } = load('@bella-defintech/uniswap-v3-simulator/dist/core') as {
    CorePool: new (token0: string, token1: string, fee: number, tickSpacing: number) => CorePool
  }
  const { BigInt: integer } = load('jsbi') as { BigInt: (value: string) => Integer }
  return (swaps) => {
    const pool = new CorePool('token0', 'token1', 3000, 60)
    pool.initialize(integer(`${sqrtRatioAtTick(0)}`))
    for (const { owner, tickLower, tickUpper, liquidity } of newDeposits()) {
      pool.mint(owner, tickLower, tickUpper, integer(`${liquidity}`))
    }
    const amounts = swaps.map(({ amountSpecified }) => integer(`${amountSpecified}`))
    return {
      swap: (index) => {
        const { zeroForOne } = swaps[index] as SwapRequest
        const { amount0, amount1 } = pool.swap(zeroForOne, amounts[index] as Integer)
        return zeroForOne ? amount1 : amount0
      },
      observed: () =>
        [
          pool.sqrtPriceX96,
          pool.tickCurrent,
          pool.liquidity,
          pool.feeGrowthGlobal0X128,
          pool.feeGrowthGlobal1X128,
        ].join(' '),
    }
  }
}
