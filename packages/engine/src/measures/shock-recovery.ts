/** Seconds after a shock at which depth is looked at. */
export const RECOVERY_SECONDS = [60, 300, 1800, 3600] as const

/** Band of the two-sided depth that shocks are judged by, pips. */
export const SHOCK_BAND_PIPS = 20_000

/** What became of the depth of a market after its shocks. */
export interface ShockRecovery {
  readonly shocks: number
  /**
   * Depth over that before the shock, pips: at once, and so long after it, one entry per shock that was
   * followed and whose time came.
   */
  readonly after: readonly { readonly seconds: number; readonly depthPips: readonly number[] }[]
}

interface Shock {
  readonly seconds: number
  readonly depthBefore: bigint
}

/**
 * Follows depth after shocks. A shock is one trade against the market, the arm's own apart, whose quote side
 * is more than half of the two-sided 2 % depth right before it; a move of the price is such a trade too.
 *
 * Depth is measured exactly before every trade of more than a quarter of what it last was; a smaller one
 * could only be a shock if depth had halved since, and is taken as none.
 */
export class ShockWatch {
  readonly #depthNow: () => bigint
  readonly #mostFollowed: number
  readonly #shocks: Shock[] = []
  readonly #depths: number[][] = [[], ...RECOVERY_SECONDS.map((): number[] => [])]
  /** Next shock to be looked at, per time after it. */
  readonly #next: number[] = RECOVERY_SECONDS.map(() => 0)
  #last: bigint
  #count = 0
  #pending: bigint | null = null

  /**
   * @param depthNow     two-sided depth of the market as it stands, quote atoms
   * @param mostFollowed shocks that are followed; further ones are only counted
   */
  constructor(depthNow: () => bigint, mostFollowed: number) {
    this.#depthNow = depthNow
    this.#mostFollowed = mostFollowed
    this.#last = depthNow()
  }

  /** Depth is looked at anew, because time has passed. */
  refresh(): void {
    this.#last = this.#depthNow()
  }

  /** A trade is about to be carried out. @param quote its quote side, atoms */
  before(quote: bigint): void {
    this.#pending = null
    if (quote * 4n <= this.#last) return
    this.#last = this.#depthNow()
    if (quote * 2n > this.#last && this.#last > 0n) this.#pending = this.#last
  }

  /** It was carried out. */
  after(seconds: number): void {
    const depthBefore = this.#pending
    if (depthBefore === null) return
    this.#pending = null
    this.#count += 1
    if (this.#shocks.length >= this.#mostFollowed) return
    this.#last = this.#depthNow()
    this.#shocks.push({ seconds, depthBefore })
    this.#depths[0]!.push(shareOf(this.#last, depthBefore))
  }

  /** Time passes to a moment, and the market has stood as it stands since the last change before it. */
  passTo(seconds: number): void {
    let depth: bigint | null = null
    for (const [place, wait] of RECOVERY_SECONDS.entries()) {
      // There is a next shock, and a row of depths, per time after it.
      let next = this.#next[place]!
      for (; next < this.#shocks.length; next++) {
        const shock = this.#shocks[next]!
        if (shock.seconds + wait > seconds) break
        depth ??= this.#depthNow()
        this.#depths[place + 1]!.push(shareOf(depth, shock.depthBefore))
      }
      this.#next[place] = next
    }
  }

  finish(): ShockRecovery {
    const times = [0, ...RECOVERY_SECONDS]
    return {
      shocks: this.#count,
      after: times.map((seconds, place) => ({ seconds, depthPips: this.#depths[place]! })),
    }
  }
}

/** Depth over depth in pips, rounded down. */
function shareOf(depth: bigint, before: bigint): number {
  return Number((depth * 1_000_000n) / before)
}
