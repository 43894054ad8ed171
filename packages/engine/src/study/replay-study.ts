import type { Orientation } from '../amm/market.ts'
import { type JsonSafe, toJsonSafe } from '../amm/market-json.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import { loadPool, type Pool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import type { TickWindow } from '../amm/v3/tick-ledger.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { type Depth, depthLadder, type Side } from '../depth/depth-ladder.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import { quoteValue } from '../depth/value.ts'
import type { TradedVolume } from '../measures/inventory-course.ts'
import {
  fullRangeArm,
  holdArm,
  type MonteCarloArm,
  rangeArm,
  rebalancingArm,
} from '../montecarlo/arms.ts'
import { FREE_GAS, type GasModel, gasAlong } from '../montecarlo/gas.ts'
import { benchmarkArmIds } from '../montecarlo/monte-carlo-data.ts'
import { type PositionCoverage, replayClmmEvent } from '../replay/clmm-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import { type Fidelity, FidelityTally } from '../replay/fidelity.ts'
import { TickCoverage, WindowWatch } from '../replay/tick-coverage.ts'
import { strategyArm } from '../strategy/strategy-arm.ts'
import { assertRange, type StudyArm, type StudyCapital } from './arm.ts'
import { ArmRun, type RunTerms } from './arm-run.ts'
import type { FlowModel } from './flow.ts'
import { OutsidePrices, type Reference, type ReferencePrice } from './outside-prices.ts'
import { DepthSamples, OwnDepth } from './own-depth.ts'
import { addRecordedTrade, type ReplayMeasureTerms, RunMeasures } from './replay-measures.ts'

/** A study on a recorded market. */
export interface ReplayStudy {
  readonly start: ClmmState
  /** In chain order, read once. */
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
  /** What an action costs; default nothing. Its base fee is constant. */
  readonly gas?: GasModel
  /** Base fee of blocks, ascending, in place of the constant one; a block between two has the earlier. */
  readonly baseFees?: readonly { readonly block: number; readonly wei: bigint }[]
  /** Between a trigger of a strategy and its action; default 60. */
  readonly actionLatencySeconds?: number
  /** Standard deviation of ln price per root of a second, for strategies that begin with it. */
  readonly volatility?: number | null
  /** What is measured besides; each result then has a member `measures`, see `ReplayMeasures`. */
  readonly measures?: ReplayMeasureTerms
  /** Whether the benchmarks run beside the arms, under the ids of `benchmarkArmIds`; default false. */
  readonly benchmarks?: boolean
  /** Whether the start state lists every position; default COMPLETE. */
  readonly positions?: PositionCoverage
  /** The ticks that the start state lists, where it does not list all; default all. */
  readonly tickWindow?: TickWindow | null
  /**
   * Prices outside, ascending by time: from the first at or before the begin on, everything is valued at the last of them, and
   * arbitrage closes the gap to it. Without, the price of the unchanged pool after each event is the reference.
   */
  readonly references?: readonly ReferencePrice[]
}

/** Deterministic result as JSON: amounts in quote or base atoms as decimal strings. */
export type ReplayStudyResult = JsonSafe

/** Below this share of exact events a study says nothing about its arms. */
const LOWEST_FIDELITY_PIPS = 999_000

/** An arm of the study, or a portfolio that only a benchmark holds. */
type AnyArm = StudyArm | { readonly armId: string; readonly kind: 'REBALANCING' }

interface Run {
  /** What is run: arms of one key are one run. */
  readonly key: string
  readonly model: FlowModel
  readonly run: ArmRun
  readonly ownDepth: OwnDepth
  readonly depth: DepthSamples
  readonly measures: RunMeasures | null
  readonly series: JsonSafe[]
}

/**
 * Replays a recorded market once as it was, and beside it once per arm and flow model with the arm's
 * position in the pool. Everything is valued at the reference: the prices outside, where they are given, else the price of the
 * unchanged pool after each event; capital changes nothing about either.
 *
 * The study begins with the first event before which liquidity is in range. Strategies look at the market at
 * the begin of each block that has events, and at each sample; an action follows at a later look.
 *
 * COMPLETED when every event of the unchanged replay was exact and no pool left the ticks that are known, PARTIAL above 99.9 %, ABSTAINED without
 * any arm below.
 *
 * @throws RangeError for arms, bands or sampling that make no sense
 * @throws PoolRevertError when the pool refuses an arm's deposit
 */
export function runReplayStudy(study: ReplayStudy): ReplayStudyResult {
  assertStudy(study)
  const positions = study.positions ?? 'COMPLETE'
  const history = loadPool({ ...study.start, balance0: null, balance1: null })
  const coverage = new TickCoverage(study.start, study.tickWindow ?? null)
  const known = new WindowWatch(study.tickWindow ?? null, study.bandsPips)
  const tally = new FidelityTally()
  const window = new StudyWindow(study.sampleSeconds)
  const outside = study.references ? new OutsidePrices(study.references, study.orientation) : null
  let course: Course | null = null
  for (const event of study.events) {
    // A pool without liquidity in range has no price to begin at.
    if (course === null && history.liquidity > 0n) {
      course = begin(study, history, event, outside?.at(event.timestamp) ?? null)
    }
    if (course !== null) {
      window.pass(event, sampleAndLook(course))
      if (event.timestamp !== null) passTime(course, event.timestamp)
      if (event.block !== course.block) lookAll(course, event.block, event.timestamp)
    }
    tally.add(event, coverage.judge(event, replayClmmEvent(history, event, positions)))
    if (course === null) continue
    if (outside !== null) setReference(course, outside.at(event.timestamp))
    else if (history.liquidity > 0n && history.sqrtPriceX96 !== course.reference) {
      course.reference = history.sqrtPriceX96
      course.price = clmmMidPrice(course.reference, study.orientation)
    }
    if (event.type === 'Swap') addRecordedTrade(course.traded, event, study.orientation.base)
    known.see(history.tick)
    for (const { run } of course.runs) {
      run.apply(event, course.reference, course.price)
      known.see(run.tick ?? history.tick)
    }
  }
  if (course !== null && window.lastTime !== null) takeSample(course, window.lastTime)
  return conclude(study, tally.report(), window, { course, known })
}

function setReference(course: Course, { sqrtPriceX96, price }: Reference): void {
  course.reference = sqrtPriceX96
  course.price = price
}

/** The arms under way, and the reference: the price outside, or the last at which history had liquidity in range. */
interface Course {
  readonly runs: readonly Run[]
  readonly startPrice: Rat
  reference: bigint
  price: Rat
  /** Block that the runs are in. */
  block: number
  /** Tick of the unchanged pool. */
  readonly history: Pool
  /** Both sides of the recorded trades. */
  readonly traded: TradedVolume
}

function begin(
  study: ReplayStudy,
  history: Pool,
  event: ClmmEvent,
  outside: Reference | null,
): Course {
  const price = outside?.price ?? clmmMidPrice(history.sqrtPriceX96, study.orientation)
  const runs = createRuns(study, snapshotPool(history), event)
  const reference = outside?.sqrtPriceX96 ?? history.sqrtPriceX96
  const traded = { base: 0n, quote: 0n }
  return { runs, startPrice: price, reference, price, block: event.block, history, traded }
}

function createRuns(study: ReplayStudy, start: ClmmState, place: ClmmEvent): Run[] {
  const { orientation, bandsPips, arbitrageCostQuote = 0n, positions = 'COMPLETE' } = study
  const models = study.flowModels ?? ['INELASTIC_INPUT', 'PRICE_SETTING']
  const gasOf = gasBy(study)
  const price = clmmMidPrice(start.sqrtPriceX96, orientation)
  const capital = quoteValue(study.capital.base, price) + study.capital.quote
  const arms = armsOf(study)
  const distinct = arms.filter(
    (arm, place) => arms.findIndex((other) => keyOf(other) === keyOf(arm)) === place,
  )
  return distinct.flatMap((arm) =>
    models.map((model) => {
      const terms = { model, orientation, arbitrageCostQuote, positions, gasOf }
      const made = runnable(arm, start, study)
      const run = new ArmRun(start, made, study.capital, terms, place)
      const ownDepth = new OwnDepth(start, orientation, bandsPips)
      const measures =
        study.measures === undefined
          ? null
          : new RunMeasures(run, made, study.measures, capital, place.timestamp ?? 0)
      const key = keyOf(arm)
      return { key, model, run, ownDepth, depth: new DepthSamples(), measures, series: [] }
    }),
  )
}

/** Arms that only hold or use the whole curve do the same under any name; a range is named in what it opens. */
function keyOf({ armId, kind }: AnyArm): string {
  return kind === 'HOLD' || kind === 'FULL_RANGE' ? kind : `${kind} ${armId}`
}

/** The arms of a study, and its benchmarks if it asks for them. */
function armsOf(study: ReplayStudy): readonly AnyArm[] {
  if (study.benchmarks !== true) return study.arms
  const [hold, full, rebalancing] = benchmarkArmIds
  return [
    ...study.arms,
    { armId: hold, kind: 'HOLD' },
    { armId: full, kind: 'FULL_RANGE' },
    { armId: rebalancing, kind: 'REBALANCING' },
  ]
}

/** An arm as a run carries it out; made afresh for each run, because a strategy remembers. */
function runnable(arm: AnyArm, { tickSpacing }: ClmmState, study: ReplayStudy): MonteCarloArm {
  switch (arm.kind) {
    case 'HOLD':
      return holdArm(arm.armId)
    case 'FULL_RANGE':
      return fullRangeArm(arm.armId, tickSpacing)
    case 'REBALANCING':
      return rebalancingArm(arm.armId)
    case 'V3_RANGE':
      assertRange(arm, tickSpacing)
      return rangeArm(arm.armId, arm)
    case 'STRATEGY': {
      const { actionLatencySeconds = 60, volatility = null } = study
      return strategyArm(arm.armId, arm.definition, { actionLatencySeconds, volatility })
    }
  }
}

/** What an action costs in a block: at that block's base fee where it is known. */
function gasBy({ gas = FREE_GAS, baseFees }: ReplayStudy): RunTerms['gasOf'] {
  const constant = gasAlong(gas, new Uint8Array(32), 0, false, 0)
  if (baseFees === undefined) return (action) => constant(action, 0)
  return (action, block) => {
    const known = baseFees.findLast((fee) => fee.block <= block)
    if (known === undefined) return constant(action, 0)
    const baseFee = { kind: 'CONSTANT', baseFeeWei: known.wei } as const
    return gasAlong({ ...gas, baseFee }, new Uint8Array(32), 0, false, 0)(action, 0)
  }
}

/** Lets every arm look and act, on the market as it was left. */
function lookAll(course: Course, block: number, timestamp: number | null): void {
  course.block = block
  for (const { run } of course.runs) run.look(block, timestamp)
}

/** Lets the measures see what stood until a moment. */
function passTime({ runs, price }: Course, timestamp: number): void {
  for (const { measures } of runs) measures?.passTo(timestamp, price)
}

/** What happens at a moment between events: a sample of what is, then a look. */
function sampleAndLook(course: Course): (at: number) => void {
  return (at) => {
    passTime(course, at)
    takeSample(course, at)
    lookAll(course, course.block, at)
  }
}

/** Takes a sample of every run at one moment. */
function takeSample({ runs, price, history, block }: Course, at: number): void {
  const priceX18 = `${quoteValue(10n ** 18n, price)}`
  for (const { run, ownDepth, depth, measures, series } of runs) {
    const { session, desk } = run
    const ladder =
      session === null ? [] : ownDepth.measure(session.pool, [...desk.positions.values()])
    depth.add(ladder)
    measures?.sample(block, at)
    const { base, quote } = desk.inventory
    series.push({
      timestamp: at,
      priceX18,
      netVsHold: `${desk.netVsHold()}`,
      tick: run.tick ?? history.tick,
      base: `${base}`,
      quote: `${quote}`,
      buyQuote: sideOf(ladder, 'BUY'),
      sellQuote: sideOf(ladder, 'SELL'),
    })
  }
}

/** Depth of one side, in the order of the bands. */
function sideOf(ladder: readonly Depth[], side: Side): string[] {
  return ladder.filter((one) => one.side === side).map(({ quote }) => `${quote}`)
}

function conclude(
  study: ReplayStudy,
  fidelity: Fidelity,
  window: StudyWindow,
  { course, known }: { course: Course | null; known: WindowWatch },
): ReplayStudyResult {
  const { eventsReplayed, eventsExact } = fidelity
  const reasons: string[] = []
  if (course === null) reasons.push('NO_LIQUIDITY')
  if (eventsExact < eventsReplayed) reasons.push('FIDELITY_BELOW_ALL')
  if (known.isLeft) reasons.push('TICK_WINDOW_LEFT')
  const abstains =
    course === null || eventsExact * 1_000_000 < eventsReplayed * LOWEST_FIDELITY_PIPS
  return toJsonSafe({
    schemaVersion: 'replay-study-v1',
    state: abstains ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    reasons,
    fidelity,
    window: window.describe(),
    startPrice: course?.startPrice ?? null,
    endPrice: course?.price ?? null,
    endSqrtPriceX96: course?.reference ?? null,
    endMarket: course === null ? null : quotesOf(study, course.history),
    capital: study.capital,
    arms: abstains ? [] : describeArms(study, course),
  })
}

/** Depth and slippage of the unchanged pool as history left it; null without liquidity in range. */
function quotesOf({ orientation, bandsPips, measures }: ReplayStudy, history: Pool) {
  if (history.liquidity === 0n) return null
  const end = snapshotPool(history)
  return {
    depth: depthLadder(end, orientation, bandsPips),
    slippage: slippageTable(end, orientation, measures?.tradeSizesQuote ?? []),
  }
}

function describeArms(study: ReplayStudy, { runs, price, traded }: Course) {
  const described = runs.map((run) => ({ key: run.key, result: describeRun(run, price, traded) }))
  return armsOf(study).map((arm) => {
    const key = keyOf(arm)
    const results = described.filter((run) => run.key === key).map(({ result }) => result)
    const earned = results.map((result) => result.waterfallHolder.fees)
    return {
      armId: arm.armId,
      kind: arm.kind,
      // A band of assumptions about the flow, not a confidence interval.
      feeBand: {
        low: earned.reduce((a, b) => (b < a ? b : a)),
        high: earned.reduce((a, b) => (b > a ? b : a)),
      },
      results,
    }
  })
}

function describeRun(
  { model, run, depth, measures, series }: Run,
  price: Rat,
  traded: TradedVolume,
) {
  const { end, fees, counts, seconds, secondsInRange, holder, maker, ...rest } = run.finish()
  return {
    flowModel: model,
    opening: run.opening,
    end,
    fees,
    flow: counts,
    timeInRangePips: seconds === 0 ? null : Math.floor((secondsInRange * 1_000_000) / seconds),
    waterfallHolder: holder,
    waterfallMaker: maker,
    operations: rest,
    depth: depth.report(),
    ...(measures === null ? {} : { measures: measures.finish(price, traded) }),
    series,
    actions: run.course.actions,
    layouts: run.course.layouts,
  }
}

/** Blocks and times of a study, and its sampling clock. */
class StudyWindow {
  readonly #sampleSeconds: number
  #fromBlock: number | null = null
  #toBlock: number | null = null
  #fromTime: number | null = null
  #nextSample: number | null = null
  lastTime: number | null = null

  constructor(sampleSeconds: number) {
    this.#sampleSeconds = sampleSeconds
  }

  /** Notes an event, after every sample that was due before it. */
  pass(event: ClmmEvent, takeSample: (at: number) => void): void {
    this.#fromBlock ??= event.block
    this.#toBlock = event.block
    if (event.timestamp === null) return
    this.#fromTime ??= event.timestamp
    this.lastTime = event.timestamp
    this.#nextSample ??= event.timestamp
    while (this.#nextSample < event.timestamp) {
      takeSample(this.#nextSample)
      this.#nextSample += this.#sampleSeconds
    }
  }

  describe() {
    return {
      fromBlock: this.#fromBlock,
      toBlock: this.#toBlock,
      fromTime: this.#fromTime,
      toTime: this.lastTime,
    }
  }
}

function assertStudy(study: ReplayStudy): void {
  const ids = new Set(study.arms.map((arm) => arm.armId))
  if (study.arms.length < 1 || study.arms.length > 8 || ids.size !== study.arms.length) {
    throw new RangeError('a study has 1 to 8 arms with different ids')
  }
  if (study.benchmarks === true && benchmarkArmIds.some((id) => ids.has(id))) {
    throw new RangeError('no arm has the id of a benchmark')
  }
  if (study.flowModels?.length === 0) throw new RangeError('a study has at least one flow model')
  if (!Number.isInteger(study.sampleSeconds) || study.sampleSeconds < 1) {
    throw new RangeError(
      `samples every ${study.sampleSeconds} s; expected a whole number above zero`,
    )
  }
  const { base, quote } = study.capital
  if (base < 0n || quote < 0n || base + quote === 0n) {
    throw new RangeError('the capital of a study is above zero')
  }
}
