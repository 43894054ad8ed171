import { type Address, hexToString, parseAbi } from 'viem'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'

const symbolAbi = parseAbi(['function symbol() view returns (string)'])
/** Symbols are texts in most tokens, and 32 bytes in some tokens of 2017. */
const bytesSymbolAbi = parseAbi(['function symbol() view returns (bytes32)'])

/** @returns the symbol of a token contract; null if it has none, or one beyond short printable text */
export async function readSymbol(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<string | null> {
  const [text, bytes] = await Promise.all([
    answered(() => readContract(client, pin, { address, abi: symbolAbi, functionName: 'symbol' })),
    answered(() =>
      readContract(client, pin, { address, abi: bytesSymbolAbi, functionName: 'symbol' }),
    ),
  ])
  return plainSymbol(text ?? (bytes === null ? null : hexToString(bytes).replace(/\0+$/, '')))
}

/** Symbols are untrusted text. Any symbol that could be misleading is dropped. */
const plainSymbol = (text: string | null): string | null =>
  text !== null && /^[A-Za-z0-9.$+_-]{1,16}$/.test(text) ? text : null
