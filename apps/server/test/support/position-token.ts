import { erc20Abi, positionManagerAbi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, parseEventLogs } from 'viem'
import type { TestChain } from './chain.ts'

/** Deadline after all tests. */
const never = 4_102_444_800n

/** Lets the position manager spend the tokens of the first account. */
export async function approvePositions({ chain, markets }: TestChain): Promise<void> {
  const args = [chain.contracts.positionManager, 10n ** 27n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  for (const to of markets.tokens) await chain.send({ from: chain.accounts[0]!.address, to, data })
}

interface Minted {
  readonly recipient: Address
  readonly fee: number
  readonly tickLower: number
  readonly tickUpper: number
  /** Atomic units per token. */
  readonly desired: bigint
}

/** Mints a position token and returns its ID. */
export async function mintPosition(
  { chain, markets: { pool } }: TestChain,
  { desired, ...position }: Minted,
): Promise<bigint> {
  const amounts = {
    amount0Desired: desired,
    amount1Desired: desired,
    amount0Min: 0n,
    amount1Min: 0n,
  }
  const { token0, token1 } = pool
  const args = [{ token0, token1, ...position, ...amounts, deadline: never }] as const
  const data = encodeFunctionData({ abi: positionManagerAbi, functionName: 'mint', args })
  const from = chain.accounts[0]!.address
  const { logs } = await chain.send({ from, to: chain.contracts.positionManager, data })
  const [minted] = parseEventLogs({
    abi: positionManagerAbi,
    logs: [...logs],
    eventName: 'IncreaseLiquidity',
  })
  return minted!.args.tokenId
}
