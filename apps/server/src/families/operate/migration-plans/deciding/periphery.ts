import type { FieldErrors } from '@liquidity-os/contract'
import { type Address, getAddress, type Hex } from 'viem'
import { Failure } from '../../../../failure.ts'
import { CallRevertedError } from '../../../../outside/chain/chain-error.ts'
import { ask, type ChainClient } from '../../../../outside/chain/client.ts'
import { readContract } from '../../../../outside/chain/contract-call.ts'
import { blockArgument, type Pin } from '../../../../outside/chain/finalized.ts'
import {
  type KnownCode,
  maskedCodeHash,
  positionManagerCode,
  swapRouterCode,
  v2RouterCode,
} from '../../../../outside/chain/known-code.ts'
import knownContracts from '../../../../outside/chain/known-contracts.json' with { type: 'json' }
import { peripheryAbi } from '../../../../outside/chain/periphery-abis.ts'

/** The contracts through which a wallet moves positions. */
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

/** Where Uniswap deployed them, by chain. */
const wellKnown = knownContracts.periphery as Readonly<
  Record<number, Partial<Record<PeripheryRole, Address>>>
>

/** The named contracts, and the well-known ones of the chain for those that are not named. */
export function peripheryOf(
  chainId: number,
  named: Partial<Record<PeripheryRole, string>> = {},
): Periphery {
  const of = (role: PeripheryRole) => {
    const address = named[role] ?? wellKnown[chainId]?.[role]
    return address === undefined ? null : getAddress(address)
  }
  return {
    positionManager: of('positionManager'),
    swapRouter: of('swapRouter'),
    v2Router: of('v2Router'),
  }
}

/**
 * Makes sure that every contract the plan would call is there, has known code, and belongs to the factory of
 * the venue. At its well-known address a contract is known without its code being compared.
 *
 * @param needed role and factory; a role may be needed for several
 * @throws Failure 422 LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN
 */
export async function requirePeriphery(
  client: ChainClient,
  pin: Pin,
  chainId: number,
  periphery: Periphery,
  needed: readonly { readonly role: PeripheryRole; readonly factory: string }[],
): Promise<void> {
  const faults: FieldErrors = {}
  for (const { role, factory } of needed) {
    const path = `payload.contracts.${role}`
    const address = periphery[role]
    if (address === null) {
      faults[path] = [`is needed, and none is well known on chain ${chainId}`]
      continue
    }
    const fault = await faultOf(client, pin, { role, address, chainId, factory })
    if (fault !== null) faults[path] = [fault]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN', { fieldErrors: faults })
  }
}

async function faultOf(
  client: ChainClient,
  pin: Pin,
  terms: { role: PeripheryRole; address: Address; chainId: number; factory: string },
): Promise<string | null> {
  const { role, address, chainId, factory } = terms
  const code = await ask<Hex>(client, 'eth_getCode', [address, blockArgument(pin)])
  if (code === '0x') return `${address} has no code`
  const isKnown =
    wellKnown[chainId]?.[role] === address || maskedCodeHash(code, known[role]) === known[role].hash
  if (!isKnown) return `the code of ${address} is not that of ${known[role].name}`
  try {
    const own = await readContract(client, pin, {
      ...{ address, abi: peripheryAbi, functionName: 'factory' },
    })
    return own === getAddress(factory) ? null : `belongs to the factory ${own}, not ${factory}`
  } catch (error) {
    if (error instanceof CallRevertedError) return `${address} names no factory`
    throw error
  }
}
