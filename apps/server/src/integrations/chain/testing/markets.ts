import {
  erc20Abi,
  forwardData,
  type Localchain,
  type Market,
  paymentData,
  v2PairAbi,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'

/** A v3 pool and a v2 pair of the same two tokens on a local chain, and what can be done on them. */
export type Markets = {
  readonly tokens: readonly [Address, Address]
  readonly pool: Market
  readonly pair: Market
  mint(tickLower: number, tickUpper: number, liquidity: bigint): Promise<void>
  burn(tickLower: number, tickUpper: number, liquidity: bigint): Promise<void>
  collect(tickLower: number, tickUpper: number): Promise<void>
  flash(amount0: bigint, amount1: bigint): Promise<void>
  /** Exact input on the pool, positive amounts only. */
  swap(zeroForOne: boolean, amount: bigint): Promise<void>
  growOracle(slots: number): Promise<void>
  setFeeProtocol(share0: number, share1: number): Promise<void>
  /** Adds liquidity to the pair. */
  provide(amount0: bigint, amount1: bigint): Promise<void>
  /** Pays `amount0` to the pair and takes `amount1Out`. */
  trade(amount0: bigint, amount1Out: bigint): Promise<void>
}

export const poolFee = 3000
const openLimits = [4295128740n, 1461446703485210103287273052203988822378723970341n] as const
const everything = 2n ** 128n - 1n

/**
 * Deploys both markets; the pool starts at price one.
 *
 * @param trader signs swaps and trades; default: the first account, which also deploys
 */
export async function deployMarkets(
  chain: Localchain,
  trader: Address = chain.accounts[0]!.address,
): Promise<Markets> {
  const deployer = chain.accounts[0]!.address
  const { payer } = chain.contracts
  const token = (symbol: string) => chain.deployToken({ name: symbol, symbol })
  const terms = { tokenA: await token('ONE'), tokenB: await token('TWO'), fee: poolFee }
  const pool = await chain.createV3Pool({ ...terms, sqrtPriceX96: 2n ** 96n })
  const pair = await chain.createV2Pair(terms.tokenA, terms.tokenB)
  const send = async (to: Address, data: Hex, from = deployer): Promise<void> => {
    await chain.send({ from, to, data })
  }
  const pay = (token: Address, to: Address, amount: bigint) =>
    send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }))
  for (const address of [pool.token0, pool.token1]) await pay(address, payer, 10n ** 27n)
  const onPool = (data: Hex) => send(payer, forwardData(pool.address, data))
  const payment = paymentData(pool)
  const abi = v3PoolAbi
  return {
    tokens: [pool.token0, pool.token1],
    pool,
    pair,
    mint: (lower, upper, liquidity) => {
      const args = [payer, lower, upper, liquidity, payment] as const
      return onPool(encodeFunctionData({ abi, functionName: 'mint', args }))
    },
    burn: (...args) => onPool(encodeFunctionData({ abi, functionName: 'burn', args })),
    collect: (lower, upper) => {
      const args = [payer, lower, upper, everything, everything] as const
      return onPool(encodeFunctionData({ abi, functionName: 'collect', args }))
    },
    flash: (amount0, amount1) => {
      const data = paymentData({ ...pool, extra0: amount0, extra1: amount1 })
      const args = [payer, amount0, amount1, data] as const
      return onPool(encodeFunctionData({ abi, functionName: 'flash', args }))
    },
    swap: (zeroForOne, amount) => {
      const args = [payer, zeroForOne, amount, openLimits[zeroForOne ? 0 : 1], payment] as const
      const data = encodeFunctionData({ abi, functionName: 'swap', args })
      return send(payer, forwardData(pool.address, data), trader)
    },
    growOracle: (slots) => {
      const functionName = 'increaseObservationCardinalityNext'
      return onPool(encodeFunctionData({ abi, functionName, args: [slots] }))
    },
    setFeeProtocol: (...args) =>
      send(pool.address, encodeFunctionData({ abi, functionName: 'setFeeProtocol', args })),
    provide: async (amount0, amount1) => {
      await pay(pair.token0, pair.address, amount0)
      await pay(pair.token1, pair.address, amount1)
      const mint = { abi: v2PairAbi, functionName: 'mint', args: [deployer] } as const
      await send(pair.address, encodeFunctionData(mint))
    },
    trade: async (amount0, amount1Out) => {
      await pay(pair.token0, pair.address, amount0)
      const args = [0n, amount1Out, trader, '0x'] as const
      const data = encodeFunctionData({ abi: v2PairAbi, functionName: 'swap', args })
      await send(pair.address, data, trader)
    },
  }
}
