import { type Localchain, startLocalchain, v3FactoryAbi, v3PoolAbi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { OPERATIONS, runnerCode, tokenCode } from './contracts.ts'

/** One step of a script for the original pool. */
export type Operation =
  | {
      readonly kind: 'swap'
      readonly zeroForOne: boolean
      readonly amountSpecified: bigint
      readonly sqrtPriceLimitX96: bigint
    }
  | {
      readonly kind: 'mint' | 'burn'
      readonly tickLower: number
      readonly tickUpper: number
      readonly liquidity: bigint
    }

/** A pool of the published Uniswap v3 bytecode in anvil, with the cheapest tokens there can be. */
export interface BytecodePool {
  readonly chain: Localchain
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  /** Carries a script out in one `eth_call`, which leaves the chain as it is. */
  call(script: Hex, block?: bigint): Promise<Hex>
  /** Carries a script out in a transaction. @returns the block it is in */
  send(script: Hex): Promise<bigint>
  /** Price, tick, liquidity and both fee growths. */
  observed(): Promise<string>
  stop(): Promise<void>
}

const GAS = 2n ** 40n
const token0: Address = `0x${'11'.repeat(20)}`
const token1: Address = `0x${'22'.repeat(20)}`
const runner: Address = `0x${'33'.repeat(20)}`

/**
 * Starts a chain with one pool.
 *
 * @param fee pips; one the factory does not know is enabled with the spacing
 */
export async function openBytecodePool(terms: {
  fee: number
  tickSpacing: number
  sqrtPriceX96: bigint
}): Promise<BytecodePool> {
  const chain = await startLocalchain({ gasLimit: Number(GAS) })
  const from = chain.accounts[0]?.address as Address
  for (const address of [token0, token1]) {
    await chain.testClient.setCode({ address, bytecode: tokenCode() })
  }
  const factory = chain.contracts.uniswapV3Factory
  if (terms.fee !== 3000) {
    const args = [terms.fee, terms.tickSpacing] as const
    const data = encodeFunctionData({
      abi: v3FactoryAbi,
      functionName: 'enableFeeAmount',
      args,
    })
    await chain.send({ from, to: factory, data })
  }
  const pool = await chain.createV3Pool({
    tokenA: token0,
    tokenB: token1,
    fee: terms.fee,
    sqrtPriceX96: terms.sqrtPriceX96,
  })
  const bytecode = runnerCode(pool.address, token0, token1)
  await chain.testClient.setCode({ address: runner, bytecode })
  const read = { address: pool.address, abi: v3PoolAbi }
  return {
    chain,
    address: pool.address,
    token0,
    token1,
    call: (script, block) => callRunner(chain, script, block),
    send: async (script) =>
      (await chain.send({ from, to: runner, data: script, gas: GAS - 1n })).blockNumber,
    observed: async () => {
      const { publicClient } = chain
      const [sqrtPriceX96, tick] = await publicClient.readContract({
        ...read,
        functionName: 'slot0',
      })
      const rest = await Promise.all([
        publicClient.readContract({ ...read, functionName: 'liquidity' }),
        publicClient.readContract({ ...read, functionName: 'feeGrowthGlobal0X128' }),
        publicClient.readContract({ ...read, functionName: 'feeGrowthGlobal1X128' }),
      ])
      return [sqrtPriceX96, tick, ...rest].join(' ')
    },
    stop: () => chain.stop(),
  }
}

/** Bypasses viem: its handling of a megabyte of call data would count as time of the bytecode. */
async function callRunner(chain: Localchain, data: Hex, block?: bigint): Promise<Hex> {
  const call = { to: runner, data, gas: numberToHex(GAS - 1n) }
  const params = [call, block === undefined ? 'latest' : numberToHex(block)]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result?: Hex; error?: unknown }
  if (result === undefined) throw new Error(`the bytecode failed: ${JSON.stringify(error)}`)
  return result
}

/** The call data of a script. */
export function encodeScript(operations: readonly Operation[]): Hex {
  const words = operations.map((operation) => {
    const kind = word(OPERATIONS[operation.kind])
    if (operation.kind !== 'swap') {
      const { tickLower, tickUpper, liquidity } = operation
      return kind + word(BigInt(tickLower)) + word(BigInt(tickUpper)) + word(liquidity)
    }
    const { amountSpecified, sqrtPriceLimitX96, zeroForOne } = operation
    return kind + word(amountSpecified) + word(sqrtPriceLimitX96) + word(zeroForOne ? 1n : 0n)
  })
  return `0x${word(0n)}${words.join('')}`
}

/** The two numbers that an operation returned. */
export function answersOf(result: Hex, index: number): [bigint, bigint] {
  const at = 2 + index * 128
  const read = (from: number) => BigInt.asIntN(256, BigInt(`0x${result.slice(from, from + 64)}`))
  return [read(at), read(at + 64)]
}

function word(value: bigint): string {
  return BigInt.asUintN(256, value).toString(16).padStart(64, '0')
}
