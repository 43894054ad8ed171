import { type Address, getAddress, type Hex } from 'viem'
import { CallRevertedError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin } from './finalized.ts'
import {
  type KnownCode,
  maskedCodeHash,
  positionManagerCode,
  swapRouterCode,
  v2RouterCode,
} from './known-code.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }
import { peripheryAbi } from './periphery-abis.ts'

/** Contracts that a wallet calls to move positions. */
export interface Periphery {
  readonly positionManager: Address | null
  readonly swapRouter: Address | null
  readonly v2Router: Address | null
}
export type PeripheryRole = keyof Periphery

const known: Readonly<Record<PeripheryRole, KnownCode>> = {
  positionManager: positionManagerCode,
  swapRouter: swapRouterCode,
  v2Router: v2RouterCode,
}

/** Uniswap deployments by chain. */
const wellKnown = knownContracts.periphery as Readonly<
  Record<number, Partial<Record<PeripheryRole, Address>>>
>

/** The named contract, or the well-known one of the chain; null if neither exists. */
export function peripheryContract(
  chainId: number,
  role: PeripheryRole,
  named: string | undefined,
): Address | null {
  const address = named ?? wellKnown[chainId]?.[role]
  return address === undefined ? null : getAddress(address)
}

/**
 * Fault of a periphery contract: missing, unknown code, or a factory other than the venue's. A
 * contract at its well-known address needs no code comparison.
 *
 * @returns null if valid
 */
export async function peripheryFault(
  client: ChainClient,
  pin: Pin,
  terms: { role: PeripheryRole; address: Address; chainId: number; factory: string },
): Promise<string | null> {
  const { role, address, chainId, factory } = terms
  const code = await ask<Hex>(client, 'eth_getCode', [address, blockArgument(pin)])
  if (code === '0x') return `${address} has no code`
  const isKnown =
    wellKnown[chainId]?.[role] === address || maskedCodeHash(code, known[role]) === known[role].hash
  if (!isKnown) return `${address} does not run the code of ${known[role].name}`
  try {
    const own = await readContract(client, pin, {
      address,
      abi: peripheryAbi,
      functionName: 'factory',
    })
    return own === getAddress(factory) ? null : `belongs to the factory ${own}, not ${factory}`
  } catch (error) {
    if (error instanceof CallRevertedError) return `${address} has no factory()`
    throw error
  }
}
