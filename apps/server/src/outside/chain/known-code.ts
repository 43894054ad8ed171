import { type Hex, keccak256, size } from 'viem'

/**
 * Code of a contract with its immutables masked.
 *
 * The compiler leaves zeros where the constructor will write its immutables, so zeroing those places
 * of the deployed code gives back the published build, and one hash names every pool of a factory.
 */
export type KnownCode = {
  readonly name: string
  /** Keccak-256 of the masked code. */
  readonly hash: Hex
  readonly bytes: number
  /** Where a 32-byte immutable begins, in bytes. */
  readonly immutables: readonly number[]
}

/**
 * Computed from the builds in `@uniswap/v3-core` 1.0.1 and `@uniswap/v2-core` 1.0.1, the code of the
 * main network. The test computes every figure again: the immutables as the words in which two
 * deployed pools differ from the build, the hash as that of the build.
 */
export const uniswapV3PoolCode: KnownCode = {
  name: 'UniswapV3Pool 1.0.1',
  hash: '0x625b6d8f5997d0c283ff977419660c618cb36c48553129d0ecbb8c7bcde0c9ca',
  bytes: 22142,
  immutables: [
    2258, 3072, 3311, 4551, 4853, 6603, 6658, 6740, 6789, 7822, 7924, 8174, 8315, 8829, 9150, 9284,
    10457, 10493, 10529, 10565, 11259, 15650, 15979, 19295, 19350, 19402, 19452,
  ],
}

export const uniswapV2PairCode: KnownCode = {
  name: 'UniswapV2Pair 1.0.1',
  hash: '0x5b83bdbcc56b2e630f2807bbadd2b0c21619108066b92a58de081261089e9ce5',
  bytes: 11293,
  immutables: [],
}

/** Deployed code with the places of `known`'s immutables set to zero; unchanged if lengths differ. */
export function maskImmutables(code: Hex, known: KnownCode): Hex {
  if (size(code) !== known.bytes) return code
  const bytes = Buffer.from(code.slice(2), 'hex')
  for (const start of known.immutables) bytes.fill(0, start, start + 32)
  return `0x${bytes.toString('hex')}`
}

/** Keccak-256 of deployed code with the immutables of `known` masked. */
export function maskedCodeHash(code: Hex, known: KnownCode): Hex {
  return keccak256(maskImmutables(code, known))
}

/** The wrapped native asset as Uniswap's periphery publishes it; it gives and takes one to one. */
export const weth9Code: KnownCode = {
  name: 'WETH9',
  hash: '0xe524bd0c25f819b88ff6694c74b8757e843232d912f1d88fc5f924da716e8aaf',
  bytes: 2227,
  immutables: [],
}
