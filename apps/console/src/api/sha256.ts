import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'

/**
 * Stands for `node:crypto` where `packages/evidence` is bundled for browsers. The browser's own digest is not there on
 * plain http of a local network, and answers later; this one computes at once.
 */
export function hash(_name: 'sha256', data: string | Uint8Array, _form: 'hex'): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data))
}
