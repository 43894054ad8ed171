import type { Side } from '../depth/depth-ladder.ts'

/** An event a study calls a failure. Shares of time refer to the whole horizon. */
export type FailureRule =
  | {
      readonly kind: 'DEPTH_BELOW'
      readonly bandPips: number
      readonly minQuote: bigint
      readonly timeSharePips: number
    }
  | {
      readonly kind: 'SLIPPAGE_ABOVE'
      readonly sizeQuote: bigint
      readonly side: Side
      readonly maxPips: number
      readonly timeSharePips: number
    }
  | { readonly kind: 'OUT_OF_RANGE'; readonly timeSharePips: number }
  | { readonly kind: 'QUOTE_BELOW'; readonly minQuote: bigint }
  | { readonly kind: 'BASE_SHARE_ABOVE'; readonly pips: number }
  | { readonly kind: 'LOSS_VS_HOLD'; readonly pips: number }
  | { readonly kind: 'DRAWDOWN'; readonly pips: number }
  | { readonly kind: 'PRICE_BELOW'; readonly priceX18: bigint }

export interface Observed {
  readonly seconds: number
  /** The thinner side per band; null for an arm without a market. */
  readonly depth: ReadonlyMap<number, bigint> | null
  readonly slippagePips: (sizeQuote: bigint, side: Side) => number | null
  readonly isInRange: boolean | null
  readonly quote: bigint
  readonly baseSharePips: number
  readonly netVsHold: bigint
  readonly drawdown: bigint
  readonly capital: bigint
  readonly priceX18: bigint
}

/** Watches one rule along a path and records its first breach. */
export class FailureWatch {
  readonly #rule: FailureRule
  readonly #horizonSeconds: number | null
  /** Cumulative breach time at each breached sample; stored while the horizon is open. */
  readonly #broken: { readonly seconds: number; readonly badSeconds: number }[] = []
  #badSeconds = 0
  #lastSeconds = 0
  #firstSeconds: number | null = null

  /** @param horizonSeconds length of the whole path; null if only known at its end */
  constructor(rule: FailureRule, horizonSeconds: number | null) {
    this.#rule = rule
    this.#horizonSeconds = horizonSeconds
  }

  see(observed: Observed): void {
    const { seconds } = observed
    const passed = seconds - this.#lastSeconds
    this.#lastSeconds = seconds
    // With an open horizon the whole time counts; otherwise the first breach is final.
    const isDone = this.#firstSeconds !== null && this.#horizonSeconds !== null
    if (isDone || !isBroken(this.#rule, observed)) return
    this.#badSeconds += passed
    if (!('timeSharePips' in this.#rule)) {
      this.#firstSeconds ??= seconds
    } else if (this.#horizonSeconds === null) {
      this.#broken.push({ seconds, badSeconds: this.#badSeconds })
    } else if (this.#badSeconds > this.#allowedSeconds(this.#horizonSeconds)) {
      this.#firstSeconds = seconds
    }
  }

  /** Total time of sample intervals that end in a breach; complete if the horizon is open. */
  get brokenSeconds(): number {
    return this.#badSeconds
  }

  /**
   * Time of the breach, in seconds from the path's start; null without a breach. @param
   * horizonSeconds its length
   */
  firstSeconds(horizonSeconds: number): number | null {
    if (this.#firstSeconds !== null) return this.#firstSeconds
    const allowed = this.#allowedSeconds(horizonSeconds)
    return this.#broken.find(({ badSeconds }) => badSeconds > allowed)?.seconds ?? null
  }

  #allowedSeconds(horizonSeconds: number): number {
    const share = 'timeSharePips' in this.#rule ? this.#rule.timeSharePips : 0
    return (share * horizonSeconds) / 1_000_000
  }
}

function isBroken(rule: FailureRule, o: Observed): boolean {
  const outOfCapital = (amount: bigint, pips: number) =>
    amount * 1_000_000n > BigInt(pips) * o.capital
  switch (rule.kind) {
    case 'DEPTH_BELOW':
      return o.depth !== null && (o.depth.get(rule.bandPips) ?? 0n) < rule.minQuote
    case 'SLIPPAGE_ABOVE':
      return (o.slippagePips(rule.sizeQuote, rule.side) ?? 0) > rule.maxPips
    case 'OUT_OF_RANGE':
      return o.isInRange === false
    case 'QUOTE_BELOW':
      return o.quote < rule.minQuote
    case 'BASE_SHARE_ABOVE':
      return o.baseSharePips > rule.pips
    case 'LOSS_VS_HOLD':
      return outOfCapital(-o.netVsHold, rule.pips)
    case 'DRAWDOWN':
      return outOfCapital(o.drawdown, rule.pips)
    case 'PRICE_BELOW':
      return o.priceX18 < rule.priceX18
  }
}
