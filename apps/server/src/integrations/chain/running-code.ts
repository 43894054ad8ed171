import { type Address, getAddress, type Hex, parseAbi } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'
import { addressIn, codeAt } from './safe-account.ts'

/** Code that an account executes, and its admin according to the EIP-1967 slots. */
export interface CodeOfAccount {
  readonly kind: 'DIRECT' | 'EIP1967' | 'BEACON' | 'EIP1167'
  readonly implementation: Address
  readonly implementationCodeHash: Hex
  /** Hash of the account's own code. */
  readonly codeHash: Hex
  readonly admin: Address | null
  readonly beacon: Address | null
}

/** EIP-1967 slots: hashes of their names, minus one. */
export const proxySlots = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
} as const

const beaconAbi = parseAbi(['function implementation() view returns (address)'])

/** The code of a minimal proxy for the address that it calls. */
const minimal = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/

/**
 * Reads the code that an account executes at a pinned block.
 *
 * @throws ChainError if a read fails
 * @see EIP-1967, EIP-1167
 */
export async function readRunningCode(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<CodeOfAccount> {
  const slot = (place: Hex) => addressIn(client, pin, address, place)
  const [code, named, admin, beacon] = await Promise.all([
    codeAt(client, pin, address),
    slot(proxySlots.implementation),
    slot(proxySlots.admin),
    slot(proxySlots.beacon),
  ])
  const cloned = minimal.exec(code)?.[1]
  const answer =
    beacon === null
      ? null
      : await answered(() =>
          readContract(client, pin, {
            address: beacon,
            abi: beaconAbi,
            functionName: 'implementation',
          }),
        )
  const [kind, implementation] = cloned
    ? (['EIP1167', getAddress(`0x${cloned}`)] as const)
    : named
      ? (['EIP1967', named] as const)
      : answer
        ? (['BEACON', answer] as const)
        : (['DIRECT', address] as const)
  const implementationCode = await codeAt(client, pin, implementation)
  return {
    kind,
    implementation,
    admin,
    beacon,
    codeHash: keccak256(code),
    implementationCodeHash: keccak256(implementationCode),
  }
}
