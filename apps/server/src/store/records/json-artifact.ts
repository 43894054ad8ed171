import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import type { ArtifactInsert } from './change.ts'

/** Canonical JSON of a value as an artifact; the caller names its producer. */
export function jsonArtifact(value: unknown): Omit<ArtifactInsert, 'producer'> {
  const content = Buffer.from(canonicalize(value))
  return { contentHash: `0x${sha256Hex(content)}`, mediaType: 'application/json', content }
}
