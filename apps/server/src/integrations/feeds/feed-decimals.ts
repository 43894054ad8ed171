import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import { tokenAbi } from '../chain/abis.ts'
import { CallRevertedError } from '../chain/chain-error.ts'
import type { ChainClient } from '../chain/client.ts'
import { readContract } from '../chain/contract-call.ts'
import type { Pin } from '../chain/finalized.ts'
import { FeedError } from './feed-error.ts'

const tokenOf = /^eip155:([0-9]+)\/erc20:(0x[0-9a-f]{40})$/

/**
 * Checks the declared decimals of a feed against the contracts: the decimals of its answers, and of
 * assets that are tokens on this chain. An error would scale every price by a power of ten without
 * looking wrong.
 *
 * @param answered decimals of the answers, from the contract
 * @throws FeedError DECIMALS
 */
export async function requireDecimals(
  client: ChainClient,
  at: Pin,
  chainId: number,
  feed: contract.AggregatorFeed,
  answered: number,
): Promise<void> {
  const { answerDecimals = answered } = feed
  if (answerDecimals !== answered) {
    const detail = `the contract returns ${answered} decimals, but answerDecimals is ${answerDecimals}`
    throw FeedError.refused('DECIMALS', detail)
  }
  for (const asset of ['base', 'quote'] as const) {
    const [, chain, address] = tokenOf.exec(feed[asset]) ?? []
    if (Number(chain) !== chainId) continue
    const decimals = await decimalsOf(client, at, address as Address)
    const stated = feed[`${asset}Decimals`]
    if (decimals === stated) continue
    const found = decimals === null ? 'is not a token' : `has ${decimals} decimals`
    throw FeedError.refused('DECIMALS', `the ${asset} ${found}, but ${asset}Decimals is ${stated}`)
  }
}

async function decimalsOf(client: ChainClient, at: Pin, address: Address): Promise<number | null> {
  try {
    return await readContract(client, at, { address, abi: tokenAbi, functionName: 'decimals' })
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}
