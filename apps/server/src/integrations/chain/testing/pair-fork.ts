import {
  artifact,
  erc20Abi,
  type Localchain,
  type Market,
  sortTokens,
  v2FactoryAbi,
  v2PairAbi,
} from '@liquidity-os/localchain'
import { type Address, concatHex, encodeFunctionData, type Hex, pad } from 'viem'

/** A pair of a fork of Uniswap v2 that takes another fee, and what can be done on it. */
export type PairFork = {
  readonly factory: Address
  readonly market: Market
  /** Sells `amount0` of token0 for what the pair pays at a fee in thousandths of the input. */
  sell(amount0: bigint, feeThousandths?: bigint): Promise<void>
}

/** `mul(3)` of the amounts that came in, as the build of the pair has it. */
const mulThree = '84600363ffffffff6121e816'

/**
 * Deploys the genuine factory with one constant of the pair's code changed, as forks do: the pair takes 2/1000 of the
 * input. It gets `reserve` of both tokens.
 */
export async function deployPairFork(
  chain: Localchain,
  [tokenA, tokenB]: readonly [Address, Address],
  reserve: bigint,
): Promise<PairFork> {
  const from = chain.accounts[0]!.address
  const genuine = artifact('UniswapV2Factory').bytecode
  if (genuine.split(mulThree).length !== 3) throw new Error('The build has another form.')
  const forked = genuine.replaceAll(mulThree, mulThree.replace('6003', '6002')) as Hex
  const factory = await chain.deploy(concatHex([forked, pad(from)]))
  const [token0, token1] = sortTokens(tokenA, tokenB)
  const create = { abi: v2FactoryAbi, functionName: 'createPair', args: [token0, token1] } as const
  const { blockNumber } = await chain.send({ from, to: factory, data: encodeFunctionData(create) })
  const named = { ...create, functionName: 'getPair', address: factory } as const
  const address = await chain.publicClient.readContract(named)
  const pay = (token: Address, amount: bigint) => {
    const args = [address, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    return chain.send({ from, to: token, data })
  }
  const act = (data: Hex) => chain.send({ from, to: address, data })
  for (const token of [token0, token1]) await pay(token, reserve)
  await act(encodeFunctionData({ abi: v2PairAbi, functionName: 'mint', args: [from] }))
  return {
    factory,
    market: { address, token0, token1, blockNumber },
    sell: async (amount0, feeThousandths = 2n) => {
      const read = { address, abi: v2PairAbi, functionName: 'getReserves' } as const
      const [reserve0, reserve1] = await chain.publicClient.readContract(read)
      const input = amount0 * (1000n - feeThousandths)
      await pay(token0, amount0)
      const out = (input * reserve1) / (reserve0 * 1000n + input)
      const args = [0n, out, from, '0x'] as const
      await act(encodeFunctionData({ abi: v2PairAbi, functionName: 'swap', args }))
    },
  }
}
