import type { Orientation } from '../amm/market.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import type { TickWindow } from '../amm/v3/tick-ledger.ts'
import type { GasModel } from '../montecarlo/gas.ts'
import type { PositionCoverage } from '../replay/clmm-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import type { StudyArm, StudyCapital } from './arm.ts'
import type { FlowModel } from './flow.ts'
import type { ReferencePrice } from './outside-prices.ts'
import type { ReplayMeasureTerms } from './replay-measures.ts'

/** A study on a recorded market. */
export interface ReplayStudy {
  readonly start: ClmmState
  /**
   * In chain order. Read once, and a second time if the compiled engine meets unsupported input.
   */
  readonly events: Iterable<ClmmEvent>
  readonly orientation: Orientation
  readonly capital: StudyCapital
  /** 1..8, unique ids. */
  readonly arms: readonly StudyArm[]
  readonly bandsPips: readonly number[]
  readonly sampleSeconds: number
  readonly flowModels?: readonly FlowModel[]
  /** An arbitrage happens if its profit exceeds this, quote atoms; default 0. */
  readonly arbitrageCostQuote?: bigint
  /** Gas cost of actions, with a constant base fee; default zero. */
  readonly gas?: GasModel
  /** Base fee of blocks, ascending, in place of the constant one; a block between two has the earlier. */
  readonly baseFees?: readonly { readonly block: number; readonly wei: bigint }[]
  /** Between a trigger of a strategy and its action; default 60. */
  readonly actionLatencySeconds?: number
  /** Standard deviation of ln price per root of a second, for strategies that begin with it. */
  readonly volatility?: number | null
  /** Additional measures; each result then has a member `measures`, see `ReplayMeasures`. */
  readonly measures?: ReplayMeasureTerms
  /**
   * Whether to run the benchmarks with the arms, under the ids of `benchmarkArmIds`; default false.
   */
  readonly benchmarks?: boolean
  /** Whether the start state lists every position; default COMPLETE. */
  readonly positions?: PositionCoverage
  /** The range of ticks in the start state, if its list is incomplete; default all. */
  readonly tickWindow?: TickWindow | null
  /**
   * External prices, ascending by time, from the first at or before the start. They value all
   * amounts, and arbitrage closes the gap to the last price. Without them, the reference is the
   * price of the unchanged pool after each event.
   */
  readonly references?: readonly ReferencePrice[]
}
