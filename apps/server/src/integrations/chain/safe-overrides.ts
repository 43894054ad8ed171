import { type Address, concatHex, type Hex, numberToHex, pad } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import type { SafeAccount } from './safe-account.ts'

/** Where a Safe from 1.3.0 on keeps its nonce and the hashes that owners approved on chain. */
const nonceSlot = numberToHex(5, { size: 32 })
const approvedHashesSlot = numberToHex(8, { size: 32 })
const one = numberToHex(1, { size: 32 })

/** What is laid over the state of an account while something is simulated. */
export type StateOverrides = Readonly<
  Record<Address, { readonly stateDiff: Readonly<Record<Hex, Hex>> } | { readonly code: Hex }>
>

/**
 * A Safe as it will be when it executes transactions of these hashes from a nonce on: so many owners as it asks for have
 * approved each of them. Nothing else of it is changed, so its own code decides everything, and decides on exactly these
 * hashes.
 *
 * @see Safe 1.3.0 and 1.4.1: `approvedHashes[owner][hash]`, `checkNSignatures` with v = 1
 */
export function approvedBySome(
  { address, owners, threshold }: Pick<SafeAccount, 'address' | 'owners' | 'threshold'>,
  nonce: bigint,
  hashes: readonly Hex[],
): StateOverrides {
  const stateDiff: Record<Hex, Hex> = { [nonceSlot]: numberToHex(nonce, { size: 32 }) }
  for (const owner of approversOf({ owners, threshold })) {
    const ofOwner = keccak256(concatHex([pad(owner), approvedHashesSlot]))
    for (const hash of hashes) stateDiff[keccak256(concatHex([hash, ofOwner]))] = one
  }
  return { [address]: { stateDiff } }
}

/** Signatures that point to these approvals, ascending by owner as a Safe demands. */
export const approvalSignatures = (safe: Pick<SafeAccount, 'owners' | 'threshold'>): Hex =>
  concatHex(approversOf(safe).map((owner) => concatHex([pad(owner), pad('0x'), '0x01'])))

const approversOf = ({ owners, threshold }: Pick<SafeAccount, 'owners' | 'threshold'>) =>
  owners.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).slice(0, threshold)

/** Code that answers with the balance of an account, whoever asks: PUSH20, BALANCE, MSTORE, RETURN. */
export const balanceCode = (account: Address): Hex =>
  concatHex(['0x73', account, '0x3160005260206000f3'])
