import type { Orientation } from '../amm/market.ts'
import { type JsonSafe, toJsonSafe } from '../amm/market-json.ts'
import { clmmMidPrice } from '../amm/v3/market.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { slippageTable } from '../depth/slippage-table.ts'
import { quoteValue } from '../depth/value.ts'
import type { TradedVolume } from '../measures/inventory-course.ts'
import { benchmarkArmIds } from '../montecarlo/monte-carlo-data.ts'
import type { PositionCoverage } from '../replay/clmm-replay.ts'
import { ClmmReplay } from '../replay/clmm-session-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import { type Fidelity, FidelityTally } from '../replay/fidelity.ts'
import { TickCoverage, WindowWatch } from '../replay/tick-coverage.ts'
import { openCompiledRuns } from './compiled/compiled-runs.ts'
import { OutsidePrices, type Reference } from './outside-prices.ts'
import { ReadableRuns } from './readable-runs.ts'
import { ReadablePool, type RecordedPool } from './recorded-pool.ts'
import type { ReplayStudy } from './recorded-study.ts'
import { addRecordedTrade } from './replay-measures.ts'
import { describeRun, type RunGroup } from './run-group.ts'
import { armsOf, keyOf, openStudyRuns, type StudyRuns } from './study-runs.ts'

/** Deterministic result as JSON: amounts in quote or base atoms as decimal strings. */
export type ReplayStudyResult = JsonSafe

/** Minimum share of exact events, in pips. Below it a study reports no arms. */
const LOWEST_FIDELITY_PIPS = 999_000

/** Implementation of a study: the unchanged pool and its runs. */
interface StudyEngine {
  openPool(state: ClmmState, positions: PositionCoverage): RecordedPool
  openRuns(runs: StudyRuns, known: WindowWatch): readonly RunGroup[]
}

const readableEngine: StudyEngine = {
  openPool: (state, positions) => new ReadablePool(state, positions),
  openRuns: ({ opened, place }, known) => [new ReadableRuns(opened, place.timestamp ?? 0, known)],
}

const compiledEngine: StudyEngine = {
  openPool: (state, positions) => new ClmmReplay(state, positions),
  openRuns: (runs, known) => openCompiledRuns(runs, known),
}

/**
 * Replays a recorded market once unchanged, and once per arm and flow model with the arm's position
 * in the pool. All values use the reference. The reference is the external price if given, else the
 * price of the unchanged pool after every event. The capital affects neither.
 *
 * The study begins with the first event that has liquidity in range before it. Strategies observe
 * the market at the start of every block with events, and at every sample. An action follows at a
 * later observation.
 *
 * The study is COMPLETED if every event of the unchanged replay was exact and no pool left the
 * known ticks. It is PARTIAL above 99.9 %, and ABSTAINED without any arm below.
 *
 * Passive arms run in WebAssembly, with bit-exact results. If a number does not fit there, the
 * whole study runs on the TypeScript engine. One-pass event sources go directly to the TypeScript
 * engine.
 *
 * @throws RangeError for invalid arms, bands or sampling
 * @throws PoolRevertError if the pool rejects an arm's deposit
 */
export function runReplayStudy(study: ReplayStudy): ReplayStudyResult {
  const compiled = isReadOnce(study.events) ? null : runReplayStudyCompiled(study)
  return compiled ?? runReplayStudyReadably(study)
}

/**
 * The same in WebAssembly. @returns null if a number does not fit, so that the TypeScript engine
 * must run it
 */
export function runReplayStudyCompiled(study: ReplayStudy): ReplayStudyResult | null {
  assertStudy(study)
  return replay(study, compiledEngine)
}

/** The same on the TypeScript engine alone, which is the reference. */
export function runReplayStudyReadably(study: ReplayStudy): ReplayStudyResult {
  assertStudy(study)
  const result = replay(study, readableEngine)
  if (result === null) throw new Error('The readable engine runs every arm.')
  return result
}

/** Whether events can be read only once, like those from a generator. */
function isReadOnce(events: Iterable<ClmmEvent>): boolean {
  return (events[Symbol.iterator]() as unknown) === events
}

/** @returns null where the engine could not run an arm to its end */
function replay(study: ReplayStudy, engine: StudyEngine): ReplayStudyResult | null {
  const positions = study.positions ?? 'COMPLETE'
  const history = engine.openPool({ ...study.start, balance0: null, balance1: null }, positions)
  const coverage = new TickCoverage(study.start, study.tickWindow ?? null)
  const known = new WindowWatch(study.tickWindow ?? null, study.bandsPips)
  const tally = new FidelityTally()
  const window = new StudyWindow(study.sampleSeconds)
  const outside = study.references ? new OutsidePrices(study.references, study.orientation) : null
  let course: Course | null = null
  for (const event of study.events) {
    // A pool without liquidity in range has no price to begin at.
    if (course === null && history.liquidity > 0n) {
      const runs = openStudyRuns(study, history.final(), event)
      const groups = engine.openRuns(runs, known)
      course = begin(study, history, groups, event, outside?.at(event.timestamp) ?? null)
    }
    if (course !== null) {
      window.pass(event, sampleAndLook(course))
      if (event.timestamp !== null) passTime(course, event.timestamp)
      if (event.block !== course.block) lookAll(course, event.block, event.timestamp)
    }
    tally.add(event, coverage.judge(event, history.apply(event)))
    if (course === null) continue
    if (outside !== null) course.reference = outside.at(event.timestamp)
    else if (history.liquidity > 0n && history.sqrtPriceX96 !== course.reference.sqrtPriceX96) {
      course.reference = referenceOf(history, study.orientation)
    }
    if (event.type === 'Swap') addRecordedTrade(course.traded, event, study.orientation.base)
    known.see(history.tick)
    for (const group of course.groups) group.apply(event, course.reference)
  }
  if (course !== null && window.lastTime !== null) takeSample(course, window.lastTime)
  if (course?.groups.some((group) => !group.settle()) === true) return null
  return conclude(study, tally.report(), window, { course, known })
}

/**
 * The running arms and the reference: the external price, or the last historical price with
 * liquidity in range.
 */
interface Course {
  readonly groups: readonly RunGroup[]
  readonly startPrice: Rat
  reference: Reference
  /** Block that the runs are in. */
  block: number
  /** The unchanged pool. */
  readonly history: RecordedPool
  /** Both sides of the recorded trades. */
  readonly traded: TradedVolume
}

function begin(
  { orientation }: ReplayStudy,
  history: RecordedPool,
  groups: readonly RunGroup[],
  { block }: ClmmEvent,
  outside: Reference | null,
): Course {
  const reference = outside ?? referenceOf(history, orientation)
  const traded = { base: 0n, quote: 0n }
  return { groups, startPrice: reference.price, reference, block, history, traded }
}

/** The price of the unchanged pool as a reference. */
function referenceOf({ sqrtPriceX96 }: RecordedPool, orientation: Orientation): Reference {
  return { sqrtPriceX96, price: clmmMidPrice(sqrtPriceX96, orientation) }
}

/** Lets every arm observe and act, on the current market. */
function lookAll(course: Course, block: number, timestamp: number | null): void {
  course.block = block
  for (const group of course.groups) group.look(block, timestamp)
}

/** Advances the measures of all groups to a moment. */
function passTime({ groups, reference }: Course, timestamp: number): void {
  for (const group of groups) group.passTime(timestamp, reference.price)
}

/** Takes a sample between events, then lets arms observe. */
function sampleAndLook(course: Course): (at: number) => void {
  return (at) => {
    passTime(course, at)
    takeSample(course, at)
    lookAll(course, course.block, at)
  }
}

/** Takes a sample of every run at one moment. */
function takeSample({ groups, reference, history, block }: Course, at: number): void {
  const { price } = reference
  const priceX18 = `${quoteValue(10n ** 18n, price)}`
  const moment = { at, block, price, priceX18, historyTick: history.tick }
  for (const group of groups) group.sample(moment)
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
    endPrice: course?.reference.price ?? null,
    endSqrtPriceX96: course?.reference.sqrtPriceX96 ?? null,
    endMarket: course === null ? null : quotesOf(study, course.history),
    capital: study.capital,
    arms: abstains ? [] : describeArms(study, course),
  })
}

/** Depth and slippage of the unchanged pool as history left it; null without liquidity in range. */
function quotesOf({ orientation, bandsPips, measures }: ReplayStudy, history: RecordedPool) {
  if (history.liquidity === 0n) return null
  const end = history.final()
  return {
    depth: depthLadder(end, orientation, bandsPips),
    slippage: slippageTable(end, orientation, measures?.tradeSizesQuote ?? []),
  }
}

function describeArms(study: ReplayStudy, { groups, reference, traded }: Course) {
  const described = groups
    .flatMap((group) => group.finish({ price: reference.price, traded }))
    .map((run) => ({ key: run.key, result: describeRun(run) }))
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
    throw new RangeError('a study requires 1 to 8 candidates with unique IDs')
  }
  if (study.benchmarks === true && benchmarkArmIds.some((id) => ids.has(id))) {
    throw new RangeError('a candidate must not have the ID of a benchmark')
  }
  if (study.flowModels?.length === 0)
    throw new RangeError('a study requires at least one flow model')
  if (!Number.isInteger(study.sampleSeconds) || study.sampleSeconds < 1) {
    throw new RangeError(`samples every ${study.sampleSeconds} s; expected a positive integer`)
  }
  const { base, quote } = study.capital
  if (base < 0n || quote < 0n || base + quote === 0n) {
    throw new RangeError('a study requires positive capital')
  }
}
