import type { Side } from '../depth/depth-ladder.ts'

/** Which token a one-sided range holds. */
export type TokenRole = 'BASE' | 'QUOTE'

/**
 * Position of liquidity. Distances are from the current base price in quote: in pips of the price
 * for RANGE, in pips of ln price for the others. They are rounded outwards to the pool's tick
 * spacing. A one-sided range never crosses the price.
 */
export type RangeTemplate =
  | { readonly kind: 'FULL_RANGE' }
  /** From P·(1 − lowerPips/10⁶), lowerPips at most 999,999, to P·(1 + upperPips/10⁶). */
  | { readonly kind: 'RANGE'; readonly lowerPips: number; readonly upperPips: number }
  /** Absolute ticks of the pool, multiples of its spacing. */
  | { readonly kind: 'TICKS'; readonly lower: number; readonly upper: number }
  /** k·σ·√horizon of ln price to each side; σ of the pool's price over the last `volWindowSeconds`. */
  | {
      readonly kind: 'VOL_SCALED'
      readonly kMilli: number
      readonly horizonSeconds: number
      readonly volWindowSeconds: number
    }
  /** BASE lies above the price and is sold on the way up, QUOTE below and buys on the way down. */
  | {
      readonly kind: 'SINGLE_SIDED'
      readonly side: TokenRole
      readonly offsetPips: number
      readonly widthPips: number
    }
  /** Rungs that follow each other away from the price; each is wider than the one before by `growthPips`. */
  | {
      readonly kind: 'LADDER'
      readonly side: TokenRole
      readonly count: number
      readonly firstOffsetPips: number
      readonly widthPips: number
      readonly growthPips: number
    }

/** A share of the capital's worth in one template; a ladder divides it evenly over its rungs. */
export interface PositionPlan {
  readonly positionId: string
  readonly weightPips: number
  readonly template: RangeTemplate
}

/** Condition of a rule. Amounts in atoms, times in seconds of market time. */
export type Trigger =
  | { readonly kind: 'OUT_OF_RANGE'; readonly positionId: string; readonly seconds: number }
  /** ln distance of the price from where the ranges were last laid. */
  | { readonly kind: 'MOVE'; readonly pips: number }
  /** Base share of the total inventory value. */
  | { readonly kind: 'BASE_SHARE'; readonly above?: number; readonly below?: number }
  | { readonly kind: 'EVERY'; readonly seconds: number }
  /** Volatility of a short window above a multiple of the volatility of a long window. */
  | {
      readonly kind: 'VOL_RATIO'
      readonly shortSeconds: number
      readonly longSeconds: number
      readonly aboveMilli: number
    }
  /** Depth of the whole market, as `depthLadder` has it. */
  | {
      readonly kind: 'DEPTH_BELOW'
      readonly bandPips: number
      readonly side: Side
      readonly quote: bigint
    }
  /** Worth of fees that were earned and not yet collected. */
  | { readonly kind: 'FEES_ABOVE'; readonly quote: bigint }
  /** Base held at the start less base held now. */
  | { readonly kind: 'SOLD_BASE'; readonly amount: bigint }

export type Action =
  /**
   * Moves the ranges to the current price. With a swap in the pool both tokens are used; otherwise
   * the rest is idle.
   */
  | { readonly kind: 'RECENTER'; readonly swap: boolean }
  /** Lays other ranges in place of those there are. */
  | {
      readonly kind: 'RESHAPE'
      readonly templates: readonly {
        readonly weightPips: number
        readonly template: RangeTemplate
      }[]
    }
  /** Puts collected fees into the positions that earned them. */
  | { readonly kind: 'COMPOUND' }
  /** Collects fees, and takes out positions that hold this token only. */
  | { readonly kind: 'COLLECT_TO_IDLE'; readonly side: TokenRole }
  /** Lays what is held without a swap: base above the price, quote below, in the widths there were. */
  | { readonly kind: 'TO_SINGLE_SIDED' }
  | { readonly kind: 'WITHDRAW'; readonly sharePips: number }
  | { readonly kind: 'HOLD' }

/** The first rule whose triggers all hold is carried out. */
export interface Rule {
  readonly ruleId: string
  readonly when: Trigger
  readonly all?: readonly Trigger[]
  readonly do: Action
  readonly cooldownSeconds: number
  readonly maxPerDay: number
}

/**
 * Limits for all actions. A rejected action is counted and waits until its rule matches again.
 * Null: no guard.
 */
export interface Guards {
  readonly twapWindowSeconds: number
  readonly maxTwapDeviationPips: number | null
  readonly maxSwapSlippagePips: number | null
  readonly maxGasQuotePerAction: bigint | null
  readonly maxTurnoverQuotePerDay: bigint | null
  readonly minSecondsBetweenActions: number
}

/**
 * A bounded, declarative liquidity strategy. The same object is simulated, admitted and enforced.
 * Shares are pips of the inventory value.
 */
export interface StrategyDefinition {
  readonly capital: { readonly maxBase: bigint; readonly maxQuote: bigint }
  readonly inventory: {
    readonly targetBaseSharePips: number
    readonly minBaseSharePips: number
    readonly maxBaseSharePips: number
  }
  /** 1..16; their weights and `idlePips` sum to 1,000,000. */
  readonly positions: readonly PositionPlan[]
  readonly idlePips: number
  /** 0..16 */
  readonly rules: readonly Rule[]
  readonly guards: Guards
  /** Ends the strategy for good. */
  readonly end?: { readonly when: Trigger; readonly do: 'HOLD' | 'WITHDRAW' }
}
