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
  /** The market as it will be created; null where it is there already. The price is that of a fresh pair. */
  readonly opened: (World & { readonly price?: Rat }) | null
}

/** What must hold while a plan runs. */
export interface PlanLimits {
  readonly minDepth: readonly DepthFloor[]
  /** Mid price of every world a step touches, quote per base. */
  readonly priceBand: { readonly lowest: Rat; readonly highest: Rat }
  /** Of a swap against the mid before it, millionths, fee included. */
  readonly maxSlippagePips: number
}

/**
 * One step of a plan. Positions of a v2 pair are named by their owner; the ticks of the name are not
 * looked at. Approvals and pauses move nothing, but are steps that can be counted and refused.
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
      /** At most this much is used; what does not fit stays in the wallet. */
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

/** What a step did, and everything as it stood afterwards. */
export interface StepOutcome {
  readonly step: PlanStep
  /** null when the step can be sent; otherwise nothing of it happened and the plan stops. */
  readonly refusal: StepRefusal | null
  /** What the wallet gained, below zero what it paid. */
  readonly delta: PairAmounts
  /** Liquidity that a MINT added or a REMOVE took away. */
  readonly liquidity: bigint
  readonly wallet: PairAmounts
  readonly worlds: Readonly<Record<string, World>>
  /** Depth of all worlds together at the bands of the floors. */
  readonly depth: readonly Depth[]
}
