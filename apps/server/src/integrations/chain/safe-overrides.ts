import { type Address, concatHex, type Hex, numberToHex, pad } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import type { SafeAccount } from './safe-account.ts'

/** Storage slots of the nonce and the on-chain approved hashes in a Safe from 1.3.0. */
const nonceSlot = numberToHex(5, { size: 32 })
const approvedHashesSlot = numberToHex(8, { size: 32 })
const one = numberToHex(1, { size: 32 })

export type StateOverrides = Readonly<
  Record<Address, { readonly stateDiff: Readonly<Record<Hex, Hex>> } | { readonly code: Hex }>
>

/**
 * State of a Safe that executes transactions with these hashes from a nonce on: just enough owners
 * have approved each hash. All else is unchanged, so the Safe's own code decides on exactly these
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

/** Signatures that refer to these approvals, sorted by owner as a Safe requires. */
export const approvalSignatures = (safe: Pick<SafeAccount, 'owners' | 'threshold'>): Hex =>
  concatHex(approversOf(safe).map((owner) => concatHex([pad(owner), pad('0x'), '0x01'])))

const approversOf = ({ owners, threshold }: Pick<SafeAccount, 'owners' | 'threshold'>) =>
  owners.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).slice(0, threshold)

/** Code that returns the balance of an account to any caller: PUSH20, BALANCE, MSTORE, RETURN. */
export const balanceCode = (account: Address): Hex =>
  concatHex(['0x73', account, '0x3160005260206000f3'])
