import type { contract } from '@liquidity-os/contract'
import type {
  ClmmState,
  JsonSafe,
  Orientation,
  PoolMarket,
  TickWindow,
} from '@liquidity-os/engine/amm'
import type { BaseShareTarget } from '@liquidity-os/engine/measures'
import { type ClmmEvent, type PositionCoverage, startReplay } from '@liquidity-os/engine/replay'
import { rangeAround } from '@liquidity-os/engine/strategy'
import {
  type FlowModel,
  type ReferencePrice,
  type ReplayMeasureTerms,
  type ReplayStudy,
  runReplayStudy,
  type StudyArm,
} from '@liquidity-os/engine/study'
import { parseExact } from '../../../../market/exact-json.ts'
import { eventsOf } from '../../../../market/sealed-events.ts'
import { exactDefinition, type StrategyBehaviour } from '../../../plan/strategies/api.ts'
import { exactFailureRule, type FailureRuleInput, gasOf } from '../exact-terms.ts'
import { blockBaseFees } from './block-base-fees.ts'
import { type ReplaySearchOutcome, type SearchTerms, searchArm } from './replay-search.ts'

/** A candidate in the form of the contract. */
export type TaskArm =
  | { armId: string; kind: 'HOLD' | 'FULL_RANGE' }
  | { armId: string; kind: 'TICKS'; tickLower: number; tickUpper: number }
  | { armId: string; kind: 'RANGE'; lowerPips: number; upperPips: number }
  | { armId: string; kind: 'STRATEGY'; definition: StrategyBehaviour }

/** A replay study as it travels to a worker thread: bytes and plain data only. */
export interface ReplayTask {
  /** The market before the first event, as JSON. */
  start: Uint8Array
  /** Sealed events of the observations, one per line, in order. */
  events: readonly Uint8Array[]
  window: { fromBlock: number; toBlock: number }
  /** True if the market lists every position. */
  positions: PositionCoverage
  /** Range of listed ticks if the market's list is incomplete. */
  tickWindow?: TickWindow | null
  orientation: Orientation
  capital: { base: string; quote: string; normalization: 'AS_GIVEN' | 'EQUAL_VALUE' }
  arms: readonly TaskArm[]
  flowModels: readonly FlowModel[]
  bandsPips: readonly number[]
  tradeSizesQuote: readonly string[]
  /** Null selects the interval by the length of the course; see `spaceSamples`. */
  sampleSeconds: number | null
  actionLatencySeconds: number
  costs: contract.SimulationCosts | null
  /**
   * Volatility of the log price per √second, for ranges whose initial width depends on past
   * volatility.
   */
  volatility?: number | null
  /** If present, risk limits, slippage and inventory are measured. */
  measures?: {
    failure: readonly FailureRuleInput[]
    targetBaseShare: BaseShareTarget | null
  }
  /** External prices for all valuations. Default: the pool's price. */
  references?: readonly ReferencePrice[]
  /** True to run HODL, the full range and the rebalancing portfolio with the candidates. */
  benchmarks?: boolean
  /** Minimum profit of an arbitrage, quote atoms. Default: 0. */
  arbitrageCostQuote?: string
  /**
   * Searches parameters of one arm on the first part of the window, and evaluates all arms on the
   * rest.
   */
  search?: SearchTerms
}

export interface ReplayTaskResult {
  study: JsonSafe
  /** Depth and slippage of the observed market at the end of the window; null without a price. */
  market: JsonSafe
  /** Interval between two samples, from the task or the course. */
  sampleSeconds: number
  search?: ReplaySearchOutcome
}

/** Runs a replay study. Pure: the same task gives the same result on every machine. */
export default function runReplayTask(task: ReplayTask): ReplayTaskResult {
  const { positions, tickWindow = null } = task
  const prelude = startReplay(parse(task.start) as PoolMarket, { positions, tickWindow })
  let before = 0
  for (const event of eventsOf(task.events)) {
    if (event.block >= task.window.fromBlock) break
    prelude.apply(event)
    before += 1
  }
  const inside = eventsInside(task, before)
  const start = prelude.final() as ClmmState
  const arms = task.arms.map((arm) => armOf(arm, start, inside, task))
  const sampleSeconds = task.sampleSeconds ?? spaceSamples(start, inside, task)
  const fees = blockBaseFees(task.costs, inside)
  const whole = { ...termsOf(task), ...fees, sampleSeconds, start, events: inside, arms }
  if (!task.search) return resultOf(whole)
  const { evaluated, outcome } = searchArm({ ...whole, events: [...inside] }, task.search)
  const result = evaluated ? resultOf(evaluated) : { study: null, market: null, sampleSeconds }
  return { ...result, search: outcome }
}

/**
 * Maximum samples of a course, except the last one. A course of at least this many seconds has at
 * least half.
 */
export const courseSamples = 600

/**
 * Sample interval in seconds, constant from the first event with liquidity in range to the last
 * event. So sample statistics are time-weighted, without quiet periods before and after. A course
 * below 600 s has one sample per second, because no block time is shorter.
 */
function spaceSamples(
  start: ClmmState,
  events: Iterable<ClmmEvent>,
  { positions }: ReplayTask,
): number {
  const replay = start.liquidity > 0n ? null : startReplay(start, { positions })
  let hasLiquidity = replay === null
  let from: number | null = null
  let to: number | null = null
  for (const event of events) {
    to = event.timestamp ?? to
    if (hasLiquidity) from ??= event.timestamp
    else if (replay !== null) {
      replay.apply(event)
      hasLiquidity = (replay.final() as ClmmState).liquidity > 0n
    }
  }
  const seconds = from === null || to === null ? 0 : to - from
  return Math.max(1, Math.ceil(seconds / courseSamples))
}

/**
 * The events of the window; each iteration reads them again. @param before number of earlier events
 */
function eventsInside({ events, window }: ReplayTask, before: number): Iterable<ClmmEvent> {
  return {
    *[Symbol.iterator]() {
      // A replay is of a v3 venue, whose events are these.
      for (const event of eventsOf(events, before) as Iterable<ClmmEvent>) {
        if (event.block <= window.toBlock) yield event
      }
    },
  }
}

function resultOf(terms: ReplayStudy): ReplayTaskResult {
  const { endMarket: market = null, ...study } = runReplayStudy(terms) as Members
  return { study, market, sampleSeconds: terms.sampleSeconds }
}

type Members = Extract<JsonSafe, { readonly [name: string]: JsonSafe }>

function termsOf(
  task: ReplayTask,
): Omit<ReplayStudy, 'start' | 'events' | 'arms' | 'sampleSeconds'> {
  return {
    positions: task.positions,
    tickWindow: task.tickWindow ?? null,
    orientation: task.orientation,
    capital: {
      base: BigInt(task.capital.base),
      quote: BigInt(task.capital.quote),
      normalization: task.capital.normalization,
    },
    bandsPips: task.bandsPips,
    flowModels: task.flowModels,
    actionLatencySeconds: task.actionLatencySeconds,
    volatility: task.volatility ?? null,
    gas: gasOf(task.costs),
    arbitrageCostQuote: BigInt(task.arbitrageCostQuote ?? '0'),
    benchmarks: task.benchmarks ?? false,
    ...(task.references ? { references: task.references } : {}),
    ...(task.measures ? { measures: measuresOf(task, task.measures) } : {}),
  }
}

function measuresOf(
  { tradeSizesQuote }: ReplayTask,
  { failure, targetBaseShare }: NonNullable<ReplayTask['measures']>,
): ReplayMeasureTerms {
  return {
    tradeSizesQuote: tradeSizesQuote.map(BigInt),
    failure: failure.map(exactFailureRule),
    ...(targetBaseShare ? { targetBaseShare } : {}),
  }
}

const decoder = new TextDecoder()
const parse = (bytes: Uint8Array) => parseExact(decoder.decode(bytes))

function armOf(
  arm: TaskArm,
  start: ClmmState,
  events: Iterable<ClmmEvent>,
  task: ReplayTask,
): StudyArm {
  if (arm.kind === 'HOLD' || arm.kind === 'FULL_RANGE') return { armId: arm.armId, kind: arm.kind }
  if (arm.kind === 'TICKS') {
    const { armId, tickLower, tickUpper } = arm
    return { armId, kind: 'V3_RANGE', tickLower, tickUpper }
  }
  if (arm.kind === 'STRATEGY') {
    return { armId: arm.armId, kind: 'STRATEGY', definition: exactDefinition(arm.definition) }
  }
  if (arm.kind !== 'RANGE') throw new Error(`No candidate kind matches ${JSON.stringify(arm)}.`)
  const sqrtPriceX96 = firstPrice(start, events, task)
  const { tickSpacing } = start
  const place = { sqrtPriceX96, tickSpacing, orientation: task.orientation }
  return { armId: arm.armId, kind: 'V3_RANGE', ...rangeAround(arm, place) }
}

/** √price at the start of the study: the first with liquidity in range. */
function firstPrice(
  start: ClmmState,
  events: Iterable<ClmmEvent>,
  { positions }: ReplayTask,
): bigint {
  if (start.liquidity > 0n) return start.sqrtPriceX96
  const replay = startReplay(start, { positions })
  for (const event of events) {
    replay.apply(event)
    const market = replay.final() as ClmmState
    if (market.liquidity > 0n) return market.sqrtPriceX96
  }
  return start.sqrtPriceX96
}
