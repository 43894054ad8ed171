import { createHash } from 'node:crypto'

/** Hash under which an artifact is stored: SHA-256 of its bytes, nothing else. */
export function contentHashOf(content: Uint8Array): string {
  return `0x${createHash('sha256').update(content).digest('hex')}`
}
