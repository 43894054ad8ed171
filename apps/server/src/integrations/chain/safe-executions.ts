import {
  type Address,
  concatHex,
  decodeEventLog,
  decodeFunctionData,
  domainSeparator,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  hashStruct,
  hexToBigInt,
  hexToNumber,
  parseAbi,
  size,
  slice,
  toEventHash,
  toFunctionSelector,
} from 'viem'
import { keccak256 } from '../../keccak256.ts'
import type { PlacedLog } from './placed-log.ts'

/** All signed members of a Safe transaction. */
export interface SafeCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly operation: 0 | 1
  readonly safeTxGas: bigint
  readonly baseGas: bigint
  readonly gasPrice: bigint
  readonly gasToken: Address
  readonly refundReceiver: Address
}

export interface SignedSafeCall extends SafeCall {
  readonly signatures: Hex
}

const executionAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
])
const detailAbi = parseAbi([
  'event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
  'event SafeModuleTransaction(address module, address to, uint256 value, bytes data, uint8 operation)',
])

export const executionTopics = {
  success: toEventHash('ExecutionSuccess(bytes32,uint256)'),
  failure: toEventHash('ExecutionFailure(bytes32,uint256)'),
  moduleSuccess: toEventHash('ExecutionFromModuleSuccess(address)'),
  moduleFailure: toEventHash('ExecutionFromModuleFailure(address)'),
} as const
export const receivedTopic = toEventHash('SafeReceived(address,uint256)')
const signedDetailTopic = toEventHash(
  'SafeMultiSigTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes)',
)
const moduleDetailTopic = toEventHash('SafeModuleTransaction(address,address,uint256,bytes,uint8)')

/** Events of a Safe that change its owners, threshold or modules. */
export const controlTopics = [
  'AddedOwner(address)',
  'RemovedOwner(address)',
  'ChangedThreshold(uint256)',
  'EnabledModule(address)',
  'DisabledModule(address)',
  'ChangedGuard(address)',
  'ChangedModuleGuard(address)',
  'ChangedFallbackHandler(address)',
].map((signature) => toEventHash(signature))

export type LoggedExecution =
  | {
      readonly via: 'SAFE'
      readonly hash: Hex
      readonly payment: bigint
      readonly succeeded: boolean
    }
  | { readonly via: 'MODULE'; readonly module: Address; readonly succeeded: boolean }

/**
 * Decodes an execution from a Safe log; null for other logs.
 *
 * The hash is a topic since 1.4.0 and the first data word before; the module is a topic in every
 * version.
 */
export function loggedExecution({ topics, data }: PlacedLog): LoggedExecution | null {
  const [kind, first] = topics
  const { success, failure, moduleSuccess, moduleFailure } = executionTopics
  if (kind === success || kind === failure) {
    const words = size(data) / 32
    if (words !== (first === undefined ? 2 : 1)) return null
    const payment = hexToBigInt(slice(data, size(data) - 32))
    return { via: 'SAFE', hash: first ?? slice(data, 0, 32), payment, succeeded: kind === success }
  }
  if ((kind !== moduleSuccess && kind !== moduleFailure) || first === undefined) return null
  return { via: 'MODULE', module: getAddress(slice(first, 12)), succeeded: kind === moduleSuccess }
}

/** Amount of native coin received according to a Safe log; null for other logs. */
export const receivedBy = ({ topics, data }: PlacedLog): bigint | null =>
  topics[0] === receivedTopic && size(data) === 32 ? hexToBigInt(data) : null

const fields = [
  ...(['to:address', 'value:uint256', 'data:bytes', 'operation:uint8'] as const),
  ...(['safeTxGas:uint256', 'baseGas:uint256', 'gasPrice:uint256'] as const),
  ...(['gasToken:address', 'refundReceiver:address', 'nonce:uint256'] as const),
].map((field) => {
  const [name = '', type = ''] = field.split(':')
  return { name, type }
})

/** Hashes of a Safe transaction, in signer display order. */
export interface SafeTransactionHashes {
  /** The domain separator of the chain and the account. */
  readonly domainHash: Hex
  /** Struct hash of the transaction. */
  readonly messageHash: Hex
  /** Hash to sign: keccak-256 of 0x1901 and both. */
  readonly safeTxHash: Hex
}

/**
 * The hashes of a transaction of Safe 1.3.0 and later, as hardware wallets show them.
 *
 * @see EIP-712; Safe 1.3.0 and 1.4.1, `encodeTransactionData`
 */
export function safeTransactionHashes(
  chainId: number,
  safe: Address,
  call: SafeCall,
  nonce: bigint,
): SafeTransactionHashes {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice } = call
  const { gasToken, refundReceiver } = call
  const domainHash = domainSeparator({ domain: { chainId, verifyingContract: safe } })
  const messageHash = hashStruct({
    types: { SafeTx: fields },
    primaryType: 'SafeTx',
    data: {
      to,
      value,
      data,
      operation,
      safeTxGas,
      baseGas,
      gasPrice,
      gasToken,
      refundReceiver,
      nonce,
    },
  })
  const safeTxHash = keccak256(concatHex(['0x1901', domainHash, messageHash]))
  return { domainHash, messageHash, safeTxHash }
}

/**
 * The hashes with which a Safe of any version since 1.0.0 can log a transaction: that of 1.3.0 and
 * later, and that of earlier versions, whose domain has no chain ID.
 *
 * @see Safe 1.1.1, `DOMAIN_SEPARATOR_TYPEHASH`
 */
export function loggedHashes(chainId: number, safe: Address, call: SafeCall, nonce: bigint): Hex[] {
  const { messageHash, safeTxHash } = safeTransactionHashes(chainId, safe, call, nonce)
  const earlier = domainSeparator({ domain: { verifyingContract: safe } })
  return [safeTxHash, keccak256(concatHex(['0x1901', earlier, messageHash]))]
}

/** The hash that owners sign, of Safe 1.3.0 and later. */
export function safeTransactionHash(
  chainId: number,
  safe: Address,
  call: SafeCall,
  nonce: bigint,
): Hex {
  return safeTransactionHashes(chainId, safe, call, nonce).safeTxHash
}

/** The data of `execTransaction`. */
export function executionData(call: SafeCall, signatures: Hex): Hex {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice } = call
  const { gasToken, refundReceiver } = call
  return encodeFunctionData({
    abi: executionAbi,
    functionName: 'execTransaction',
    args: [
      ...([to, value, data, operation, safeTxGas, baseGas, gasPrice] as const),
      ...([gasToken, refundReceiver, signatures] as const),
    ],
  })
}

const selector = toFunctionSelector(executionAbi[0])
/** Maximum number of Safe calls to examine per transaction; further ones are ignored. */
const maxCandidates = 64

/**
 * All possible `execTransaction` calls in a transaction input, made to the Safe directly or through
 * a forwarder. A candidate is confirmed only if the Safe logged its hash.
 */
export function carriedCalls(input: Hex): SignedSafeCall[] {
  const found: SignedSafeCall[] = []
  const wanted = selector.slice(2)
  for (let at = input.indexOf(wanted, 2); at >= 0; at = input.indexOf(wanted, at + 1)) {
    const call = at % 2 === 0 ? decodedCall(`0x${input.slice(at)}`) : null
    if (call) found.push(call)
    if (found.length === maxCandidates) break
  }
  return found
}

function decodedCall(data: Hex): SignedSafeCall | null {
  try {
    const { args } = decodeFunctionData({ abi: executionAbi, data })
    return callOf(args)
  } catch {
    return null
  }
}

type Arguments = readonly [
  ...(readonly [Address, bigint, Hex, number, bigint, bigint, bigint, Address, Address, Hex]),
]
function callOf(args: Arguments): SignedSafeCall | null {
  const [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken] = args
  const [refundReceiver, signatures] = [args[8], args[9]]
  if (operation !== 0 && operation !== 1) return null
  return {
    to,
    value,
    data,
    operation,
    safeTxGas,
    baseGas,
    gasPrice,
    gasToken,
    refundReceiver,
    signatures,
  }
}

/** Details of a transaction that L2 Safe builds log before execution. */
export function detailedCall(log: PlacedLog): SignedSafeCall | null {
  if (log.topics[0] !== signedDetailTopic) return null
  const args = detailOf(log)
  if (!args || !('signatures' in args)) return null
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken } = args
  const { refundReceiver, signatures } = args
  return callOf([
    ...([to, value, data, operation, safeTxGas, baseGas, gasPrice] as const),
    ...([gasToken, refundReceiver, signatures] as const),
  ])
}

export interface ModuleCall {
  readonly module: Address
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly operation: number
}

export function detailedModuleCall(log: PlacedLog): ModuleCall | null {
  if (log.topics[0] !== moduleDetailTopic) return null
  const args = detailOf(log)
  if (!args || !('module' in args)) return null
  const { module, to, value, data, operation } = args
  return { module, to, value, data, operation }
}

function detailOf({ topics, data }: PlacedLog) {
  try {
    // Safe cast: callers check the first topic.
    return decodeEventLog({ abi: detailAbi, topics: topics as [Hex], data }).args
  } catch {
    return null
  }
}

const batchAbi = parseAbi(['function multiSend(bytes transactions) payable'])

/** The data of a batch of plain calls in order; the inverse of `batchedCalls`. */
export function batchData(
  calls: readonly { readonly to: Address; readonly value: bigint; readonly data: Hex }[],
): Hex {
  const packed = calls.map(({ to, value, data }) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, to, value, BigInt(size(data)), data],
    ),
  )
  const args = [concatHex(packed)] as const
  return encodeFunctionData({ abi: batchAbi, functionName: 'multiSend', args })
}

/** A call inside a batch. */
export interface BatchedCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly operation: 0 | 1
}

/**
 * Calls of a `multiSend` batch, in order. Null if the data is no such batch, or is truncated.
 *
 * @returns the calls, or null
 * @see MultiSend 1.3.0 and 1.4.1: operation 1 byte, to 20, value 32, length 32, data
 */
export function batchedCalls(data: Hex): BatchedCall[] | null {
  let packed: Hex
  try {
    packed = decodeFunctionData({ abi: batchAbi, data }).args[0]
  } catch {
    return null
  }
  const calls: BatchedCall[] = []
  for (let at = 0; at < size(packed); ) {
    if (at + 85 > size(packed)) return null
    const operation = hexToNumber(slice(packed, at, at + 1))
    const length = hexToBigInt(slice(packed, at + 53, at + 85))
    const end = BigInt(at + 85) + length
    if ((operation !== 0 && operation !== 1) || end > BigInt(size(packed))) return null
    calls.push({
      operation,
      to: getAddress(slice(packed, at + 1, at + 21)),
      value: hexToBigInt(slice(packed, at + 21, at + 53)),
      data: length === 0n ? '0x' : slice(packed, at + 85, Number(end)),
    })
    at = Number(end)
  }
  return calls
}
