import { canonicalize } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { tokenAbi } from '../../integrations/chain/abis.ts'
import { CallRevertedError, ChainError } from '../../integrations/chain/chain-error.ts'
import { type Leg, legsOfPosition, legsOfShares } from '../../integrations/chain/claims.ts'
import type { ChainClient } from '../../integrations/chain/client.ts'
import { readContract } from '../../integrations/chain/contract-call.ts'
import { type Pin, readAtBlock } from '../../integrations/chain/finalized.ts'
import { type BalanceEvidence, readProvenBalance } from '../../integrations/chain/proven-balance.ts'
import { contentHashOf } from '../../store/artifacts/content-hash.ts'
import { type NamedAsset, tokenKey } from './asset-keys.ts'
import type { PinnedChain } from './treasury-snapshot.ts'

/** A balance of a container at the block of a snapshot. */
export interface Holding {
  readonly balance: bigint
  readonly proof: 'MERKLE' | 'READ'
  readonly decimals: number
  /** Assets behind a claim, by asset key; empty for other assets. */
  readonly legs: readonly { readonly asset: string; readonly quantity: bigint }[]
  /** Balance proof for third parties; null if the balance was only read. */
  readonly evidence: { readonly content: Uint8Array; readonly contentHash: string } | null
}

type OnChain = Exclude<NamedAsset, { kind: 'MONEY' }>

const nativeDecimals = 18

/**
 * Reads an account's balance of an asset at the snapshot block. All providers of the chain must
 * agree; the first supplies the proof. Differing balances raise PROVIDERS_DISAGREE.
 *
 * @returns null if the asset does not respond, or the account does not own the position
 * @throws ChainError if a read fails
 */
export async function readHolding(
  chain: PinnedChain,
  asset: OnChain,
  holder: Address,
): Promise<Holding | null> {
  try {
    const [first, ...others] = await Promise.all(
      chain.clients.map((client) =>
        readAtBlock(client, chain.block, (pin) => read(client, pin, asset, holder)),
      ),
    )
    if (others.some(({ balance, legs }) => !isSame(first!, { balance, legs }))) {
      throw new ChainError({
        code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
        reason: 'ANSWERS_DIFFER',
        blockNumber: chain.block.number,
      })
    }
    const { evidence, legs, ...known } = first!
    return {
      ...known,
      legs: legs.map(({ token, quantity }) => ({
        asset: tokenKey(asset.chainId, token),
        quantity,
      })),
      evidence: evidence && evidenceOf(chain, asset, holder, { ...known, evidence }),
    }
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}

interface Read {
  readonly balance: bigint
  readonly proof: 'MERKLE' | 'READ'
  readonly decimals: number
  readonly legs: readonly Leg[]
  readonly evidence: BalanceEvidence | null
}

async function read(client: ChainClient, pin: Pin, asset: OnChain, holder: Address): Promise<Read> {
  if (asset.kind === 'POSITION') {
    const { address, tokenId } = asset
    const legs = await legsOfPosition(client, pin, address, { tokenId, owner: holder })
    if (legs === null) throw new CallRevertedError()
    return { balance: 1n, proof: 'READ', decimals: 0, legs, evidence: null }
  }
  const token = asset.kind === 'NATIVE' ? null : asset.address
  const { quantity, proof, evidence } = await readProvenBalance(client, pin, holder, token)
  if (token === null) {
    return { balance: quantity, proof, decimals: nativeDecimals, legs: [], evidence }
  }
  const decimals = await readContract(client, pin, {
    address: token,
    abi: tokenAbi,
    functionName: 'decimals',
  })
  const legs = await legsOfShares(client, pin, token, quantity)
  return { balance: quantity, proof, decimals, legs, evidence }
}

const isSame = (a: Pick<Read, 'balance' | 'legs'>, b: Pick<Read, 'balance' | 'legs'>): boolean =>
  a.balance === b.balance &&
  a.legs.length === b.legs.length &&
  a.legs.every(({ quantity }, index) => quantity === b.legs[index]?.quantity)

/** The proof as bytes; verification needs only the block header in addition. */
function evidenceOf(
  { block, chainId }: PinnedChain,
  asset: OnChain,
  holder: Address,
  { balance, evidence }: { balance: bigint; evidence: BalanceEvidence },
) {
  const content = Buffer.from(
    canonicalize({
      schemaVersion: 'treasury-balance-proof-v1',
      chainId,
      blockNumber: block.number,
      blockHash: block.hash,
      stateRoot: block.stateRoot,
      holder,
      token: asset.kind === 'TOKEN' ? asset.address : null,
      quantity: `${balance}`,
      accountProof: evidence.accountProof,
      storage: evidence.storage,
    }),
  )
  return { content, contentHash: contentHashOf(content) }
}
