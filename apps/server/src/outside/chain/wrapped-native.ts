import { type Address, type Hex, isAddressEqual } from 'viem'
import { ask, type ChainClient } from './client.ts'
import { blockArgument, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { maskedCodeHash, weth9Code } from './known-code.ts'

/** The wrapped native asset of chains on which everybody uses the same one. */
const wellKnown: Readonly<Record<number, Address>> = {
  1: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  10: '0x4200000000000000000000000000000000000006',
  137: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  8453: '0x4200000000000000000000000000000000000006',
  42161: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
}

/** Whether a token is the chain's native asset, wrapped: the well-known one, or one of the published code. */
export async function isWrappedNative(
  client: ChainClient,
  block: Header,
  chainId: number,
  token: Address,
): Promise<boolean> {
  const known = wellKnown[chainId]
  if (known) return isAddressEqual(known, token)
  return readAtBlock(client, block, async (pin) => {
    const code = await ask<Hex>(client, 'eth_getCode', [token, blockArgument(pin)])
    return maskedCodeHash(code, weth9Code) === weth9Code.hash
  })
}
