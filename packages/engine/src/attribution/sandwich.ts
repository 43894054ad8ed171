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

/** A swap that was made dearer on purpose, and by whom. */
export interface Sandwich {
  readonly front: BlockSwap
  readonly victims: readonly BlockSwap[]
  readonly back: BlockSwap
  /** HIGH when what the attacker sells again is within 1 % of what was bought; MEDIUM within 5 %. */
  readonly confidence: 'HIGH' | 'MEDIUM'
  /** Token the attacker began and ended with: 0 or 1. */
  readonly profitToken: 0 | 1
  /** What the attacker has more of it, gas not counted; may be below zero. */
  readonly profit: bigint
  /**
   * What the attacker has more of the other token: bought and not sold again. Below zero where more was sold than bought,
   * so that a part of `profit` was brought along.
   */
  readonly kept: bigint
}

/**
 * Finds the sandwiches of one block: a swap A before and a swap B after others on the same pool, A in the
 * direction of those between, B in the other, A and B by one party that is none of the victims, and B
 * selling what A bought up to 5 %.
 *
 * Every swap is part of one sandwich at most; the nearest fitting B closes an A.
 *
 * @param swaps all swaps of a block, by position
 * @throws RangeError when the positions do not rise
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
