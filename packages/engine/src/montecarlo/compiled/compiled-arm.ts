import {
  findUnfit,
  writeObservations,
  writeScalars,
  writeTerms,
  writeTicks,
} from '../../amm/v3/fast/transfer.ts'
import { snapshotPool } from '../../amm/v3/pool.ts'
import type { ClmmState } from '../../amm/v3/state.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import type { Side } from '../../depth/depth-ladder.ts'
import { quoteValue } from '../../depth/value.ts'
import { depletedBelow, inventoryCourse, targetOf } from '../../measures/inventory-course.ts'
import { MARKOUT_SECONDS, type Markout } from '../../measures/markout-ledger.ts'
import { RECOVERY_SECONDS, type ShockRecovery } from '../../measures/shock-recovery.ts'
import type { Holdings } from '../../study/arm.ts'
import { type ArmDesk, closeBooks, type DeskBooks } from '../arm-desk.ts'
import type { ArmSamples } from '../arm-recorder.ts'
import type { MonteCarloArm } from '../arms.ts'
import { ClmmSession, type OwnPosition } from '../clmm-session.ts'
import type { ActionKind } from '../gas-table.ts'
import {
  type ArmOutcome,
  FOLLOWED_SHOCKS,
  openArm,
  type PathRun,
  type RunConfig,
} from '../run-path.ts'
import type { PathMemory } from './path-memory.ts'
import type { PathsExports } from './paths-module.ts'
import {
  laySamples,
  layShocks,
  readRules,
  type SampleLayout,
  secondsOrNull,
} from './sample-layout.ts'

/** As `assembly/paths/books.ts`. */
const POSITION = { growth0: 16, growth1: 48, lower: 80, upper: 84, bytes: 88 }
const KIND = { market: 1, rebalancing: 2 }

/** An arm that has opened, as every path finds it. */
export interface OpenedArm {
  readonly arm: MonteCarloArm
  readonly desk: ArmDesk
  readonly start: Holdings
  readonly books: DeskBooks
  readonly positions: readonly OwnPosition[]
  /** The pool including the arm's liquidity; null for an arm without a pool. */
  readonly pool: ClmmState | null
  /** Arms with equal keys have equal results on every path. */
  readonly key: string
}

/**
 * Opens an arm on the TypeScript engine.
 *
 * @returns null for an active strategy, or if the pool does not fit the compiled engine
 */
export function openForPaths(
  run: Pick<PathRun, 's0' | 'cfg'>,
  arm: MonteCarloArm,
  price: Rat,
  gasOf: (action: ActionKind, step: number) => bigint,
): OpenedArm | null {
  if (arm.onStep !== undefined && arm.routine === undefined) return null
  const { desk, start } = openArm(run, arm, price, gasOf)
  const { session } = desk
  if (session !== null && !(session instanceof ClmmSession)) return null
  const pool = session === null ? null : snapshotPool(session.pool)
  if (pool !== null && findUnfit(pool) !== null) return null
  const books = desk.books()
  const positions = session?.ownPositions() ?? []
  const { usesMarket, routine } = arm
  const target = targetOf(arm, run.cfg.targetBaseShare ?? null)
  const { counts, ownVolumeQuote } = desk
  const parts = { usesMarket, routine, target, start, books, positions, counts, ownVolumeQuote }
  const key = JSON.stringify(parts, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  return { arm, desk, start, books, positions, pool, key }
}

/** Writes an opened arm into the module, and takes its first sample there. */
export function writeArm(
  x: PathsExports,
  memory: PathMemory,
  { cfg, steps }: { cfg: RunConfig; steps: number },
  opened: OpenedArm,
  price: Rat,
): SampleLayout {
  const { arm, books, pool } = opened
  const worth = quoteValue(cfg.capital.base, price) + cfg.capital.quote
  const layout = laySamples(x, memory, cfg, steps, arm, worth)
  layShocks(x, memory, cfg.orientation, FOLLOWED_SHOCKS)
  if (pool !== null) writePool(x, memory, pool)
  writeBooks(x, memory, opened, cfg.capital)
  memory.writeSigned(x.BESIDE.value, books.rewards - books.gas)
  memory.writeSigned(x.DEPLETED.value, depletedBelow(worth))
  x.begin()
  return layout
}

/**
 * Writes the ledger of an opened arm, and its positions.
 *
 * @throws UnheldNumberError if a number exceeds its field
 */
export function writeBooks(
  x: PathsExports,
  memory: PathMemory,
  { arm, books, pool, positions, start }: Omit<OpenedArm, 'desk' | 'key'>,
  capital: Holdings,
): void {
  const kind =
    (pool === null ? 0 : KIND.market) | (arm.routine === 'REBALANCE' ? KIND.rebalancing : 0)
  const at = x.openBooks(kind, positions.length)
  for (const [index, own] of positions.entries()) {
    writeOwn(memory, at + index * POSITION.bytes, own)
  }
  memory.writeHoldings(x.IDLE.value, books.idle)
  memory.writeHoldings(x.SETTLED.value, books.settled)
  memory.writeHoldings(x.COMPOUNDED.value, books.compounded)
  memory.writeHoldings(x.HELD.value, books.held)
  memory.writeHoldings(x.FEES.value, books.fees)
  memory.writeHoldings(x.SEGMENT_START.value, books.segmentStart)
  memory.writeHoldings(x.CAPITAL.value, capital)
  memory.writeSigned(x.INITIAL_BASE.value, start.base)
}

/** Writes what a swap needs of a pool: positions earn apart from it. */
export function writePool(x: PathsExports, memory: PathMemory, pool: ClmmState): void {
  x.clearTicks()
  writeScalars(x, memory, pool)
  writeTicks(x, memory, pool.ticks)
  writeObservations(x, memory, pool.observations)
  const { observationIndex, observationCardinality, observationCardinalityNext } = pool
  x.setOracle(observationIndex, observationCardinality, observationCardinalityNext)
  x.setFee(pool.feePips)
  x.setNow(pool.blockTimestamp >>> 0)
  writeTerms(x, pool)
}

function writeOwn(memory: PathMemory, at: number, own: OwnPosition): void {
  memory.write128(at, own.liquidity)
  memory.write256(at + POSITION.growth0, own.growth0X128)
  memory.write256(at + POSITION.growth1, own.growth1X128)
  memory.writeNumber(at + POSITION.lower, own.tickLower)
  memory.writeNumber(at + POSITION.upper, own.tickUpper)
}

/** Path data outside of the module. */
export interface PathEnd {
  readonly index: number
  readonly startPrice: Rat
  readonly endPrice: Rat
  /** Gas of taking out one position at the end. */
  readonly exitGas: bigint
}

/** Reads the results of an arm at the end of a path. */
export function readOutcome(
  x: PathsExports,
  memory: PathMemory,
  cfg: RunConfig,
  opened: OpenedArm,
  layout: SampleLayout,
  end: PathEnd,
): ArmOutcome {
  const { arm, desk, start, pool, positions } = opened
  const books = readBooks(x, memory, opened.books)
  const prices = { start: end.startPrice, end: end.endPrice }
  const exitGas = end.exitGas * BigInt(positions.length)
  const { held, fees, compounded } = books
  const hasMarket = pool !== null
  const traded = memory.readHoldings(x.TRADED.value)
  return {
    armId: arm.armId,
    index: end.index,
    ...closeBooks(books, cfg.capital, prices, exitGas),
    netVsHold: memory.readSigned(x.NET_VS_HOLD.value),
    flow: {
      arbitrages: x.arbitrages.value,
      arbitrageVolumeQuote: memory.readSigned(x.ARBITRAGE_VOLUME.value),
      arbitrageProfitQuote: memory.readSigned(x.ARBITRAGE_PROFIT.value),
      noiseTrades: x.noiseTrades.value,
      noiseVolumeQuote: memory.readSigned(x.NOISE_VOLUME.value),
      refusedTrades: x.refusedTrades.value,
    },
    markouts: hasMarket ? readMarkouts(x, memory, cfg.stepSeconds) : [],
    actions: { done: { ...desk.counts.done }, refused: { ...desk.counts.refused } },
    ownVolumeQuote: desk.ownVolumeQuote,
    baseChange: held.base + fees.base - compounded.base - start.base,
    samples: readSamples(x, memory, layout, hasMarket, {
      secondsToTarget: secondsOrNull(x.secondsToTarget.value),
      hasTarget: targetOf(arm, cfg.targetBaseShare ?? null) !== null,
      quoteDepletedAt: secondsOrNull(x.quoteDepletedAt.value),
      start,
      end: { base: held.base - compounded.base, quote: held.quote - compounded.quote },
      traded,
    }),
    recovery: hasMarket ? readRecovery(x, memory, FOLLOWED_SHOCKS) : null,
  }
}

/** The books at the end; sums were begun at the opening, so what was in them then comes on top. */
export function readBooks(x: PathsExports, memory: PathMemory, before: DeskBooks): DeskBooks {
  return {
    ...before,
    idle: memory.readHoldings(x.IDLE.value),
    held: memory.readHoldings(x.HELD.value),
    fees: memory.readHoldings(x.FEES.value),
    segmentStart: memory.readHoldings(x.SEGMENT_START.value),
    deltaPnl: before.deltaPnl + memory.readSigned(x.DELTA_PNL.value),
    lvr: before.lvr + memory.readSigned(x.LVR.value),
    feesAtAccrual: before.feesAtAccrual + memory.readSigned(x.FEES_AT_ACCRUAL.value),
    divergence: before.divergence + memory.readSigned(x.DIVERGENCE.value),
    drift: before.drift + memory.readSigned(x.DRIFT.value),
    rebalanceCost: before.rebalanceCost + memory.readSigned(x.REBALANCE_COST.value),
    valuations: before.valuations + x.valuations.value,
  }
}

function readMarkouts(x: PathsExports, memory: PathMemory, stepSeconds: number): Markout[] {
  const known = new Map<number, bigint>()
  return MARKOUT_SECONDS.map((seconds) => {
    const later = Math.ceil(seconds / stepSeconds)
    let quote = known.get(later)
    if (quote === undefined) {
      x.markOut(later)
      quote = memory.readSigned(x.MARKOUT.value)
      known.set(later, quote)
    }
    return { seconds, quote }
  })
}

type Inventory = Parameters<typeof inventoryCourse>[0] & {
  readonly start: Holdings
  readonly end: Holdings
  readonly traded: Holdings
}

function readSamples(
  x: PathsExports,
  memory: PathMemory,
  { bandsPips, sizes, rules, measured }: SampleLayout,
  hasMarket: boolean,
  { start, end, traded, ...inventory }: Inventory,
): ArmSamples {
  const count = hasMarket ? measured : 0
  const row = (at: number, place: number) => memory.readFloats(at + 8 * measured * place, count)
  const sides: Side[] = ['BUY', 'SELL']
  const moments = memory.readFloats(x.fan(), 2 * x.fanCount.value)
  return {
    inventory: inventoryCourse(inventory, start, end, traded),
    depth: bandsPips.map((bandPips, band) => ({ bandPips, quote: row(x.depths(), band) })),
    slippage: sizes.flatMap((sizeQuote, size) =>
      sides.map((side, place) => ({ sizeQuote, side, pips: row(x.slippages(), 2 * size + place) })),
    ),
    ...readRules(x, memory, rules),
    inRangeSamples: x.inRangeCount.value,
    samples: x.sampleCount.value,
    maxDrawdown: memory.readSigned(x.MAX_DRAWDOWN.value),
    fan: {
      netVsHold: moments.filter((_, place) => place % 2 === 0),
      baseSharePips: moments.filter((_, place) => place % 2 === 1),
    },
  }
}

/** Reads the depth after shocks. @param followed maximum tracked shocks */
export function readRecovery(x: PathsExports, memory: PathMemory, followed: number): ShockRecovery {
  return {
    shocks: x.shockCount.value,
    after: [0, ...RECOVERY_SECONDS].map((seconds, row) => ({
      seconds,
      depthPips: [...memory.readFloats(x.shares() + 8 * followed * row, x.sharesOf(row))],
    })),
  }
}
