import { type Hex, size } from 'viem'

const prefix = '0xef0100'
const designatorBytes = 23

/** EIP-7702: the code of an account of a key that delegates is a prefix and an address. */
export const isDelegation = (code: Hex): boolean =>
  code.startsWith(prefix) && size(code) === designatorBytes
