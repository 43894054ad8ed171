import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, isAddressEqual, pad, parseAbi } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import type { Pin } from '../../../integrations/chain/finalized.ts'
import { readHeader } from '../../../integrations/chain/header.ts'
import { readReceipt } from '../../../integrations/chain/receipts.ts'
import { readRunningCode } from '../../../integrations/chain/running-code.ts'
import { codeAt, readSafe } from '../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../keccak256.ts'
import { readRole } from './roles.ts'
import { safeOf } from './safe-view.ts'
import { readTimelock } from './timelock.ts'

type Hop = contract.ControlHop
type Evidence = Hop['evidence']

/** A claim: control of a token by an account, by one method, through intermediate contracts. */
export interface ControlClaim {
  readonly token: Address
  readonly claimant: Address
  readonly method: contract.ControlMethod
  readonly role: Hex | null
  readonly via: readonly Address[]
  readonly deploymentTxHash: Hex | null
}

/** Verified steps of a path, and the error in the first failing step. */
export interface WalkedPath {
  readonly hops: readonly Hop[]
  readonly fault: PathFault | null
}
export interface PathFault {
  /** Index of the step; 0 is the step from the token. */
  readonly hop: number
  readonly from: Address
  readonly to: Address
  readonly detail: string
}

const ownableAbi = parseAbi([
  'function owner() view returns (address)',
  'function defaultAdmin() view returns (address)',
])

/** The role that administers all others in OpenZeppelin's AccessControl. */
export const defaultAdminRole = pad('0x', { size: 32 })

/** A verified step, or the contradicting data as text. */
type Step = Omit<Hop, 'from' | 'to'> | string

/** Two adjacent accounts of a path, with the chain client. */
interface Link {
  readonly client: ChainClient
  readonly pin: Pin
  readonly from: Address
  readonly to: Address
}

/**
 * Reads the path from a token to its claimant step by step, and stops at the first failed step.
 *
 * @throws ChainError if a read fails
 */
export async function walkPath(
  client: ChainClient,
  pin: Pin,
  claim: ControlClaim,
): Promise<WalkedPath> {
  const stations = [claim.token, ...claim.via, claim.claimant]
  const hops: Hop[] = []
  for (const [hop, from] of stations.slice(0, -1).entries()) {
    // Every station except the last has a successor.
    const to = stations[hop + 1] as Address
    const link = { client, pin, from, to }
    const step = hop === 0 ? await fromToken(link, claim) : await fromContract(link)
    if (typeof step === 'string') return { hops, fault: { hop, from, to, detail: step } }
    hops.push({ from, to, ...step })
  }
  return { hops, fault: null }
}

/** The step of the claimed method. */
async function fromToken(link: Link, claim: ControlClaim): Promise<Step> {
  const code = await codeAt(link.client, link.pin, link.from)
  if (code === '0x') return 'has no code'
  const plain = { codeHash: keccak256(code), safe: null, timelock: null }
  if (claim.method === 'OWNER') return ownerStep(link, plain)
  if (claim.method === 'PROXY_ADMIN') return proxyStep(link, plain)
  if (claim.method === 'DEPLOYER') return deployerStep(link, plain, claim.deploymentTxHash)
  if (claim.method === 'DEFAULT_ADMIN') return adminStep(link, plain)
  // The request check requires the role.
  return roleStep(link, plain, claim.role as Hex, 'hasRole')
}

/**
 * Verifies a step from an intermediate contract, by its type: Safe, timelock, owned or administered
 * contract.
 */
async function fromContract(link: Link): Promise<Step> {
  const { client, pin, from } = link
  const code = await codeAt(client, pin, from)
  if (code === '0x') return 'has no code, so only its own key controls it'
  const plain = { codeHash: keccak256(code), safe: null, timelock: null }
  const safe = await readSafe(client, pin, from)
  if (safe) {
    const isOwner = safe.owners.some((owner) => isAddressEqual(owner, link.to))
    const evidence = {
      read: 'isOwner(address)',
      answer: `${isOwner}`,
      ...plain,
      safe: safeOf(safe),
    }
    return isOwner
      ? { relation: 'safeOwner', evidence }
      : `is a Safe with ${safe.owners.length} owners, and the next address is not one of them`
  }
  const timelock = await readTimelock(client, pin, from, link.to)
  if (timelock) {
    const { isProposer, proposerRole, ...view } = timelock
    const read = `hasRole(PROPOSER_ROLE ${proposerRole}, address)`
    return isProposer
      ? { relation: 'timelockRole', evidence: { ...plain, read, answer: 'true', timelock: view } }
      : 'is a timelock, and the next address is not a proposer'
  }
  const owned = await ownerStep(link, plain)
  if (typeof owned !== 'string') return owned
  const administered = await adminStep(link, plain)
  return typeof administered === 'string' ? `${owned}; ${administered}` : administered
}

type Plain = Pick<Evidence, 'codeHash' | 'safe' | 'timelock'>

async function ownerStep({ client, pin, from, to }: Link, plain: Plain): Promise<Step> {
  const owner = await answered(() =>
    readContract(client, pin, { address: from, abi: ownableAbi, functionName: 'owner' }),
  )
  if (owner === null) return 'has no owner()'
  if (!isAddressEqual(owner, to)) return `has owner() ${owner}`
  return { relation: 'owner', evidence: { ...plain, read: 'owner()', answer: owner } }
}

async function adminStep(link: Link, plain: Plain): Promise<Step> {
  const { client, pin, from, to } = link
  const admin = await answered(() =>
    readContract(client, pin, { address: from, abi: ownableAbi, functionName: 'defaultAdmin' }),
  )
  if (admin !== null && isAddressEqual(admin, to)) {
    const read = 'defaultAdmin()'
    return { relation: 'defaultAdmin', evidence: { ...plain, read, answer: admin } }
  }
  return roleStep(link, plain, defaultAdminRole, 'hasRole')
}

async function roleStep(
  { client, pin, from, to }: Link,
  plain: Plain,
  role: Hex,
  relation: 'hasRole',
): Promise<Step> {
  const has = await readRole(client, pin, from, { role, account: to })
  if (has === null) return 'has no hasRole(bytes32,address)'
  if (!has) return `does not grant the role ${role} to the next address`
  return { relation, evidence: { ...plain, read: `hasRole(${role}, address)`, answer: 'true' } }
}

/** Account that can change the code: the EIP-1967 admin, or the owner of the beacon. */
async function proxyStep({ client, pin, from, to }: Link, plain: Plain): Promise<Step> {
  const { admin, beacon } = await readRunningCode(client, pin, from)
  const held = admin ?? beacon
  if (held === null) return 'has neither an admin nor a beacon in its EIP-1967 slots'
  const what = admin ? 'admin' : 'beacon'
  if (!isAddressEqual(held, to)) return `has the ${what} ${held} in its EIP-1967 slot`
  const read = `eip1967.proxy.${what}`
  return { relation: 'proxyAdmin', evidence: { ...plain, read, answer: held } }
}

/** Verifies the creation receipt. Its block must be finalized like the snapshot. */
async function deployerStep(
  { client, pin, from, to }: Link,
  plain: Plain,
  hash: Hex | null,
): Promise<Step> {
  // The request check requires the transaction.
  const receipt = await readReceipt(client, hash as Hex)
  const isFinal =
    receipt !== null &&
    receipt.blockNumber <= pin.block.number &&
    (await readHeader(client, receipt.blockNumber)).hash === receipt.blockHash
  if (!isFinal) {
    return `has no finalized creation transaction ${hash}`
  }
  const { contractAddress: created, isSuccessful } = receipt
  if (!isSuccessful || created === null || !isAddressEqual(created, from)) {
    return `was not created by the transaction ${hash}, which created ${created ?? 'no contract'}`
  }
  if (!isAddressEqual(receipt.from, to)) return `was created by ${receipt.from}`
  const read = `receipt ${hash}`
  return { relation: 'deployer', evidence: { ...plain, read, answer: receipt.from } }
}
