import type { contract } from '@liquidity-os/contract'
import { parsePastedAddress } from '@liquidity-os/contract/pasted-address'
import { AmountFault, atomsOf, exactDecimal } from '../../../fields/numbers.ts'
import type { Asset } from '../../../fields/units.tsx'
import {
  checksummed,
  coinCall,
  type DescribedCall,
  encodeCall,
  hasValidChecksum,
  rawCall,
} from './encode-calls.ts'

export type Kind = 'TRANSFER' | 'LIQUIDITY' | 'OWNER_CHANGE' | 'APPROVE' | 'CUSTOM'
/** Kinds whose call the page encodes itself. */
export type EncodedKind = Exclude<Kind, 'LIQUIDITY'>
export type OwnerChange = 'ADD' | 'REMOVE' | 'REPLACE' | 'THRESHOLD'

export const kinds: Readonly<Record<Kind, string>> = {
  TRANSFER: 'Transfer tokens or the coin',
  LIQUIDITY: 'Add or withdraw liquidity',
  OWNER_CHANGE: 'Change the owners of the Safe',
  APPROVE: 'Allow a contract to spend a token',
  CUSTOM: 'Call a contract',
}

export const ownerChanges: Readonly<Record<OwnerChange, string>> = {
  ADD: 'Add an owner',
  REMOVE: 'Remove an owner',
  REPLACE: 'Replace an owner',
  THRESHOLD: 'Change the required signatures',
}

/** Input of the page, as typed. */
export interface Terms {
  readonly kind: EncodedKind
  /** Address of the token, or `native`. */
  readonly asset: string
  readonly amount: string
  /** Recipient, spender, new owner, or called contract. */
  readonly address: string
  readonly change: OwnerChange
  readonly owner: string
  readonly threshold: string
  readonly data: string
}

/** State of the Safe and its chain that the terms refer to. */
export interface SafeState {
  readonly chainId: number
  readonly safe: string
  /** In the order of the Safe. */
  readonly owners: readonly string[]
  readonly threshold: number
  readonly asset: Asset | null
  readonly balance: bigint | null
}

export type Field = 'amount' | 'address' | 'owner' | 'threshold' | 'data'

type Faults = Readonly<Partial<Record<Field, string>>>

/** A balance change that the proposal allows. */
export type ExpectedEffect = contract.ProposalWorkspace['expectedEffects'][number]

/** The calls by Safe transaction, or faults. A field without input has an empty fault. */
export type ReadTerms<Fault = Faults> =
  | {
      readonly packets: readonly (readonly DescribedCall[])[]
      /** Null without a statement about balances. */
      readonly effects: readonly ExpectedEffect[] | null
      readonly faults: null
    }
  | { readonly packets: null; readonly faults: Fault }

const zeroAddress = '0x0000000000000000000000000000000000000000'
/** Start of the list of owners in a Safe; it cannot be an owner. */
const sentinel = '0x0000000000000000000000000000000000000001'

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A checksummed address, or the fault of the text; an empty fault for an empty text. */
export function readAddress(
  text: string,
  chainId: number,
): { address: string; fault: null } | { address: null; fault: string } {
  if (text.trim() === '') return { address: null, fault: '' }
  const parsed = parsePastedAddress(text, chainId)
  if (parsed === null) {
    return { address: null, fault: 'Paste an address of this chain: 0x and 40 digits.' }
  }
  if (!hasValidChecksum(parsed)) {
    return { address: null, fault: 'The checksum is wrong. Copy the address again.' }
  }
  return { address: checksummed(parsed), fault: null }
}

/** Reads the terms against the current state of the Safe. */
export function readTerms(terms: Terms, state: SafeState): ReadTerms {
  switch (terms.kind) {
    case 'TRANSFER':
      return readTransfer(terms, state)
    case 'APPROVE':
      return readApproval(terms, state)
    case 'OWNER_CHANGE':
      return readOwnerChange(terms, state)
    case 'CUSTOM':
      return readCustom(terms, state)
  }
}

const rejected = (faults: Partial<Record<Field, string>>): ReadTerms => ({
  packets: null,
  faults,
})

const oneCall = (
  described: DescribedCall,
  effects: readonly ExpectedEffect[] | null = null,
): ReadTerms => ({ packets: [[described]], effects, faults: null })

function readAmount(text: string, asset: Asset | null): { atoms: bigint } | { fault: string } {
  if (text.trim() === '') return { fault: '' }
  if (asset === null) return { fault: 'The decimals of this token are unknown.' }
  try {
    const atoms = atomsOf(text, asset.decimals)
    return atoms < 0n ? { fault: 'Enter zero or more.' } : { atoms }
  } catch (error) {
    if (!(error instanceof AmountFault)) throw error
    return { fault: error.message }
  }
}

function readTransfer(terms: Terms, { chainId, safe, asset, balance }: SafeState): ReadTerms {
  const amount = readAmount(terms.amount, asset)
  const { address, fault } = readAddress(terms.address, chainId)
  const amountFault =
    'fault' in amount
      ? amount.fault
      : amount.atoms === 0n
        ? 'Enter an amount above zero.'
        : balance !== null && amount.atoms > balance && asset
          ? `The Safe holds ${exactDecimal(balance, asset.decimals)} ${asset.symbol}.`
          : null
  const addressFault =
    fault ?? (address === null ? null : recipientFault(address, { safe, token: terms.asset }))
  if (amountFault !== null || addressFault !== null || 'fault' in amount || address === null) {
    return rejected({
      ...(amountFault === null ? {} : { amount: amountFault }),
      ...(addressFault === null ? {} : { address: addressFault }),
    })
  }
  const { atoms } = amount
  const described =
    terms.asset === 'native'
      ? coinCall(address, atoms)
      : encodeCall(checksummed(terms.asset), 'transfer(address to, uint256 amount)', [
          address,
          atoms,
        ])
  // A transfer changes no other balance.
  const delta = `-${atoms}`
  return oneCall(described, [{ asset: terms.asset, minimumDelta: delta, maximumDelta: delta }])
}

function recipientFault(
  address: string,
  { safe, token }: { safe: string; token: string },
): string | null {
  if (isSame(address, safe)) return 'The Safe cannot pay itself.'
  if (isSame(address, zeroAddress)) return 'The zero address cannot return a payment.'
  return isSame(address, token) ? 'This is the contract of the token, not a recipient.' : null
}

function readApproval(terms: Terms, { chainId, safe, asset }: SafeState): ReadTerms {
  const amount = readAmount(terms.amount, asset)
  const { address, fault } = readAddress(terms.address, chainId)
  const addressFault =
    fault ??
    (address !== null && isSame(address, safe) ? 'The Safe needs no approval for itself.' : null)
  if ('fault' in amount || addressFault !== null || address === null) {
    return rejected({
      ...('fault' in amount ? { amount: amount.fault } : {}),
      ...(addressFault === null ? {} : { address: addressFault }),
    })
  }
  const { atoms } = amount
  const described = encodeCall(
    checksummed(terms.asset),
    'approve(address spender, uint256 amount)',
    [address, atoms],
  )
  return oneCall(described)
}

function readCustom(terms: Terms, { chainId, balance, asset }: SafeState): ReadTerms {
  const { address, fault } = readAddress(terms.address, chainId)
  const data = terms.data.trim()
  const dataFault =
    data === ''
      ? ''
      : /^0x([0-9a-fA-F]{2}){4,}$/.test(data)
        ? null
        : 'Paste call data: 0x and an even number of hex digits.'
  const amount = terms.amount.trim() === '' ? { atoms: 0n } : readAmount(terms.amount, asset)
  const amountFault =
    'fault' in amount
      ? amount.fault
      : balance !== null && amount.atoms > balance
        ? 'The Safe holds less.'
        : null
  if ('fault' in amount || amountFault !== null || address === null || dataFault !== null) {
    return rejected({
      ...(amountFault === null ? {} : { amount: amountFault }),
      ...(fault === null ? {} : { address: fault }),
      ...(dataFault === null ? {} : { data: dataFault }),
    })
  }
  return oneCall(rawCall(address, amount.atoms, data))
}

/** True for a call with pasted data that goes to the Safe itself. */
export const isUnreadSafeCall = ({ decoded }: DescribedCall, safe: string): boolean =>
  decoded.readBy === null && isSame(decoded.to, safe)

/** Owners after the change; the threshold must not exceed their number. */
const ownersAfter = ({ change }: Terms, { owners }: SafeState): number =>
  owners.length + (change === 'ADD' ? 1 : change === 'REMOVE' ? -1 : 0)

function readOwnerChange(terms: Terms, state: SafeState): ReadTerms {
  const { change } = terms
  const faults: Partial<Record<Field, string>> = {}
  const takesOwner = change === 'REMOVE' || change === 'REPLACE'
  const owner = state.owners.find((one) => isSame(one, terms.owner))
  if (takesOwner && owner === undefined) faults.owner = ''
  if (change === 'REMOVE' && state.owners.length === 1)
    faults.owner = 'A Safe needs at least one owner.'
  let added = ''
  if (change === 'ADD' || change === 'REPLACE') {
    const read = readAddress(terms.address, state.chainId)
    if (read.fault !== null) faults.address = read.fault
    else if (state.owners.some((one) => isSame(one, read.address)))
      faults.address = 'This account is an owner already.'
    else if (isSame(read.address, state.safe)) faults.address = 'The Safe cannot own itself.'
    else if (isSame(read.address, zeroAddress) || isSame(read.address, sentinel))
      faults.address = 'A Safe rejects this address as an owner.'
    else added = read.address
  }
  const threshold = change === 'REPLACE' ? state.threshold : Number(terms.threshold)
  const fault = change === 'REPLACE' ? null : thresholdFault(threshold, terms, state)
  if (fault !== null) faults.threshold = fault
  if (Object.keys(faults).length > 0) return rejected(faults)
  const described = ownerCall(change, state, { owner: owner ?? '', added, threshold })
  return oneCall(described)
}

function thresholdFault(threshold: number, terms: Terms, state: SafeState): string | null {
  const max = ownersAfter(terms, state)
  if (max === 0) return null
  if (terms.threshold.trim() === '') return ''
  const isNumber = /^\d+$/.test(terms.threshold) && Number.isSafeInteger(threshold)
  if (!isNumber || threshold < 1 || threshold > max) return `Enter a number from 1 to ${max}.`
  return terms.change === 'THRESHOLD' && threshold === state.threshold
    ? `The Safe requires ${threshold} already.`
    : null
}

function ownerCall(
  change: OwnerChange,
  { safe, owners }: SafeState,
  { owner, added, threshold }: { owner: string; added: string; threshold: number },
): DescribedCall {
  const before = owners[owners.indexOf(owner) - 1] ?? sentinel
  const required = BigInt(threshold)
  switch (change) {
    case 'ADD':
      return encodeCall(safe, 'addOwnerWithThreshold(address owner, uint256 threshold)', [
        added,
        required,
      ])
    case 'REMOVE':
      return encodeCall(safe, 'removeOwner(address previous, address owner, uint256 threshold)', [
        before,
        owner,
        required,
      ])
    case 'REPLACE':
      return encodeCall(safe, 'swapOwner(address previous, address oldOwner, address newOwner)', [
        before,
        owner,
        added,
      ])
    case 'THRESHOLD':
      return encodeCall(safe, 'changeThreshold(uint256 threshold)', [required])
  }
}

const actionTypes: Readonly<Record<Kind, contract.ProposalActionType>> = {
  TRANSFER: 'TREASURY_TRANSFER',
  OWNER_CHANGE: 'OWNER_CHANGE',
  APPROVE: 'VENUE_CALLS',
  CUSTOM: 'VENUE_CALLS',
  LIQUIDITY: 'VENUE_CALLS',
}

/** Title of a proposal, from its terms. */
export function titleOf(terms: Terms, asset: Asset | null, recipient: string | null): string {
  const amount = `${terms.amount.trim()} ${asset?.symbol ?? ''}`.trim()
  const to = recipient ?? ''
  const titles: Readonly<Record<EncodedKind, string>> = {
    TRANSFER: `Send ${amount}${to && ` to ${to}`}`,
    APPROVE: `Allow ${to || 'a contract'} to spend ${amount}`,
    OWNER_CHANGE: ownerChanges[terms.change],
    CUSTOM: `Call ${to || 'a contract'}`,
  }
  return titles[terms.kind].slice(0, 160)
}

/** The request of `createProposals`. */
export function proposalInput(
  {
    kind,
    state,
    vaultId,
  }: {
    kind: Kind
    state: Pick<SafeState, 'chainId' | 'safe'>
    vaultId: string
  },
  { packets, effects }: Extract<ReadTerms, { faults: null }>,
  review: { title: string; summary: string; required: number; lastDay: string },
) {
  const [calls = [], ...series] = packets.map((packet) => packet.map(({ call }) => call))
  return {
    title: review.title,
    summary: review.summary,
    vaultId,
    action: {
      actionType: actionTypes[kind],
      chainId: state.chainId,
      safeAddress: state.safe,
      calls,
    },
    ...(series.length === 0 ? {} : { series: series.map((packet) => ({ calls: packet })) }),
    review: { required: review.required, expiresAt: `${review.lastDay}T23:59:59Z` },
    ...(effects === null ? {} : { expectedEffects: effects }),
  }
}
