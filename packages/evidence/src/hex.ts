/** Lower-case hex digits of the bytes, without a prefix. */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += BYTES[byte]
  return hex
}

/**
 * Bytes of hex digits in either case, without a prefix.
 *
 * @throws RangeError for anything that is not an even number of hex digits
 */
export function hexToBytes(hex: string): Uint8Array {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(hex)) throw new RangeError('Not an even number of hex digits.')
  const bytes = new Uint8Array(hex.length / 2)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16)
  }
  return bytes
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
