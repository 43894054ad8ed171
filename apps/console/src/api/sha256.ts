import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'

/**
 * Replaces `node:crypto` when `packages/evidence` is bundled for browsers. Web Crypto digests are
 * asynchronous and unavailable over plain HTTP on a local network; this one is synchronous.
 */
export function hash(_name: 'sha256', data: string | Uint8Array, _form: 'hex'): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data))
}
