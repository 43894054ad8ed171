import { type Address, encodeFunctionData, type Hex, isAddressEqual, pad } from 'viem'
import { tokenAbi } from './abis.ts'
import { CallRevertedError, ChainError } from './chain-error.ts'
import { ask, type ChainClient, inconsistent } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin } from './finalized.ts'
import { provenAccount, provenSlot, TrieProofError } from './trie-proof.ts'

/** How a quantity is known: shown against the state root of the block, or read from a provider. */
export type BalanceProof = 'MERKLE' | 'READ'

export interface ProvenBalance {
  /** Atoms. */
  readonly quantity: bigint
  readonly proof: BalanceProof
  /** What a stranger needs to check it against the state root of the block; null where it was read. */
  readonly evidence: BalanceEvidence | null
}

/** Nodes of the state trie, and for a token the slot that holds the balance with the nodes on the way to it. */
export interface BalanceEvidence {
  readonly accountProof: readonly Hex[]
  readonly storage: { readonly slot: Hex; readonly proof: readonly Hex[] } | null
}

interface ProofAnswer {
  readonly accountProof: readonly Hex[]
  readonly storageProof: readonly { readonly key: Hex; readonly proof: readonly Hex[] }[]
}

/**
 * Balance of the native coin or of a token at a pinned block, with the best proof that the provider can give.
 *
 * Of a token the access list of `balanceOf(holder)` names the slots that the call touched. Where exactly one of the
 * token's own holds what the call answered, and its proof holds against the state root, the balance is proven;
 * packed or computed balances (rebasing tokens, proxies with logic elsewhere) are read.
 *
 * @param token null for the native coin
 * @throws CallRevertedError where the token answers no balance
 * @throws ChainError as the reads do; a proof that contradicts the header is INCONSISTENT_ANSWER
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

/** Slots of the token's own storage that its `balanceOf` reads; none where the provider does not tell. */
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
      // Whoever asks is nobody who pays: the call is a view.
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

/** A proof that contradicts the header: somebody lies, and it is not told who. */
function checked<Value>(verify: () => Value): Value {
  try {
    return verify()
  } catch (error) {
    if (error instanceof TrieProofError) throw inconsistent('eth_getProof')
    throw error
  }
}

/** Null where the provider does not serve the method: many do not, and then the balance is read. */
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
