import { HOUR_SECONDS } from '../arithmetic/time-units.ts'
import { magnitude } from './median-deviation.ts'

const MILLION = 1_000_000n

/** Pool events relevant to just-in-time liquidity on v3, in chain order. */
export type BlockAction =
  | {
      readonly kind: 'MINT' | 'BURN'
      readonly block: number
      readonly owner: string
      readonly tickLower: number
      readonly tickUpper: number
      readonly liquidity: bigint
    }
  | {
      readonly kind: 'SWAP'
      readonly block: number
      readonly tickBefore: number
      readonly tickAfter: number
      readonly volumeQuote: bigint
    }

type LiquidityAction = Extract<BlockAction, { owner: string }>

/**
 * Share of the volume served by just-in-time liquidity, in pips. Counts swaps between a mint and a
 * burn of the same owner and range in one block. The burn removes at least the minted liquidity,
 * and the swap's price touched the range. Each swap counts once, in full.
 *
 * @param actions of one window in chain order
 * @see Capponi, Jia, Zhu, “The paradox of just-in-time liquidity in decentralized exchanges” (2023)
 */
export function jitShare(actions: readonly BlockAction[]): bigint {
  // Just-in-time liquidity requires a mint, and most hours have no mint.
  if (!actions.some(({ kind }) => kind === 'MINT')) return 0n
  let total = 0n
  let served = 0n
  for (const block of Map.groupBy(actions, ({ block: number }) => number).values()) {
    const spans = jitSpans(block)
    for (const [place, action] of block.entries()) {
      if (action.kind !== 'SWAP') continue
      total += action.volumeQuote
      const low = Math.min(action.tickBefore, action.tickAfter)
      const high = Math.max(action.tickBefore, action.tickAfter)
      const isServed = spans.some(
        ({ from, to, range }) =>
          from < place && place < to && range.tickLower <= high && low < range.tickUpper,
      )
      if (isServed) served += action.volumeQuote
    }
  }
  return total === 0n ? 0n : (served * MILLION) / total
}

/** Places of a mint and of the burn that undoes it, in one block. */
function jitSpans(block: readonly BlockAction[]) {
  const spans: { from: number; to: number; range: LiquidityAction }[] = []
  for (const [from, mint] of block.entries()) {
    if (mint.kind !== 'MINT') continue
    const after = block.findIndex(
      (action, place) =>
        place > from &&
        action.kind === 'BURN' &&
        isSamePosition(action, mint) &&
        action.liquidity >= mint.liquidity,
    )
    if (after > 0) spans.push({ from, to: after, range: mint })
  }
  return spans
}

function isSamePosition(a: LiquidityAction, b: LiquidityAction): boolean {
  return a.owner === b.owner && a.tickLower === b.tickLower && a.tickUpper === b.tickUpper
}

export interface SizedTrade {
  readonly at: number
  /**
   * Base atoms: positive for a buy, negative for a sell. Repeated orders have one identical amount.
   */
  readonly base: bigint
  /** Quote atoms of the other side, above zero. */
  readonly volumeQuote: bigint
}

/** Fewest trades of one size in an hour that are taken for repetition. */
const REPEATED = 4

/**
 * Share of the volume whose exact size traded at least four times in its hour, in pips. A size
 * repeats if its base or its quote is identical in atoms, in either direction. Sizes are numbered
 * once for all windows.
 *
 * @param trades any order
 * @returns the share among the trades from index `first` up to, but not including, `next`
 * @see Cong, Li, Tang, Yang, “Crypto wash trading” (2023), on clusters of trade sizes
 */
export function identicalSizeShares(
  trades: readonly SizedTrade[],
): (first: number, next: number) => bigint {
  const sizes = numberSizes(trades)
  return (first, next) => {
    const counts = new Map<number, number>()
    const window = sizes.slice(first, next)
    for (const size of window.flat()) counts.set(size, (counts.get(size) ?? 0) + 1)
    let total = 0n
    let repeated = 0n
    for (const [place, own] of window.entries()) {
      // There is a size of every trade.
      const { volumeQuote } = trades[first + place]!
      total += volumeQuote
      if (own.some((size) => counts.get(size)! >= REPEATED)) repeated += volumeQuote
    }
    return total === 0n ? 0n : (repeated * MILLION) / total
  }
}

/** Numbers of both sizes per trade. Equal sizes in the same hour have equal numbers. */
function numberSizes(trades: readonly SizedTrade[]): [base: number, quote: number][] {
  const numbers = new Map<string, number>()
  const numberOf = (size: string) => {
    const known = numbers.get(size) ?? numbers.size
    numbers.set(size, known)
    return known
  }
  return trades.map(({ at, base, volumeQuote }) => {
    const hour = Math.floor(at / HOUR_SECONDS)
    return [numberOf(`${hour} base ${magnitude(base)}`), numberOf(`${hour} quote ${volumeQuote}`)]
  })
}
