import type { ClmmState } from '../packages/engine/src/amm/v3/state.ts'

/** What is used of the SDK; it is installed at run time, so its own types are not there. */
interface Sdk {
  Pool: new (
    token0: unknown,
    token1: unknown,
    fee: number,
    sqrtRatioX96: string,
    liquidity: string,
    tick: number,
    ticks: readonly { index: number; liquidityGross: string; liquidityNet: string }[],
  ) => Pool
}
interface Pool {
  sqrtRatioX96: { toString: () => string }
  liquidity: { toString: () => string }
  tickCurrent: number
  getOutputAmount: (input: unknown) => Promise<[{ quotient: { toString: () => string } }, Pool]>
}
interface Core {
  Token: new (chainId: number, address: string, decimals: number) => unknown
  CurrencyAmount: { fromRawAmount: (token: unknown, amount: string) => unknown }
}

/** A pool of the SDK after some swaps. */
export interface SdkPool {
  swap: (zeroForOne: boolean, amountIn: bigint) => Promise<SdkPool>
  /** Amount out of the last swap, root price, tick and liquidity. */
  observed: () => string
}

/** The same pool in the SDK. */
export function openSdkPool(load: NodeJS.Require, state: ClmmState): SdkPool {
  const { Pool } = load('@uniswap/v3-sdk') as Sdk
  const { Token, CurrencyAmount } = load('@uniswap/sdk-core') as Core
  const token0 = new Token(1, `0x${'1'.repeat(40)}`, 18)
  const token1 = new Token(1, `0x${'2'.repeat(40)}`, 18)
  const wrap = (pool: Pool, amountOut: string): SdkPool => ({
    swap: async (zeroForOne, amountIn) => {
      const input = CurrencyAmount.fromRawAmount(zeroForOne ? token0 : token1, amountIn.toString())
      const [output, next] = await pool.getOutputAmount(input)
      return wrap(next, output.quotient.toString())
    },
    observed: () => [amountOut, pool.sqrtRatioX96, pool.tickCurrent, pool.liquidity].join(' '),
  })
  const ticks = state.ticks.map(({ index, liquidityGross, liquidityNet }) => ({
    index,
    liquidityGross: liquidityGross.toString(),
    liquidityNet: liquidityNet.toString(),
  }))
  const { sqrtPriceX96, liquidity, tick } = state
  return wrap(
    new Pool(token0, token1, 3000, sqrtPriceX96.toString(), liquidity.toString(), tick, ticks),
    '0',
  )
}
