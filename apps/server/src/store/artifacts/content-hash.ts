import { createHash } from 'node:crypto'

/** Storage hash of an artifact: plain SHA-256 of its bytes. */
export function contentHashOf(content: Uint8Array): string {
  return `0x${createHash('sha256').update(content).digest('hex')}`
}
