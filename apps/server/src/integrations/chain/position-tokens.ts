import { type Address, getAddress } from 'viem'
import { CallRevertedError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { inSlices, readContract } from './contract-call.ts'
import { type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { peripheryFault } from './known-periphery.ts'
import { positionManagerAbi } from './periphery-abis.ts'

/** A position token that a manager is claimed to have issued. */
export interface NamedToken {
  readonly manager: Address
  readonly tokenId: bigint
}

/** The pool that the position must belong to. */
export interface PoolOfTokens {
  readonly chainId: number
  readonly factory: string
  readonly token0: Address
  readonly token1: Address
  readonly feePips: number
}

/** Fee accounting of a position token in its manager; fee growth is modulo 2^256. */
export interface TokenFees {
  readonly feeGrowthInside0LastX128: bigint
  readonly feeGrowthInside1LastX128: bigint
  readonly tokensOwed0: bigint
  readonly tokensOwed1: bigint
}

/** State of a position token at a block, as its manager reports it. */
export type ReadToken =
  | {
      readonly state: 'OF_POOL'
      readonly heldBy: Address
      readonly tickLower: number
      readonly tickUpper: number
      /** Liquidity behind this token alone. */
      readonly liquidity: bigint
      readonly fees: TokenFees
    }
  | {
      /** Not a position of the pool: `detail` states the actual case. */
      readonly state: 'BURNT' | 'OTHER_POOL' | 'UNKNOWN_MANAGER'
      readonly heldBy: Address | null
      readonly detail: string
    }

/** Maximum concurrent calls to a node. */
const atOnce = 8

/**
 * Owners of position tokens and their positions, all at one block. A manager must have Uniswap's
 * own build and the factory of the pool. Any other contract could return arbitrary data.
 *
 * @returns in token order
 * @throws ChainError if a read fails
 */
export async function readPositionTokens(
  client: ChainClient,
  block: Header,
  pool: PoolOfTokens,
  tokens: readonly NamedToken[],
): Promise<ReadToken[]> {
  if (tokens.length === 0) return []
  return readAtBlock(client, block, async (pin) => {
    const faults = new Map<Address, string | null>()
    for (const { manager } of tokens) {
      if (faults.has(manager)) continue
      const { chainId, factory } = pool
      const terms = { role: 'positionManager', address: manager, chainId, factory } as const
      faults.set(manager, await peripheryFault(client, pin, terms))
    }
    return inSlices(tokens, atOnce, async (token) => {
      const detail = faults.get(token.manager) ?? null
      if (detail !== null) return { state: 'UNKNOWN_MANAGER', heldBy: null, detail } as const
      return readToken(client, pin, pool, token)
    })
  })
}

async function readToken(
  client: ChainClient,
  pin: Pin,
  { token0, token1, feePips }: PoolOfTokens,
  { manager, tokenId }: NamedToken,
): Promise<ReadToken> {
  const terms = { address: manager, abi: positionManagerAbi, args: [tokenId] } as const
  try {
    const [position, heldBy] = await Promise.all([
      readContract(client, pin, { ...terms, functionName: 'positions' }),
      readContract(client, pin, { ...terms, functionName: 'ownerOf' }),
    ])
    const [, , is0, is1, fee, tickLower, tickUpper, liquidity, inside0, inside1, owed0, owed1] =
      position
    if (is0 === getAddress(token0) && is1 === getAddress(token1) && fee === feePips) {
      const fees = {
        feeGrowthInside0LastX128: inside0,
        feeGrowthInside1LastX128: inside1,
        tokensOwed0: owed0,
        tokensOwed1: owed1,
      }
      return { state: 'OF_POOL', heldBy, tickLower, tickUpper, liquidity, fees }
    }
    const detail = `is a position in ${is0} and ${is1} at ${fee} pips`
    return { state: 'OTHER_POOL', heldBy, detail }
  } catch (error) {
    // Both calls revert for a token without an owner.
    if (!(error instanceof CallRevertedError)) throw error
    return { state: 'BURNT', heldBy: null, detail: 'is burned or was never minted' }
  }
}
