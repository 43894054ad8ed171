import { type Address, encodeFunctionData, type Hex, isAddressEqual, pad } from 'viem'
import { tokenAbi } from './abis.ts'
import { CallRevertedError, ChainError } from './chain-error.ts'
import { ask, type ChainClient, inconsistent } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin } from './finalized.ts'
import { provenAccount, provenSlot, TrieProofError } from './trie-proof.ts'

/** Evidence of a quantity: proven against the state root of the block, or read from a provider. */
export type BalanceProof = 'MERKLE' | 'READ'

export interface ProvenBalance {
  /** Atoms. */
  readonly quantity: bigint
  readonly proof: BalanceProof
  /** Data to verify the balance against the state root of the block; null without a proof. */
  readonly evidence: BalanceEvidence | null
}

/**
 * Nodes of the state trie. For a token, also the storage slot of the balance, with its trie nodes.
 */
export interface BalanceEvidence {
  readonly accountProof: readonly Hex[]
  readonly storage: { readonly slot: Hex; readonly proof: readonly Hex[] } | null
}

interface ProofAnswer {
  readonly accountProof: readonly Hex[]
  readonly storageProof: readonly { readonly key: Hex; readonly proof: readonly Hex[] }[]
}

/**
 * Balance of the native coin or a token at a pinned block, with the best proof that the provider
 * supports.
 *
 * For a token, the access list of `balanceOf(holder)` names the slots that the call reads. The
 * balance is proven if exactly one slot of the token contains it and its proof matches the state
 * root. Packed or computed balances (rebasing tokens, proxies with external logic) are only read. A
 * proof that contradicts the header raises INCONSISTENT_ANSWER.
 *
 * @param token null for the native coin
 * @throws CallRevertedError if the token returns no balance
 * @throws ChainError if a read fails
 */
export async function readProvenBalance(
  client: ChainClient,
  pin: Pin,
  holder: Address,
  token: Address | null,
): Promise<ProvenBalance> {
  return token === null
    ? nativeBalance(client, pin, holder)
    : tokenBalance(client, pin, holder, token)
}

async function nativeBalance(
  client: ChainClient,
  pin: Pin,
  holder: Address,
): Promise<ProvenBalance> {
  const [answer, proven] = await Promise.all([
    ask<Hex>(client, 'eth_getBalance', [holder, blockArgument(pin)]),
    proofOf(client, pin, holder, []),
  ])
  const quantity = BigInt(answer)
  if (proven === null) return { quantity, proof: 'READ', evidence: null }
  const { balance } = accountOf(pin, holder, proven)
  if (balance !== quantity) throw inconsistent('eth_getProof')
  const { accountProof } = proven
  return { quantity, proof: 'MERKLE', evidence: { accountProof, storage: null } }
}

async function tokenBalance(
  client: ChainClient,
  pin: Pin,
  holder: Address,
  token: Address,
): Promise<ProvenBalance> {
  const [quantity, slots] = await Promise.all([
    readContract(client, pin, {
      address: token,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [holder],
    }),
    touchedSlots(client, pin, holder, token),
  ])
  const read: ProvenBalance = { quantity, proof: 'READ', evidence: null }
  if (slots.length === 0) return read
  const proven = await proofOf(client, pin, token, slots)
  if (proven === null) return read
  const { storageHash } = accountOf(pin, token, proven)
  const holding = proven.storageProof.flatMap(({ key, proof }) => {
    const slot = pad(key, { size: 32 })
    return checked(() => provenSlot(storageHash, slot, proof)) === quantity ? [{ slot, proof }] : []
  })
  const [storage] = holding
  if (storage === undefined || holding.length > 1) return read
  const { accountProof } = proven
  return { quantity, proof: 'MERKLE', evidence: { accountProof, storage } }
}

/**
 * Storage slots of the token that its `balanceOf` reads; empty if the provider does not report
 * them.
 */
async function touchedSlots(
  client: ChainClient,
  pin: Pin,
  holder: Address,
  token: Address,
): Promise<Hex[]> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [holder] })
  const answer = await optional(() =>
    ask<{ accessList?: readonly { address: Address; storageKeys: readonly Hex[] }[] }>(
      client,
      'eth_createAccessList',
      // The call is a view, so the sender pays no gas.
      [{ from: holder, to: token, data, gasPrice: '0x0' }, blockArgument(pin)],
    ),
  )
  const lists = answer?.accessList ?? []
  return lists.flatMap(({ address, storageKeys }) =>
    isAddressEqual(address, token) ? storageKeys : [],
  )
}

function proofOf(
  client: ChainClient,
  pin: Pin,
  address: Address,
  slots: readonly Hex[],
): Promise<ProofAnswer | null> {
  return optional(() =>
    ask<ProofAnswer>(client, 'eth_getProof', [address, slots, blockArgument(pin)]),
  )
}

function accountOf({ block }: Pin, address: Address, { accountProof }: ProofAnswer) {
  return checked(() => provenAccount(block.stateRoot, address, accountProof))
}

/** The proof contradicts the header: one of the two is false, and it is unknown which. */
function checked<Value>(verify: () => Value): Value {
  try {
    return verify()
  } catch (error) {
    if (error instanceof TrieProofError) throw inconsistent('eth_getProof')
    throw error
  }
}

/**
 * Null if the provider lacks the method. This is common; the balance is then read without proof.
 */
async function optional<Answer>(attempt: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    if (error instanceof ChainError && isUnserved(error)) return null
    throw error
  }
}

const isUnserved = ({ facts }: ChainError) =>
  facts.reason === 'REQUEST_REFUSED' || facts.reason === 'STATE_PRUNED'
