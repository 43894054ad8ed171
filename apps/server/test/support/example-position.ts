import {
  erc20Abi,
  type Localchain,
  positionManagerAbi,
  v3PoolAbi,
  weth9Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, maxUint256, parseEventLogs } from 'viem'

/** The range of the example: the whole curve at a spacing of 60. */
const ticks = { tickLower: -887_220, tickUpper: 887_220 }

/**
 * Mints the position that the migration example moves.
 *
 * @returns replacement for the token number in the example
 */
export async function positionForExample(
  chain: Localchain,
  { wallet, pool, base }: { wallet: Address; pool: string; base: string },
): Promise<Record<string, string>> {
  const { positionManager, weth9 } = chain.contracts
  const send = (to: Address, data: Hex, value = 0n) => chain.send({ from: wallet, to, data, value })
  const read = (functionName: 'token0' | 'token1') =>
    chain.publicClient.readContract({ address: pool as Address, abi: v3PoolAbi, functionName })
  const [token0, token1] = [await read('token0'), await read('token1')]
  await send(weth9, encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' }), 10n ** 20n)
  // The token's deployer holds the remainder of the recording.
  const amount = 10n ** 22n
  const give = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [wallet, amount],
  })
  await chain.send({ from: chain.accounts[0]!.address, to: base as Address, data: give })
  for (const token of [token0, token1]) {
    const args = [positionManager, maxUint256] as const
    await send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
  }
  const amounts = { amount0Desired: 10n ** 19n, amount1Desired: 10n ** 19n }
  const terms = { token0, token1, fee: 3000, ...ticks, ...amounts, amount0Min: 0n, amount1Min: 0n }
  const args = [{ ...terms, recipient: wallet, deadline: 4_102_444_800n }] as const
  const { logs } = await send(
    positionManager,
    encodeFunctionData({ abi: positionManagerAbi, functionName: 'mint', args }),
  )
  await chain.mine(4)
  const [minted] = parseEventLogs({
    abi: positionManagerAbi,
    logs: [...logs],
    eventName: 'IncreaseLiquidity',
  })
  return { '"tokenId":"1"': `"tokenId":"${minted!.args.tokenId}"` }
}
