/** Requests of the current number of blocks that pass before a larger number is tried. */
const [passesBeforeGrowth, passesBeforeRefusedWidth] = [2, 64]

/** Blocks of the next `eth_getLogs`; null without a limit. */
export interface NextLogBlocks {
  readonly blocks: number | null
  /** True for the one request that tries a larger number. */
  readonly isTrial: boolean
}

/**
 * Learned number of blocks of one `eth_getLogs`. Refusals halve it. After several results, one request
 * tries the double; concurrent requests use the number that passed.
 */
export class LogWidth {
  readonly #report: (blocks: number | null) => void
  #blocks: number | null = null
  /** Smallest refused number. */
  #refused = Number.POSITIVE_INFINITY
  #passes = 0
  readonly #maximum: number
  /** True if the next request may try a larger number. */
  #isDue = false
  /** Number that a request tries now; null if none. */
  #trial: number | null = null

  /**
   * @param report receives each new number
   * @param maximum largest number to try
   */
  constructor(report: (blocks: number | null) => void, maximum = Number.POSITIVE_INFINITY) {
    this.#report = report
    this.#maximum = maximum
  }

  get blocks(): number | null {
    return this.#blocks
  }

  /** Continues with the number of an earlier process. */
  restore(blocks: number): void {
    this.#blocks = blocks
    this.#refused = 2 * blocks
  }

  /** @param maximum largest number that the reader requests */
  next(maximum = Number.POSITIVE_INFINITY): NextLogBlocks {
    const blocks = this.#blocks
    if (blocks === null || !this.#isDue || this.#trial !== null) return { blocks, isTrial: false }
    const larger = Math.min(2 * blocks, this.#maximum, maximum)
    if (larger <= blocks) return { blocks, isTrial: false }
    this.#trial = larger
    return { blocks: larger, isTrial: true }
  }

  /** Ends a trial without a verdict, for example after a network failure. */
  release(): void {
    this.#trial = null
  }

  /**
   * Records a refusal. A late refusal of an earlier, larger number does not raise the current one.
   *
   * @param named number that the refusal names, tried once if it is smaller
   */
  refuse(blocks: number, named: number | null = null): void {
    this.#refused = Math.min(this.#refused, blocks)
    const isUsable = named !== null && named >= 1 && named < blocks
    const smaller = isUsable ? named : Math.max(1, Math.floor(blocks / 2))
    // Only the refusal of a trial can name a number between the current one and the trial.
    const isTrial = blocks === this.#trial && isUsable
    if (this.#trial === null || blocks <= this.#trial) this.#endTrial()
    this.#set(isTrial ? smaller : Math.min(this.#blocks ?? smaller, smaller))
  }

  /** Records a result. */
  pass(blocks: number): void {
    if (this.#trial !== null && blocks >= this.#trial) {
      if (this.#trial >= this.#refused) this.#refused = Number.POSITIVE_INFINITY
      this.#endTrial()
      this.#set(blocks)
      return
    }
    if (this.#blocks === null || blocks < this.#blocks) return
    this.#passes += 1
    const isUntried = 2 * this.#blocks < this.#refused
    const passes = isUntried ? passesBeforeGrowth : passesBeforeRefusedWidth
    if (this.#passes >= passes) this.#isDue = true
  }

  /** Returns to an earlier number; null for none. */
  reset(blocks: number | null): void {
    this.#endTrial()
    if (blocks === this.#blocks) return
    this.#refused = Number.POSITIVE_INFINITY
    this.#set(blocks)
  }

  #endTrial(): void {
    this.#trial = null
    this.#isDue = false
    this.#passes = 0
  }

  #set(blocks: number | null): void {
    this.#blocks = blocks
    this.#passes = 0
    this.#report(blocks)
  }
}

/**
 * Largest number in the text of a refusal below the refused number of blocks, such as 500 in "limited
 * to a 500 blocks range"; null without one.
 */
export function namedLogBlocks(text: string, refused: number): number | null {
  const numbers = [
    ...text.matchAll(/(?<![\w.])(\d{1,3}(?:,\d{3})+|\d{1,9})\s?(k\b)?(?![\w.]\d)/gi),
  ].map(([, digits = '', thousand]) => Number(digits.replaceAll(',', '')) * (thousand ? 1000 : 1))
  const smaller = numbers.filter((value) => value >= 1 && value < refused)
  return smaller.length === 0 ? null : Math.max(...smaller)
}
