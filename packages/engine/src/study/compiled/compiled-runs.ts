import { clmmMidPrice } from '../../amm/v3/market.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import { areQuotesHeld, askedQuotes } from '../../montecarlo/compiled/sample-layout.ts'
import type { ClmmEvent } from '../../replay/events.ts'
import type { WindowWatch } from '../../replay/tick-coverage.ts'
import type { Reference } from '../outside-prices.ts'
import { ReadableRuns } from '../readable-runs.ts'
import type { EndedRun, RecordingEnd, RunGroup } from '../run-group.ts'
import type { Moment } from '../run-record.ts'
import type { StudyRuns } from '../study-runs.ts'
import { CompiledRun, type RunSetting } from './compiled-run.ts'
import { PositionNumbers, Tape } from './tape.ts'

/** Maximum samples of a tape. */
const TAPE_SAMPLES = 128

/**
 * The runs of a study in WebAssembly. The TypeScript engine takes the others: strategies, and runs
 * whose numbers do not fit the fixed fields.
 *
 * @param known receives the current ticks of the pools
 */
export function openCompiledRuns(runs: StudyRuns, known: WindowWatch): readonly RunGroup[] {
  const { opened, place } = runs
  const setting = settingOf(runs)
  const compiled = opened.map((one) => (setting === null ? null : CompiledRun.open(one, setting)))
  const left = opened.filter((_, index) => compiled[index] === null)
  const taken = compiled.filter((run) => run !== null)
  return [
    ...(setting === null || taken.length === 0
      ? []
      : [new CompiledRuns(taken, runs, setting, known)]),
    ...(left.length === 0 ? [] : [new ReadableRuns(left, place.timestamp ?? 0, known)]),
  ]
}

/** @returns null for a study whose samples the module does not support */
function settingOf({ study, start, place }: StudyRuns): RunSetting | null {
  const { measures, capital, orientation } = study
  const { tradeSizesQuote = [], failure = [] } = measures ?? {}
  if (!areQuotesHeld(tradeSizesQuote, failure)) return null
  return {
    sqrtPriceX96: start.sqrtPriceX96,
    startPrice: clmmMidPrice(start.sqrtPriceX96, orientation),
    capital,
    startTime: place.timestamp,
    numbers: new PositionNumbers(),
    shape: askedQuotes(tradeSizesQuote, failure),
    samples: TAPE_SAMPLES,
  }
}

/** Runs in WebAssembly. Events are written to one tape; when it is full, every run processes it. */
class CompiledRuns implements RunGroup {
  readonly #runs: readonly CompiledRun[]
  readonly #tape: Tape
  readonly #known: WindowWatch
  /**
   * Moments of the samples on the tape, with the block of the last change of the reference price.
   */
  readonly #moments: { readonly moment: Moment; readonly block: number }[] = []
  #isVoid = false
  #block: number
  #price: Rat | null = null
  #now: number
  #lastTime: number | null
  #seconds = 0

  constructor(
    runs: readonly CompiledRun[],
    { study, place }: StudyRuns,
    { numbers }: RunSetting,
    known: WindowWatch,
  ) {
    const { positions = 'COMPLETE', references } = study
    this.#runs = runs
    this.#tape = new Tape(numbers, positions, references !== undefined)
    this.#known = known
    this.#block = place.block
    this.#now = place.timestamp ?? 0
    this.#lastTime = place.timestamp
  }

  passTime(timestamp: number): void {
    this.#tape.passTo(timestamp)
    this.#now = timestamp
  }

  sample(moment: Moment): void {
    this.#tape.sample()
    this.#moments.push({ moment, block: this.#block })
    if (this.#tape.isFull || this.#moments.length === TAPE_SAMPLES) this.#play()
  }

  look(_block: number, timestamp: number | null): void {
    if (timestamp !== null) this.#tape.look()
  }

  apply(event: ClmmEvent, reference: Reference): void {
    if (this.#isVoid) return
    const { timestamp } = event
    if (timestamp !== null) {
      this.#seconds += this.#lastTime === null ? 0 : timestamp - this.#lastTime
      this.#lastTime = timestamp
    }
    if (reference.price !== this.#price) {
      this.#price = reference.price
      this.#block = event.block
    }
    if (!this.#tape.add(event, reference)) this.#isVoid = true
    if (this.#tape.isFull) this.#play()
  }

  settle(): boolean {
    this.#play()
    return !this.#isVoid && this.#runs.every((run) => run.settle(this.#known))
  }

  finish(end: RecordingEnd): readonly EndedRun[] {
    const all = { ...end, seconds: this.#seconds, now: this.#now, block: this.#block }
    return this.#runs.map((run) => run.finish(all))
  }

  /** Lets every run process the tape, and stores its samples. */
  #play(): void {
    for (const run of this.#runs) {
      this.#isVoid ||= !run.run(this.#tape)
      if (this.#isVoid) break
      for (const [index, { moment, block }] of this.#moments.entries()) {
        run.keepSample(index, moment, block)
      }
    }
    this.#tape.clear()
    this.#moments.length = 0
  }
}
