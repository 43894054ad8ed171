import type { Market, Orientation } from '../amm/market.ts'
import type { PositionKey } from '../amm/v3/state.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Depth, Side } from '../depth/depth-ladder.ts'

/** Amounts of the pair, atomic units. */
export interface PairAmounts {
  readonly base: bigint
  readonly quote: bigint
}

/** A market of the plan, and which of its tokens are the pair. */
export interface World {
  readonly market: Market
  readonly orientation: Orientation
}

/** A depth that must hold, over all worlds together, whenever a step has ended. */
export interface DepthFloor {
  readonly bandPips: number
  readonly side: Side
  readonly quote: bigint
}

/** A position that liquidity is taken from, whole. */
export interface SourcePosition {
  readonly world: string
  readonly position: PositionKey
  readonly liquidity: bigint
}

/** A position that gets a share of the value that is moved; all shares are a million. */
export interface TargetShare {
  readonly world: string
  readonly position: PositionKey
  readonly sharePips: number
  /** The market to be created; null if it exists. The price is that of a new pair. */
  readonly opened: (World & { readonly price?: Rat }) | null
}

/** Limits that every step of a plan must satisfy. */
export interface PlanLimits {
  readonly minDepth: readonly DepthFloor[]
  /** Mid price of every world a step touches, quote per base. */
  readonly priceBand: { readonly lowest: Rat; readonly highest: Rat }
  /** Maximum swap slippage against the previous mid price, millionths, fee included. */
  readonly maxSlippagePips: number
}

/**
 * One step of a plan. Positions of a v2 pair are identified by owner; their ticks are ignored.
 * Approvals and pauses move no funds, but count as steps and can fail.
 */
export type PlanStep =
  | {
      readonly kind: 'REMOVE'
      readonly world: string
      readonly position: PositionKey
      readonly liquidity: bigint
    }
  | { readonly kind: 'COLLECT'; readonly world: string; readonly position: PositionKey }
  | {
      readonly kind: 'SWAP'
      readonly world: string
      readonly side: Side
      /** Quote of a BUY, base of a SELL. */
      readonly amountIn: bigint
    }
  | { readonly kind: 'CREATE_POOL'; readonly world: string; readonly opened: World }
  | {
      readonly kind: 'MINT'
      readonly world: string
      readonly position: PositionKey
      /** Maximum amounts; leftovers stay in the wallet. */
      readonly amounts: PairAmounts
    }
  | { readonly kind: 'APPROVE' | 'REVOKE_APPROVAL'; readonly world: string }
  | { readonly kind: 'SOAK'; readonly seconds: number }
  | { readonly kind: 'VERIFY' }

/** Why a step would not be sent. */
export type StepRefusal =
  | 'UNKNOWN_WORLD'
  | 'WORLD_EXISTS'
  | 'NOT_PAID'
  | 'REVERTS'
  | 'SLIPPAGE'
  | 'PRICE_OUT_OF_BAND'
  | 'DEPTH_BELOW_FLOOR'
  | 'APPROVAL_MISSING'
  | 'UNSUPPORTED_MARKET'

/** Effect of a step, and the full state after it. */
export interface StepOutcome {
  readonly step: PlanStep
  /** Null if the step can be sent. Otherwise the step has no effect and the plan stops. */
  readonly refusal: StepRefusal | null
  /** Change of the wallet; negative for payments. */
  readonly delta: PairAmounts
  /** Liquidity that a MINT added or a REMOVE took away. */
  readonly liquidity: bigint
  readonly wallet: PairAmounts
  readonly worlds: Readonly<Record<string, World>>
  /** Total depth of all worlds at the bands of the depth limits. */
  readonly depth: readonly Depth[]
}
