import type { Market } from '../amm/market.ts'
import type { MonteCarloArm } from './arms.ts'
import type { NoiseFlow, OtherLps } from './flow-draws.ts'
import type { PriceModel } from './price-model.ts'
import type { RunConfig } from './run-path.ts'
import type { Scenario } from './scenario.ts'

/** A whole Monte Carlo study as data and arms. */
export interface MonteCarloSpec {
  readonly s0: Market
  readonly price: PriceModel
  readonly flow: NoiseFlow | null
  readonly others: OtherLps
  readonly scenario?: Scenario
  readonly steps: number
  readonly cfg: RunConfig
  /** Creates new arm instances for each path. */
  readonly arms: () => readonly MonteCarloArm[]
  /** 200..100,000 */
  readonly paths: number
  readonly halfWidthPips?: number
  readonly stopArmId?: string
}
