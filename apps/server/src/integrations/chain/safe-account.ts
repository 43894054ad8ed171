import { type Address, getAddress, type Hex, pad, parseAbi, size, toHex } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import { CallRevertedError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin } from './finalized.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }

/** View functions of a Safe; identical in all versions from 1.3.0. */
export const safeAbi = parseAbi([
  'function VERSION() view returns (string)',
  'function getOwners() view returns (address[])',
  'function getThreshold() view returns (uint256)',
  'function nonce() view returns (uint256)',
  'function domainSeparator() view returns (bytes32)',
  'function isOwner(address owner) view returns (bool)',
  'function signedMessages(bytes32 hash) view returns (uint256)',
  'function approvedHashes(address owner, bytes32 hash) view returns (uint256)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] array, address next)',
])

/** A multi-signature account, and everything that can move its assets. */
export interface SafeAccount {
  readonly address: Address
  readonly version: string
  /** The contract whose code the proxy executes; the account itself if it is no proxy. */
  readonly singleton: Address
  readonly singletonCodeHash: Hex
  /** Name of the published build of the code; null for unknown code. */
  readonly singletonName: string | null
  /** Hash of the account's own code. */
  readonly codeHash: Hex
  readonly owners: readonly Address[]
  readonly threshold: number
  readonly nonce: bigint
  /** Contracts that can move assets of the account without its owners. */
  readonly modules: readonly Address[]
  readonly guard: Address | null
  readonly moduleGuard: Address | null
  readonly fallbackHandler: Address | null
  /** Name of the published build of the handler; null for no handler or an unknown one. */
  readonly fallbackHandlerName: string | null
}

/** Storage slots of a Safe without a getter: hashes of names, as declared by its contracts. */
const slots = {
  singleton: pad('0x', { size: 32 }),
  guard: keccak256(toHex('guard_manager.guard.address')),
  moduleGuard: keccak256(toHex('module_manager.module_guard.address')),
  fallbackHandler: keccak256(toHex('fallback_manager.handler.address')),
} as const

const sentinel = '0x0000000000000000000000000000000000000001'
const zero = '0x0000000000000000000000000000000000000000'
const modulesOfPage = 50n
const pagesOfModules = 20

/**
 * Reads a Safe at a pinned block. Null if the account has no code, or does not respond like a Safe.
 *
 * @returns the Safe, or null
 * @throws ChainError if a read fails
 * @see Safe contracts 1.3.0 and 1.4.1: GuardManager, ModuleManager, FallbackManager, SafeProxy
 */
export async function readSafe(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<SafeAccount | null> {
  const code = await codeAt(client, pin, address)
  if (code === '0x') return null
  try {
    return await read(client, pin, address, code)
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}

async function read(
  client: ChainClient,
  pin: Pin,
  address: Address,
  code: Hex,
): Promise<SafeAccount> {
  const at = { address, abi: safeAbi } as const
  const slot = (place: Hex) => addressIn(client, pin, address, place)
  const [version, owners, threshold, nonce, modules, first, guard, moduleGuard, fallbackHandler] =
    await Promise.all([
      readContract(client, pin, { ...at, functionName: 'VERSION' }),
      readContract(client, pin, { ...at, functionName: 'getOwners' }),
      readContract(client, pin, { ...at, functionName: 'getThreshold' }),
      readContract(client, pin, { ...at, functionName: 'nonce' }),
      modulesOf(client, pin, address),
      slot(slots.singleton),
      slot(slots.guard),
      slot(slots.moduleGuard),
      slot(slots.fallbackHandler),
    ])
  const singleton = first ?? address
  const [singletonCode, handlerCode] = await Promise.all([
    codeAt(client, pin, singleton),
    fallbackHandler === null ? ('0x' as const) : codeAt(client, pin, fallbackHandler),
  ])
  const singletonCodeHash = keccak256(singletonCode)
  if (owners.length === 0 || threshold === 0n || threshold > BigInt(owners.length)) {
    throw new CallRevertedError()
  }
  return {
    address,
    version,
    singleton,
    singletonCodeHash,
    codeHash: keccak256(code),
    singletonName: nameOf(singletonCodeHash),

    owners,
    threshold: Number(threshold),
    nonce,
    modules,
    guard,
    moduleGuard,
    fallbackHandler,
    fallbackHandlerName: nameOf(keccak256(handlerCode)),
  }
}

async function modulesOf(client: ChainClient, pin: Pin, address: Address): Promise<Address[]> {
  const found: Address[] = []
  let start: Address = sentinel
  for (let page = 0; page < pagesOfModules; page += 1) {
    const [modules, next] = await readContract(client, pin, {
      address,
      abi: safeAbi,
      functionName: 'getModulesPaginated',
      args: [start, modulesOfPage],
    })
    found.push(...modules)
    if (next === sentinel || next === zero) return found
    // Version 1.3.0 omits the module at a page end, so the next page starts after the last returned
    // module.
    start = modules.at(-1) ?? next
  }
  throw new CallRevertedError()
}

/** The code of an account at a pinned block. */
export function codeAt(client: ChainClient, pin: Pin, address: Address): Promise<Hex> {
  return ask<Hex>(client, 'eth_getCode', [address, blockArgument(pin)])
}

export async function addressIn(
  client: ChainClient,
  pin: Pin,
  address: Address,
  slot: Hex,
): Promise<Address | null> {
  const word = await ask<Hex>(client, 'eth_getStorageAt', [address, slot, blockArgument(pin)])
  if (size(word) !== 32 || !/^0x0{24}/.test(word)) return null
  const held = getAddress(`0x${word.slice(26)}`)
  return held === zero ? null : held
}

const builds = [
  knownContracts.code.Safe,
  knownContracts.code.SafeL2,
  knownContracts.code.CompatibilityFallbackHandler,
  knownContracts.code.GnosisSafe,
  knownContracts.code.GnosisSafeL2,
  knownContracts.code.GnosisCompatibilityFallbackHandler,
]
const nameOf = (hash: Hex) => builds.find((build) => build.hash === hash)?.name ?? null
const { Safe, SafeL2, GnosisSafe, GnosisSafeL2, SafeProxy, GnosisSafeProxy } = knownContracts.code
const { MultiSendCallOnly, GnosisMultiSendCallOnly } = knownContracts.code
const nameAmong = (known: readonly { readonly name: string; readonly hash: string }[]) => {
  return (hash: string) => known.find((build) => build.hash === hash)?.name ?? null
}

/** Name of the published Safe build with this code hash; null for any other code. */
export const singletonNameOf = nameAmong([Safe, SafeL2, GnosisSafe, GnosisSafeL2])
/** The same for account proxies. */
export const proxyNameOf = nameAmong([SafeProxy, GnosisSafeProxy])
/** Names of batch contracts for a Safe that can only call, not delegate. */
export const callOnlyBatchNameOf = nameAmong([MultiSendCallOnly, GnosisMultiSendCallOnly])
/** The same for fallback handlers. */
export const handlerNameOf = nameAmong([
  knownContracts.code.CompatibilityFallbackHandler,
  knownContracts.code.GnosisCompatibilityFallbackHandler,
])

/** The code that an account runs, read without calls to that code. */
export async function readSafeCode(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<{ codeHash: Hex; singleton: Address; singletonCodeHash: Hex }> {
  const [code, first] = await Promise.all([
    codeAt(client, pin, address),
    addressIn(client, pin, address, slots.singleton),
  ])
  const singleton = first ?? address
  const singletonCodeHash = keccak256(await codeAt(client, pin, singleton))
  return { codeHash: keccak256(code), singleton, singletonCodeHash }
}
