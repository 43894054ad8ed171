import { decodeAbiParameters, type Hex, size, slice } from 'viem'

const words = '0x08c379a0'
const panic = '0x4e487b71'

/** Decodes a revert reason in a standard compiler format; else returns the bytes. */
export function revertWords(data: Hex): string {
  if (size(data) < 4) return 'No revert reason.'
  const [selector, rest] = [slice(data, 0, 4), size(data) > 4 ? slice(data, 4) : ('0x' as const)]
  try {
    if (selector === words) {
      return decodeAbiParameters([{ type: 'string' }], rest)[0].slice(0, 300)
    }
    if (selector === panic) {
      return `panic 0x${decodeAbiParameters([{ type: 'uint256' }], rest)[0].toString(16)}`
    }
  } catch {
    // Data that only resembles such a format is returned raw.
  }
  return data.slice(0, 202)
}
