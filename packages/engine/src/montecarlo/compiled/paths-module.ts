import { type ClmmExports, instantiateClmm } from '../../amm/v3/fast/module.ts'
import { instantiateWasm } from '../wasm-module.ts'
import { PATHS_MODULE } from './generated/paths-module.ts'

interface Cell {
  readonly value: number
}

/**
 * Exports of `packages/engine/assembly/paths/index.ts` in addition to the pool; addresses are
 * bytes.
 */
export interface PathsExports extends ClmmExports {
  readonly BESIDE: Cell
  readonly CAPITAL: Cell
  readonly COMPOUNDED: Cell
  readonly DELTA_PNL: Cell
  readonly DIVERGENCE: Cell
  readonly DRIFT: Cell
  readonly FEES: Cell
  readonly FEES_AT_ACCRUAL: Cell
  readonly HELD: Cell
  readonly IDLE: Cell
  readonly INITIAL_BASE: Cell
  readonly LVR: Cell
  readonly NET_VS_HOLD: Cell
  readonly REBALANCE_COST: Cell
  readonly SEGMENT_START: Cell
  readonly SETTLED: Cell
  readonly ARBITRAGE_PROFIT: Cell
  readonly ARBITRAGE_VOLUME: Cell
  readonly MARKOUT: Cell
  readonly NOISE_VOLUME: Cell
  readonly TRADED: Cell
  readonly START_PRICE: Cell
  readonly DEPLETED: Cell
  readonly MAX_DRAWDOWN: Cell
  readonly SHOCK_BAND: Cell
  readonly valuations: Cell
  readonly arbitrages: Cell
  readonly noiseTrades: Cell
  readonly refusedTrades: Cell
  readonly step: Cell
  /**
   * Whether the results are void because a number overflowed or the market rejected an operation.
   */
  readonly isBeyond: Cell
  readonly inRangeCount: Cell
  readonly sampleCount: Cell
  readonly fanCount: Cell
  readonly secondsToTarget: Cell
  readonly quoteDepletedAt: Cell
  readonly shockCount: Cell
  clearTicks(): void
  openBooks(kind: number, positions: number): number
  begin(): void
  run(): number
  markOut(later: number): void
  setCourse(stepSeconds: number, refreshSteps: number, elastic: number, kept: number): void
  setSteps(steps: number, trades: number, shift: number, baseFirst: number): void
  setSamples(
    rules: number,
    bands: number,
    sizes: number,
    measured: number,
    kept: number,
    watched: number,
  ): void
  setTarget(pips: number, tolerancePips: number): void
  openShocks(most: number): number
  preparePath(trades: number): void
  keep(): void
  recall(): void
  fixedEnd(): number
  claimedEnd(): number
  ratios(): number
  costs(): number
  sales(): number
  draws(): number
  stops(): number
  marks(): number
  rules(): number
  bands(): number
  sizes(): number
  depths(): number
  slippages(): number
  fan(): number
  shares(): number
  sharesOf(row: number): number
  readonly X36: Cell
  readonly MARKOUT_WAITS: Cell
  readonly MARKOUTS: Cell
  readonly ARBITRAGE_COST: Cell
  readonly FLOW_VOLUME: Cell
  readonly FLOW_ARBITRAGE_VOLUME: Cell
  readonly flowSwaps: Cell
  readonly flowArbitrages: Cell
  readonly secondsInRange: Cell
  readonly lowestTick: Cell
  readonly highestTick: Cell
  openReplay(model: number, baseFirst: number, entries: number): void
  setReplaySamples(sizes: number, bands: number, samples: number): void
  beginReplay(startTime: number, isTimed: number): void
  positionOf(number: number, lower: number, upper: number): number
  rewind(): void
  runTape(entries: number): number
  bookAnew(): void
  endReplay(): void
  tape(): number
  replaySizes(): number
  replayBands(): number
  replaySamples(): number
}

/**
 * A new instance of the module for whole paths, including the pool module's tables.
 *
 * @param rateFactor arrival rate of traders relative to the usual rate, by depth relative to the
 * start
 */
export function openPathsModule(rateFactor: (depthRatio: number) => number): PathsExports {
  // The generated module is built from the sources whose exports the interface lists.
  const x = instantiateWasm(PATHS_MODULE, { course: { rateFactor } }) as PathsExports
  const pool = instantiateClmm()
  const tables = [
    { from: pool.ROOT_POWERS, to: x.ROOT_POWERS, bytes: 320 },
    { from: pool.MIN_SQRT_RATIO, to: x.MIN_SQRT_RATIO, bytes: 24 },
    { from: pool.MAX_SQRT_RATIO, to: x.MAX_SQRT_RATIO, bytes: 24 },
  ]
  const bytes = new Uint8Array(x.memory.buffer)
  for (const table of tables) {
    bytes.set(new Uint8Array(pool.memory.buffer, table.from.value, table.bytes), table.to.value)
  }
  return x
}
