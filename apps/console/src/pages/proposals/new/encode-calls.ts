import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'
import type { DecodedCall } from '../call-effects.ts'
import { readSignature } from '../function-signatures.ts'

/** A call of the Safe, in the form of a request. */
export interface PlainCall {
  readonly to: string
  readonly value: string
  readonly data: string
}

/** A call with its arguments, so that the page can describe it before the service decodes it. */
export interface DescribedCall {
  readonly call: PlainCall
  readonly decoded: DecodedCall
}

type Argument = string | bigint

const word = (value: Argument): string =>
  typeof value === 'bigint'
    ? value.toString(16).padStart(64, '0')
    : value.slice(2).toLowerCase().padStart(64, '0')

/** A call of a function whose arguments are addresses and unsigned integers. */
export function encodeCall(
  to: string,
  signature: string,
  values: readonly Argument[],
): DescribedCall {
  const { name, selector, names } = readSignature(signature)
  if (names.length !== values.length) throw new Error(`${name} takes ${names.length} arguments.`)
  const data = `${selector}${values.map(word).join('')}`
  return {
    call: { to, value: '0', data },
    decoded: {
      to,
      value: '0',
      selector,
      functionName: name,
      readBy: 'STANDARD',
      words: '',
      data,
      arguments: names.map((one, index) => ({ name: one, value: String(values[index]) })),
    },
  }
}

/** A payment in the coin of the chain. */
export const coinCall = (to: string, amount: bigint): DescribedCall => ({
  call: { to, value: `${amount}`, data: '0x' },
  decoded: {
    to,
    value: `${amount}`,
    selector: null,
    functionName: null,
    readBy: 'COIN',
    words: '',
    data: '0x',
    arguments: null,
  },
})

/** A call with data from elsewhere. Only the service can decode it. */
export const rawCall = (to: string, amount: bigint, data: string): DescribedCall => ({
  call: { to, value: `${amount}`, data: data.toLowerCase() },
  decoded: {
    to,
    value: `${amount}`,
    selector: data.slice(0, 10),
    functionName: null,
    readBy: null,
    words: '',
    data: data.toLowerCase(),
    arguments: null,
  },
})

/** An address with the upper and lower case that EIP-55 defines. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** True if the address has no mixed case, or the mixed case of its checksum. */
export const hasValidChecksum = (address: string): boolean =>
  address === address.toLowerCase() ||
  address.slice(2) === address.slice(2).toUpperCase() ||
  address === checksummed(address)
