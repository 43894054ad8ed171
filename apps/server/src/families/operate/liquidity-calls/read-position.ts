import { type Address, decodeFunctionResult, type Hex } from 'viem'
import { v3PoolAbi } from '../../../integrations/chain/abis.ts'
import { CallRevertedError } from '../../../integrations/chain/chain-error.ts'
import { ask, type ChainClient } from '../../../integrations/chain/client.ts'
import { inSlices, readContract } from '../../../integrations/chain/contract-call.ts'
import {
  agreeOnAnswer,
  blockArgument,
  type Pin,
  readAtBlock,
} from '../../../integrations/chain/finalized.ts'
import { peripheryFault } from '../../../integrations/chain/known-periphery.ts'
import { allowanceAbi, positionManagerAbi } from '../../../integrations/chain/periphery-abis.ts'
import {
  type PoolOfTokens,
  type ReadToken,
  readPositionTokens,
} from '../../../integrations/chain/position-tokens.ts'
import { callOnlyBatchNameOf, codeAt } from '../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../keccak256.ts'
import { type PinnedChain, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import { collectData } from './encode-calls.ts'
import type { TokenPair } from './liquidity-amounts.ts'

export interface ReadTerms {
  readonly safe: Address
  readonly manager: Address
  readonly market: PoolOfTokens & { readonly pool: Address }
  /** Null for a new position. */
  readonly tokenId: bigint | null
  readonly isWithdrawal: boolean
  /** Batch contract of the release, if any. */
  readonly batch: Address | null
}

/** A pool, its manager and a position of the Safe at one finalized block. */
export interface PositionReads {
  /** Fault of the manager; null if it is the genuine one of the factory. */
  readonly managerFault: string | null
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly codes: ReadonlyMap<Address, Hex>
  /** Allowances of the manager for token0 and token1. */
  readonly allowances: TokenPair
  readonly position: ReadToken | null
  /**
   * Fees and withdrawn tokens that the position has not paid yet; null without a withdrawal from a
   * position of the Safe.
   */
  readonly owed: TokenPair | null
  readonly hasBatch: boolean
}

/** @throws Failure 503 if the chain is unavailable or its providers disagree */
export const readPosition = (chain: PinnedChain, terms: ReadTerms): Promise<PositionReads> =>
  readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) =>
      readAtBlock(client, chain.block, (pin) => readWith(client, { pin, chain }, terms)),
    ),
  )

async function readWith(
  client: ChainClient,
  { pin, chain }: { pin: Pin; chain: PinnedChain },
  { safe, manager, market, tokenId, isWithdrawal, batch }: ReadTerms,
): Promise<PositionReads> {
  const { chainId, factory, pool, token0, token1 } = market
  const role = 'positionManager'
  const managerFault = await peripheryFault(client, pin, {
    role,
    address: manager,
    chainId,
    factory,
  })
  const [sqrtPriceX96, tick] = await readContract(client, pin, {
    address: pool,
    abi: v3PoolAbi,
    functionName: 'slot0',
  })
  const targets = [manager, token0, token1]
  const codes = await inSlices(targets, targets.length, (to) => codeAt(client, pin, to))
  const allowances = await inSlices([token0, token1], 2, (address) =>
    readContract(client, pin, {
      address,
      abi: allowanceAbi,
      functionName: 'allowance',
      args: [safe, manager],
    }),
  )
  const [position = null] =
    tokenId === null
      ? []
      : await readPositionTokens(client, chain.block, market, [{ manager, tokenId }])
  const isOwn = position?.heldBy?.toLowerCase() === safe.toLowerCase()
  const batchCode = batch === null ? '0x' : await codeAt(client, pin, batch)
  return {
    managerFault,
    sqrtPriceX96,
    tick,
    codes: new Map(targets.map((target, index) => [target, codes[index] ?? '0x'])),
    allowances: [allowances[0] ?? 0n, allowances[1] ?? 0n],
    position,
    owed:
      tokenId !== null && isOwn && isWithdrawal
        ? await owedOf(client, pin, { safe, manager, tokenId })
        : null,
    hasBatch: callOnlyBatchNameOf(keccak256(batchCode)) !== null,
  }
}

/** Amounts that a collection pays at the block, as the manager computes them. */
async function owedOf(
  client: ChainClient,
  pin: Pin,
  { safe, manager, tokenId }: { safe: Address; manager: Address; tokenId: bigint },
): Promise<TokenPair> {
  const call = { from: safe, to: manager, data: collectData(tokenId, safe) }
  const data = await ask<Hex>(client, 'eth_call', [call, blockArgument(pin)])
  try {
    return decodeFunctionResult({ abi: positionManagerAbi, functionName: 'collect', data })
  } catch {
    throw new CallRevertedError()
  }
}
