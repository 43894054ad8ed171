/** An inclusive range of blocks. */
export interface BlockRange {
  readonly first: number
  readonly last: number
}

/**
 * Ranges that are added one by one from a set known beforehand, and found by the blocks that they share.
 *
 * A segment tree over the set in the order of first blocks. Each node holds the largest last block of the added
 * ranges below it, so a branch whose ranges all end too early is skipped. Adding takes O(log n) steps, `coversBlock`
 * O(log n), `beginningWithin` O(log n) for each range that it finds.
 */
export class ActiveRanges<Ranged extends BlockRange> {
  readonly #ordered: readonly Ranged[]
  readonly #place: ReadonlyMap<Ranged, number>
  /**
   * Segment tree: per node the largest last block of the added ranges; leaves at `size + place`.
   */
  readonly #largestLast: Float64Array
  readonly #size: number

  /** @param all every range that may be added */
  constructor(all: readonly Ranged[]) {
    this.#ordered = all.toSorted((a, b) => a.first - b.first)
    this.#place = new Map(this.#ordered.map((range, index) => [range, index]))
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(1, all.length)))
    this.#largestLast = new Float64Array(2 * this.#size).fill(Number.NEGATIVE_INFINITY)
  }

  add(range: Ranged): void {
    const itemIndex = this.#place.get(range)
    if (itemIndex === undefined) throw new Error('The range is not in the set.')
    for (let node = this.#size + itemIndex; node >= 1; node = Math.floor(node / 2)) {
      this.#largestLast[node] = Math.max(this.#largestLast[node]!, range.last)
    }
  }

  /** True if an added range contains a block. */
  coversBlock(block: number): boolean {
    // The ranges that begin at or before the block are a prefix; the largest last block among them decides.
    const end = this.#countBeginningBefore(block + 1)
    let [low, high] = [this.#size, this.#size + end]
    while (low < high) {
      if (low % 2 === 1 && this.#largestLast[low++]! >= block) return true
      if (high % 2 === 1 && this.#largestLast[--high]! >= block) return true
      low /= 2
      high /= 2
    }
    return false
  }

  /** Added ranges whose first block lies in a range, in the order of their first blocks. */
  beginningWithin({ first, last }: BlockRange): Ranged[] {
    const found: Ranged[] = []
    const [from, to] = [this.#countBeginningBefore(first), this.#countBeginningBefore(last + 1)]
    const visit = (node: number, left: number, right: number): void => {
      if (left >= to || right <= from) return
      if (this.#largestLast[node] === Number.NEGATIVE_INFINITY) return
      if (right - left === 1) {
        found.push(this.#ordered[left]!)
        return
      }
      const middle = (left + right) / 2
      visit(2 * node, left, middle)
      visit(2 * node + 1, middle, right)
    }
    visit(1, 0, this.#size)
    return found
  }

  /** Number of ranges of the set, added or not, that start before a block. */
  #countBeginningBefore(block: number): number {
    let [low, high] = [0, this.#ordered.length]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#ordered[middle]!.first < block) low = middle + 1
      else high = middle
    }
    return low
  }
}
