import type { Orientation } from '../amm/market.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Depth } from '../depth/depth-ladder.ts'
import type { Holdings } from '../study/arm.ts'

/** A swap worked out and not yet carried out. */
export interface PlannedSwap {
  readonly buysBase: boolean
  /** Fee included. */
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** A range of ticks; ignored where liquidity has no range. */
export interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/** Fees taken out of a position: paid out, or left in the pool to earn more fees. */
export interface SettledFees {
  readonly paidOut: Holdings
  readonly compounded: Holdings
}

/** A market as far as its price decides what things cost. */
export interface PriceView {
  /** Marginal price without fee, quote per base. */
  mid(): Rat
  /** What liquidity costs, rounded up. */
  costOf(range: TickRange, liquidity: bigint): Holdings
}

/**
 * A mutable market for a run. Any exact swap implementation can provide it.
 *
 * A plan is valid until the next change. The caller names the positions.
 */
export interface MarketSession extends PriceView {
  readonly orientation: Orientation
  /** The market as it would be priced after a plan, which is not carried out. */
  after(plan: PlannedSwap): PriceView
  /** Current price and tick; null if liquidity has no range. */
  grid(): {
    readonly sqrtPriceX96: bigint
    readonly tick: number
    readonly tickSpacing: number
  } | null
  /** The swap to the edge of the no-arbitrage band; null inside the band. */
  planArbitrage(reference: Rat): PlannedSwap | null
  /** The swap of an exact input; null when the market cannot take it whole. */
  planInput(buysBase: boolean, amountIn: bigint): PlannedSwap | null
  carryOut(plan: PlannedSwap): void
  /** Largest liquidity that funds pay for. */
  liquidityFor(range: TickRange, funds: Holdings): bigint
  /** @returns what was paid, rounded up */
  open(id: string, range: TickRange, liquidity: bigint): Holdings
  /** Takes liquidity out; fees must have been settled before. @returns what was received */
  close(id: string, liquidity: bigint): Holdings
  settleFees(id: string): SettledFees
  /** Holdings without the fees since the last settlement, rounded down. */
  principal(id: string): Holdings
  /** Fees since the last settlement, rounded down. */
  accrued(id: string): Holdings
  isInRange(id: string): boolean
  depth(bandsPips: readonly number[]): Depth[]
  /** Others take a share of their liquidity out. */
  exitOthers(sharePips: number): void
  /** Moves other LPs' liquidity to the price if all their liquidity is out of range. */
  followPrice(): void
  /** An independent copy of the session. Changes to it do not affect this one. */
  fork(): MarketSession
  /** Advances time for accumulators of the market. */
  passTime(seconds: number): void
}
