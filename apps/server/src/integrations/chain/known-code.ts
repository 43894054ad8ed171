import { type Hex, size } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }

/**
 * Contract code with its immutables masked.
 *
 * The compiler leaves zeros where the constructor later writes immutables. Zeroing these positions
 * in deployed code restores the published build, so one hash identifies every pool of a factory.
 */
export type KnownCode = {
  readonly name: string
  /** Keccak-256 of the masked code. */
  readonly hash: Hex
  readonly bytes: number
  /** Byte offsets of the 32-byte immutables. */
  readonly immutables: readonly number[]
}

/**
 * Computed from the published builds deployed on mainnet. The test recomputes every value.
 * Immutables are the words that differ between two deployed pools and the build, or that a PUSH32
 * of the build leaves zero. The hash is that of the build.
 */
// The schema of the file defines the format of hashes.
const code = knownContracts.code as Record<keyof typeof knownContracts.code, KnownCode>

export const uniswapV3PoolCode = code.UniswapV3Pool
export const uniswapV2PairCode = code.UniswapV2Pair
/** The wrapped native asset as Uniswap's periphery publishes it; it converts one to one. */
export const weth9Code = code.WETH9
export const positionManagerCode = code.NonfungiblePositionManager
export const swapRouterCode = code.SwapRouter
export const v2RouterCode = code.UniswapV2Router02
export const multiSendCallOnlyCode = code.MultiSendCallOnly

/** Deployed code with the immutables of `known` set to zero; unchanged if lengths differ. */
export function maskImmutables(code: Hex, known: Pick<KnownCode, 'bytes' | 'immutables'>): Hex {
  if (size(code) !== known.bytes) return code
  const bytes = Buffer.from(code.slice(2), 'hex')
  for (const start of known.immutables) bytes.fill(0, start, start + 32)
  return `0x${bytes.toString('hex')}`
}

/** Keccak-256 of deployed code with the immutables of `known` masked. */
export function maskedCodeHash(code: Hex, known: KnownCode): Hex {
  return keccak256(maskImmutables(code, known))
}
