import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils'

/** A Safe transaction of a packet. */
export interface SafeTx {
  readonly to: string
  readonly value: string
  readonly data: string
  readonly operation: number
  readonly safeTxGas: string
  readonly baseGas: string
  readonly gasPrice: string
  readonly gasToken: string
  readonly refundReceiver: string
}

const typeHash = (type: string) => keccak_256(utf8ToBytes(type))
const domainType = typeHash('EIP712Domain(uint256 chainId,address verifyingContract)')
const safeTxType = typeHash(
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
)

const number = (value: string | number) => hexToBytes(BigInt(value).toString(16).padStart(64, '0'))
const address = (value: string) => number(value.toLowerCase())
const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`

/**
 * Hashes that a wallet shows for a Safe transaction. Computed locally, so users need not trust the
 * service.
 *
 * @see EIP-712; Safe 1.3.0 and later
 */
export function safeHashes(chainId: number, safe: string, call: SafeTx, nonce: string) {
  const domain = keccak_256(concatBytes(domainType, number(chainId), address(safe)))
  const message = keccak_256(
    concatBytes(
      ...[safeTxType, address(call.to), number(call.value)],
      keccak_256(hexToBytes(call.data.slice(2))),
      ...[number(call.operation), number(call.safeTxGas), number(call.baseGas)],
      ...[number(call.gasPrice), address(call.gasToken), address(call.refundReceiver)],
      number(nonce),
    ),
  )
  const whole = keccak_256(concatBytes(hexToBytes('1901'), domain, message))
  return { domainHash: hex(domain), messageHash: hex(message), safeTxHash: hex(whole) }
}
