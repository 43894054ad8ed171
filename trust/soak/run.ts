import { setTimeout as sleep } from 'node:timers/promises'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { AnswerLog, FaultTimes } from '../chaos/answer-log.ts'
import { machineClock, messageOf, within } from '../chaos/clock.ts'
import { aborted } from '../chaos/interruption.ts'
import { Load } from './load.ts'
import type { Sample } from './sample.ts'
import { type Stage, startStage } from './stage.ts'

const maxStartMilliseconds = 300_000
const maxStopMilliseconds = 60_000
/** In which the metrics of every process must answer for the first time. */
const maxFirstSampleMilliseconds = 120_000
/** A longer measurement counts as failed. */
const maxSampleMilliseconds = 60_000
const firstSamplePauseMilliseconds = 250

export interface Settings {
  readonly minutes: number
  /** Requests a second. */
  readonly rate: number
  readonly seed: number
  /** Between two measurements. */
  readonly sampleSeconds: number
}

export interface Report {
  readonly settings: Settings
  /** How long the load ran. */
  readonly seconds: number
  readonly samples: readonly Sample[]
  /** Answers by operation, status and error code. */
  readonly statuses: ReadonlyMap<string, number>
  readonly times: readonly number[]
  readonly changes: number
  /** Events that the receiver of the first organization got. */
  readonly delivered: number
  /** Every kind of 5xx, requests without an answer, and errors of the run itself, in words. */
  readonly violations: readonly string[]
}

/** The surroundings of a run; tests replace them. */
export interface Parts {
  readonly startStage: () => Promise<Stage>
  /** Ends the run early; the report says why. */
  readonly signal: AbortSignal
}

const usualParts: Parts = { startStage, signal: new AbortController().signal }

/** Runs a mixed load at a rate and measures the service meanwhile. It never fails: an error is a violation of the report. */
export function runSoak(settings: Settings, parts: Partial<Parts> = {}): Promise<Report> {
  return new SoakRun(settings, { ...usualParts, ...parts }).run()
}

/** 1 if the service failed a request or the run did not complete. */
export const exitCodeOf = ({ violations }: Pick<Report, 'violations'>): 0 | 1 =>
  violations.length > 0 ? 1 : 0

class SoakRun {
  readonly #settings: Settings
  readonly #parts: Parts
  // No fault is injected, so none explains a 5xx.
  readonly #answers = new AnswerLog(new FaultTimes(0))
  readonly #samples: Sample[] = []
  readonly #errors: string[] = []
  readonly #release = new AsyncDisposableStack()
  readonly #ended = new AbortController()
  #stage: Stage | null = null
  #load: Load | null = null
  #begunAt = 0

  constructor(settings: Settings, parts: Parts) {
    this.#settings = settings
    this.#parts = parts
  }

  async run(): Promise<Report> {
    try {
      await Promise.race([this.#loadAndMeasure(), aborted(this.#parts.signal)])
    } catch (error) {
      this.#errors.push(`the run ended early: ${messageOf(error)}`)
    }
    this.#ended.abort()
    const report = this.#report()
    try {
      const stopping = this.#release.disposeAsync()
      await within(machineClock, 'stopping the fleet', maxStopMilliseconds, stopping)
    } catch (error) {
      return { ...report, violations: [...report.violations, messageOf(error)] }
    }
    return report
  }

  async #loadAndMeasure(): Promise<void> {
    const { rate, seed, minutes } = this.#settings
    const starting = this.#parts.startStage()
    // Also if the run ends while the fleet starts: then it is stopped once it has started.
    this.#release.defer(async () => (await starting.catch(() => null))?.stop())
    const stage = await within(
      machineClock,
      'the start of the fleet',
      maxStartMilliseconds,
      starting,
    )
    this.#stage = stage
    const load = new Load(stage.owners, stage.baseUrls, mulberry32(seed), this.#answers)
    this.#load = load
    this.#begunAt = performance.now()
    await this.#takeFirstSample(stage, load)
    this.#begunAt = performance.now()
    await Promise.all([
      this.#measure(stage, load),
      load.run(rate, minutes * 60_000, this.#ended.signal).finally(() => this.#ended.abort()),
    ])
  }

  get #seconds(): number {
    return this.#begunAt === 0 ? 0 : (performance.now() - this.#begunAt) / 1000
  }

  /** The metrics of a process answer a moment after the process does. */
  async #takeFirstSample(stage: Stage, load: Load): Promise<void> {
    for (const begun = performance.now(); ; ) {
      try {
        await stage.takeSample(load, 0)
        return
      } catch (error) {
        if (performance.now() - begun > maxFirstSampleMilliseconds) throw error
        await sleep(firstSamplePauseMilliseconds)
      }
    }
  }

  async #measure(stage: Stage, load: Load): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      await this.#takeSample(stage, load)
      await machineClock.sleep(this.#settings.sampleSeconds * 1000, signal)
    }
    await this.#takeSample(stage, load)
  }

  async #takeSample(stage: Stage, load: Load): Promise<void> {
    const seconds = this.#seconds
    try {
      const taking = stage.takeSample(load, seconds)
      this.#samples.push(
        await within(machineClock, 'the measurement', maxSampleMilliseconds, taking),
      )
    } catch (error) {
      this.#errors.push(`the measurement at ${Math.round(seconds)} s failed: ${messageOf(error)}`)
    }
  }

  #report(): Report {
    const load = this.#load
    return {
      settings: this.#settings,
      seconds: this.#seconds,
      samples: this.#samples,
      statuses: load?.statuses ?? new Map(),
      times: load?.times ?? [],
      changes: load?.changes ?? 0,
      delivered: this.#stage?.countDelivered() ?? 0,
      violations: [...this.#errors, ...this.#answers.violations, ...(load?.errors ?? [])],
    }
  }
}
