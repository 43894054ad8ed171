import { canonicalize, H, type Hash } from '@liquidity-os/evidence'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import type { Draft, Protocol } from './records.ts'

/** Canonical JSON as an artifact: its bytes and their hash, which is the storage key. */
export interface SealedJson {
  readonly contentHash: Hash
  readonly content: Uint8Array
}

/** The bytes of a value in canonical form. */
export function sealJson(value: unknown): SealedJson {
  const content = new TextEncoder().encode(canonicalize(value))
  return { content, contentHash: contentHashOf(content) as Hash }
}

export function openJson<T>(content: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(content)) as T
}

/** Users approve this hash. The proof log records it before any data is captured. */
export const protocolHashOf = (protocol: Protocol): Hash => H('research-protocol/v1', protocol)

export const isWhole = (draft: Draft): draft is Protocol => draft.primary.minimumEffect !== null
