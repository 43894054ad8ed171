import { type Hex, toRlp } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import { ChainError } from './chain-error.ts'
import { ask, type ChainClient, inconsistent } from './client.ts'

/** A block header as read from a provider. */
export type Header = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly stateRoot: Hex
  /**
   * True if the hash was recomputed from the header fields. False if the chain hashes fields
   * unknown to Ethereum; then the hash relies on the provider.
   */
  readonly isHashVerified: boolean
}

/** Header fields in hash order; those from `baseFeePerGas` on were added by forks. */
const hashedFields = [
  ...(['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot'] as const),
  ...(['receiptsRoot', 'logsBloom', 'difficulty', 'number', 'gasLimit', 'gasUsed'] as const),
  ...(['timestamp', 'extraData', 'mixHash', 'nonce', 'baseFeePerGas', 'withdrawalsRoot'] as const),
  ...(['blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash'] as const),
]

/** Integers, which RLP writes without leading zeros; everything else is bytes of fixed length. */
const quantities = new Set<string>([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'],
  ...['blobGasUsed', 'excessBlobGas'],
])

/**
 * Hash of an Ethereum block header: Keccak-256 of the RLP list of its fields.
 *
 * @see Ethereum Yellow Paper, §4.4; EIP-1559, 4895, 4844, 4788, 7685 for the later fields
 */
export function hashHeader(header: Readonly<Record<string, unknown>>): Hex {
  return keccak256(encodeHeader(header))
}

/** The RLP list of the fields of a header, whose Keccak-256 is the hash of the block. */
export function encodeHeader(header: Readonly<Record<string, unknown>>): Hex {
  const values = hashedFields.flatMap((name): Hex[] => {
    const value = header[name]
    if (typeof value !== 'string') return []
    if (!quantities.has(name)) return [value as Hex]
    const digits = BigInt(value) === 0n ? '' : BigInt(value).toString(16)
    return [`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`]
  })
  return toRlp(values)
}

/** Requested block: a number, a hash, or a tag of the node. */
export type BlockChoice = number | Hex | 'finalized' | 'latest'

/**
 * Reads a header and verifies that it matches the request.
 *
 * @throws ChainError STATE_UNAVAILABLE if the provider does not know the block;
 *         INCONSISTENT_ANSWER if it returns another block
 */
export async function readHeader(client: ChainClient, choice: BlockChoice): Promise<Header> {
  const isHash = typeof choice === 'string' && choice.startsWith('0x')
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  const name = typeof choice === 'number' ? (`0x${choice.toString(16)}` as const) : choice
  const answer = await ask<unknown>(client, method, [name, false])
  if (answer === null) {
    const facts = typeof choice === 'number' ? { method, blockNumber: choice } : { method }
    const code = 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'
    throw new ChainError({ code, reason: 'UNKNOWN_BLOCK', ...facts })
  }
  const header = parseHeader(answer, method)
  const isRequested =
    (!isHash || header.hash === choice) && (typeof choice !== 'number' || header.number === choice)
  if (!isRequested) throw inconsistent(method)
  return header
}

/** Largest time that a date can represent, in seconds. */
const latestTimestampSeconds = 8_640_000_000_000

/** Provider responses are untrusted: invalid headers are rejected before any field is used. */
function parseHeader(answer: unknown, method: string): Header {
  const fields = answer as Readonly<Record<string, unknown>>
  if (typeof answer !== 'object' || !hashedFields.every((name) => isField(name, fields[name]))) {
    throw inconsistent(method)
  }
  const { hash, parentHash, stateRoot, logsBloom } = fields
  const [number, timestamp] = [Number(fields.number), Number(fields.timestamp)]
  const isWhole =
    [hash, parentHash, stateRoot].every(isHash32) &&
    Number.isSafeInteger(number) &&
    timestamp <= latestTimestampSeconds
  if (!isWhole) throw inconsistent(method)
  const header = {
    number,
    hash: lower(hash),
    parentHash: lower(parentHash),
    stateRoot: lower(stateRoot),
    timestamp,
    isHashVerified: hashHeader(fields) === lower(hash),
  }
  const hasBloom = typeof logsBloom === 'string' && logsBloom.length === bloomLength
  // Some chains leave the bloom empty.
  if (hasBloom && !/^0x0*$/.test(logsBloom)) blooms.set(header, lower(logsBloom))
  return header
}

const bloomLength = 2 + 2 * 256

/** Separate from the header, which records store. */
const blooms = new WeakMap<Header, Hex>()

/** Bloom of the logs of a block; null if the node has none. */
export const bloomOf = (header: Header): Hex | null => blooms.get(header) ?? null

const isHash32 = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
const lower = (value: unknown) => `${value}`.toLowerCase() as Hex

/**
 * True if the field has the form of a header field; later forks and other chains may omit fields.
 */
function isField(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'string') return false
  return quantities.has(name)
    ? /^0x[0-9a-f]{1,64}$/i.test(value)
    : /^0x(?:[0-9a-f]{2})*$/i.test(value)
}
