/** A swap in its block, as the logs and the transaction show it. */
export interface BlockSwap {
  /** Position within the block; swaps are given in this order. */
  readonly position: number
  /** Pool address; only swaps on one pool can sandwich each other. */
  readonly pool: string
  /** Whether token0 enters. */
  readonly zeroForOne: boolean
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Sender of the transaction, and the addresses that received and were called. */
  readonly sender: string
  readonly to: string
  readonly recipient: string
}

/** A sandwich attack and its attacker. */
export interface Sandwich {
  readonly front: BlockSwap
  readonly victims: readonly BlockSwap[]
  readonly back: BlockSwap
  /** HIGH if the attacker sells within 1 % of the bought amount; MEDIUM within 5 %. */
  readonly confidence: 'HIGH' | 'MEDIUM'
  /** Token the attacker began and ended with: 0 or 1. */
  readonly profitToken: 0 | 1
  /** Attacker's gain in this token, excluding gas; can be negative. */
  readonly profit: bigint
  /**
   * Attacker's net change in the other token: bought minus sold. Negative if more was sold than
   * bought; then prior inventory paid part of `profit`.
   */
  readonly kept: bigint
}

/**
 * Finds the sandwich attacks of one block. A swap A precedes other swaps on the same pool, and a
 * swap B follows them. A has the direction of the swaps in between, B the opposite. One party, not
 * a victim, makes both, and B sells the amount bought by A within 5 %.
 *
 * Each swap belongs to at most one sandwich; the nearest matching B closes an A.
 *
 * @param swaps all swaps of a block, by position
 * @throws RangeError if the positions do not rise
 */
export function findSandwiches(swaps: readonly BlockSwap[]): Sandwich[] {
  assertOrdered(swaps)
  const used = new Set<BlockSwap>()
  const found: Sandwich[] = []
  for (const [index, front] of swaps.entries()) {
    if (used.has(front)) continue
    const sandwich = closeSandwich(front, swaps.slice(index + 1), used)
    if (sandwich === null) continue
    for (const swap of [sandwich.front, ...sandwich.victims, sandwich.back]) used.add(swap)
    found.push(sandwich)
  }
  return found
}

function closeSandwich(
  front: BlockSwap,
  later: readonly BlockSwap[],
  used: ReadonlySet<BlockSwap>,
): Sandwich | null {
  const victims: BlockSwap[] = []
  for (const swap of later) {
    if (swap.pool.toLowerCase() !== front.pool.toLowerCase() || used.has(swap)) continue
    if (swap.zeroForOne === front.zeroForOne) {
      if (!isSameParty(front, swap)) victims.push(swap)
      continue
    }
    const confidence = confidenceOf(front, swap)
    if (confidence === null || victims.length === 0 || !isSameParty(front, swap)) continue
    return {
      front,
      victims,
      back: swap,
      confidence,
      profitToken: front.zeroForOne ? 0 : 1,
      profit: swap.amountOut - front.amountIn,
      kept: front.amountOut - swap.amountIn,
    }
  }
  return null
}

function confidenceOf(front: BlockSwap, back: BlockSwap): Sandwich['confidence'] | null {
  const apart = back.amountIn - front.amountOut
  const size = apart < 0n ? -apart : apart
  if (size * 100n <= front.amountOut) return 'HIGH'
  return size * 20n <= front.amountOut ? 'MEDIUM' : null
}

/** One party shares the sender, the called contract or the recipient; routers are called by everyone. */
function isSameParty(a: BlockSwap, b: BlockSwap): boolean {
  const same = (x: string, y: string) => x !== '' && x.toLowerCase() === y.toLowerCase()
  return same(a.sender, b.sender) || same(a.to, b.to) || same(a.recipient, b.recipient)
}

function assertOrdered(swaps: readonly BlockSwap[]): void {
  let latest = -1
  for (const { position } of swaps) {
    if (position <= latest) throw new RangeError(`swap ${position} comes after swap ${latest}`)
    latest = position
  }
}
