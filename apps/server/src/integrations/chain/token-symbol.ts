import { type Address, hexToString, parseAbi } from 'viem'
import { CallRevertedError, ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'
import { plainSymbol } from './plain-symbol.ts'

const symbolAbi = parseAbi(['function symbol() view returns (string)'])
/** Symbols are texts in most tokens, and 32 bytes in some tokens of 2017. */
const bytesSymbolAbi = parseAbi(['function symbol() view returns (bytes32)'])

/**
 * @returns the symbol of a token contract; null if it has none, if the call fails, or if the symbol
 *   is not short printable text
 * @throws ChainError if the node does not respond
 */
export async function readSymbol(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<string | null> {
  const [text, bytes] = await Promise.all([
    unlessRefused(readContract(client, pin, { address, abi: symbolAbi, functionName: 'symbol' })),
    unlessRefused(
      readContract(client, pin, { address, abi: bytesSymbolAbi, functionName: 'symbol' }),
    ),
  ])
  return plainSymbol(text ?? (bytes === null ? null : hexToString(bytes).replace(/\0+$/, '')))
}

/**
 * Result of a call; null if the call itself fails. A token can run an invalid opcode, burn all gas or
 * return megabytes, and nodes report these as refusals.
 */
async function unlessRefused<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CallRevertedError || isCallFault(error)) return null
    throw error
  }
}

function isCallFault(error: unknown): boolean {
  if (!(error instanceof ChainError)) return false
  const { reason, httpStatus } = error.facts
  if (reason === 'ANSWER_TOO_LARGE') return true
  const isKeyRejected = httpStatus === 401 || httpStatus === 403
  return reason === 'REQUEST_REFUSED' && !isKeyRejected
}
