import { type Address, type Hex, isAddressEqual } from 'viem'
import { ask, type ChainClient } from './client.ts'
import { blockArgument, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { maskedCodeHash, weth9Code } from './known-code.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }

/** Canonical wrapped native asset per chain; the schema of the file validates its form. */
const wellKnown = knownContracts.wrappedNative as Readonly<Record<number, Address>>

/**
 * True if a token is the wrapped native asset of a well-known chain; null for chains whose code
 * must be read.
 */
export function knownWrappedNative(chainId: number, token: Address): boolean | null {
  const known = wellKnown[chainId]
  return known ? isAddressEqual(known, token) : null
}

/**
 * True if a token is the wrapped native asset of the chain: the well-known one, or one with the
 * published code.
 */
export async function isWrappedNative(
  client: ChainClient,
  block: Header,
  chainId: number,
  token: Address,
): Promise<boolean> {
  const known = knownWrappedNative(chainId, token)
  if (known !== null) return known
  return readAtBlock(client, block, async (pin) => {
    const code = await ask<Hex>(client, 'eth_getCode', [token, blockArgument(pin)])
    return maskedCodeHash(code, weth9Code) === weth9Code.hash
  })
}
