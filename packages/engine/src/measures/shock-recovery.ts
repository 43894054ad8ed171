/** Times after a shock when depth is measured, in seconds. */
export const RECOVERY_SECONDS = [60, 300, 1800, 3600] as const

/** Band of the two-sided depth that defines shocks, pips. */
export const SHOCK_BAND_PIPS = 20_000

/** What became of the depth of a market after its shocks. */
export interface ShockRecovery {
  readonly shocks: number
  /**
   * Depth relative to the depth before the shock, pips: immediately and at each delay. One entry
   * per tracked shock whose delay ended within the run.
   */
  readonly after: readonly { readonly seconds: number; readonly depthPips: readonly number[] }[]
}

interface Shock {
  readonly seconds: number
  readonly depthBefore: bigint
}

/**
 * Tracks depth after shocks. A shock is a trade by others whose quote side exceeds half of the
 * two-sided 2 % depth right before it. A price move counts as such a trade too.
 *
 * Depth is measured exactly before every trade above a quarter of the last measured depth. A
 * smaller trade could only be a shock if depth had halved since, and is ignored.
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
   * @param depthNow current two-sided depth of the market, quote atoms
   * @param mostFollowed maximum shocks to track; further ones are only counted
   */
  constructor(depthNow: () => bigint, mostFollowed: number) {
    this.#depthNow = depthNow
    this.#mostFollowed = mostFollowed
    this.#last = depthNow()
  }

  /** Measures the depth again, because time has passed. */
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

  /** Advances time to a moment. The market was constant since the last change before it. */
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
