import type { Rat } from '@liquidity-os/engine/arithmetic'

/** A mid price in both scales. Prices of tokens with extreme decimals have no digits in X18. */
export interface MidPrice {
  readonly midX18: string
  readonly midX36: string
  readonly isMidCoarse: boolean
}

/** A stored mid price. Records of earlier releases have only the X18 form. */
export interface StoredMid {
  readonly midX18: string | null
  readonly midX36?: string | null | undefined
}

const X18 = 10n ** 18n
const X36 = 10n ** 36n
/** An X18 price with fewer than six digits is coarse. */
const coarseX18 = 100_000n

/** Quote atoms per base atom, times 10^36, rounded down. */
export const x36Of = ({ num, den }: Rat): bigint => (num * X36) / den

export const midPriceOf = (price: Rat): MidPrice => midPriceOfX36(x36Of(price))

export function midPriceOfX36(priceX36: bigint): MidPrice {
  const x18 = priceX36 / X18
  return { midX18: `${x18}`, midX36: `${priceX36}`, isMidCoarse: x18 < coarseX18 }
}

/** The price times 10^36; null without a price. */
export function storedMidX36({ midX18, midX36 }: StoredMid): bigint | null {
  if (midX36 !== undefined && midX36 !== null) return midX36 === '0' ? null : BigInt(midX36)
  return midX18 === null || midX18 === '0' ? null : BigInt(midX18) * X18
}
