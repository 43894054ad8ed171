/** Hashes and signatures for browsers; see primitives.mjs. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array
export function sha512(...parts: readonly Uint8Array[]): Uint8Array
export function isEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean
