import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { machineClock, messageOf, within } from '../chaos/clock.ts'
import { aborted } from '../chaos/interruption.ts'
import { Answers } from './answers.ts'
import { type Limits, limits as usual } from './limits.ts'
import { Load } from './load.ts'
import { findChangedMigrations } from './release-before.ts'
import { type Stage, startStage, type Target } from './stage.ts'

const jobPauseMilliseconds = 1_000
/** Characters at the end of what a node printed. */
const maxPrinted = 2_000

export interface Settings {
  /** Commit of the release before, and of the new one. */
  readonly before: string
  readonly after: string
  readonly seconds: number
  /** Steps a second. */
  readonly rate: number
  readonly seed: number
}

export interface Report {
  readonly settings: Settings
  /** From the first request to the last. */
  readonly seconds: number
  /** The newest migration before and after the upgrade; null if the run did not get there. */
  readonly schemas: { readonly before: string | null; readonly after: string | null }
  readonly requests: number
  readonly changes: number
  /** How often each outcome came, by `node operation status`. */
  readonly answers: ReadonlyMap<string, number>
  /** The end of what each node printed. */
  readonly printed: Readonly<Record<Target['name'], string>>
  readonly violations: readonly string[]
}

/** The surroundings of a run; tests replace them. */
export interface Parts {
  readonly startStage: typeof startStage
  readonly findChangedMigrations: (commit: string) => readonly string[]
  readonly limits: Limits
  /** Ends the run early; the report says why. */
  readonly signal: AbortSignal
  readonly progress: (line: string) => void
}

const usualParts: Parts = {
  startStage,
  findChangedMigrations,
  limits: usual,
  signal: new AbortController().signal,
  progress: () => {},
}

/**
 * Upgrades a service that is used: the release before keeps reading and writing beside the new one. It never fails: an error ends
 * the run, and is a violation of its report.
 */
export function runUpgrade(settings: Settings, parts: Partial<Parts> = {}): Promise<Report> {
  return new UpgradeRun(settings, { ...usualParts, ...parts }).run()
}

/** 1 if anything did not hold or the run did not complete. */
export const exitCodeOf = ({ violations }: Pick<Report, 'violations'>): 0 | 1 =>
  violations.length > 0 ? 1 : 0

class UpgradeRun {
  readonly #settings: Settings
  readonly #parts: Parts
  readonly #answers = new Answers()
  readonly #errors: string[] = []
  readonly #release = new AsyncDisposableStack()
  readonly #ended = new AbortController()
  #stage: Stage | null = null
  #load: Load | null = null
  #schemas: { before: string | null; after: string | null } = { before: null, after: null }
  #begunAt = 0
  #seconds = 0

  constructor(settings: Settings, parts: Parts) {
    this.#settings = settings
    this.#parts = parts
  }

  async run(): Promise<Report> {
    try {
      await Promise.race([this.#upgrade(), aborted(this.#parts.signal)])
    } catch (error) {
      this.#errors.push(`the run ended early: ${messageOf(error)}`)
    }
    this.#ended.abort()
    const report = this.#report()
    this.#parts.progress('stopping the nodes and removing the checkout')
    try {
      const stopping = this.#release.disposeAsync()
      await within(machineClock, 'stopping the nodes', this.#parts.limits.stop, stopping)
    } catch (error) {
      return { ...report, violations: [...report.violations, messageOf(error)] }
    }
    return report
  }

  async #upgrade(): Promise<void> {
    const { limits, progress } = this.#parts
    for (const name of this.#parts.findChangedMigrations(this.#settings.before)) {
      const why = 'A database that has it misses the change.'
      this.#errors.push(`the migration ${name} changed after the release before. ${why}`)
    }
    const stage = await this.#startStage()
    this.#stage = stage
    const { seed, seconds } = this.#settings
    const load = new Load(stage.owner, mulberry32(seed), this.#answers, limits.answer)
    this.#load = load
    this.#schemas.before = await stage.readSchema()
    this.#begunAt = performance.now()

    progress(`the old node works alone on the schema ${this.#schemas.before}`)
    await this.#use([stage.old], limits.before)
    load.isMigrating = true
    await this.#meanwhile(stage, 'the migration', limits.migration, () => stage.migrate())
    load.isMigrating = false
    this.#schemas.after = await stage.readSchema()
    progress(`the schema is ${this.#schemas.after}; the old node goes on, and a new one starts`)
    await this.#use([stage.old], limits.before)
    const added = await this.#meanwhile(stage, 'the start of the new node', limits.start, () =>
      stage.startNew(),
    )
    const both = [stage.old, added]
    progress(`both nodes work for ${seconds} s`)
    await this.#use(both, seconds * 1000)

    progress('the old node stops, and the new one works alone')
    await within(machineClock, 'the end of the old node', limits.end, stage.stopOld())
    await this.#use([added], limits.alone)
    progress('the old node starts again, and both work')
    await within(
      machineClock,
      'the second start of the old node',
      limits.start,
      stage.startOldAgain(),
    )
    await this.#use(both, limits.again)
    await within(machineClock, 'the second end of the old node', limits.end, stage.stopOld())
    await this.#check(stage, load, added)
  }

  #startStage(): Promise<Stage> {
    const { limits, progress, signal } = this.#parts
    const starting = this.#parts.startStage(this.#settings.before, progress, signal)
    // Also if the run ends while the stage starts: then it is stopped once it has started.
    this.#release.defer(async () => (await starting.catch(() => null))?.stop())
    const max = limits.checkout + limits.start
    return within(machineClock, 'the start of the release before', max, starting)
  }

  async #use(nodes: readonly Target[], milliseconds: number): Promise<void> {
    if (!this.#load) throw new Error('The load is not running.')
    await this.#load.run(nodes, this.#settings.rate, milliseconds, this.#ended.signal)
    // A run that has ended early begins nothing further.
    this.#ended.signal.throwIfAborted()
  }

  /** Does some work while the old node is used. */
  async #meanwhile<T>(
    { old }: Stage,
    what: string,
    milliseconds: number,
    work: () => Promise<T>,
  ): Promise<T> {
    const done = new AbortController()
    const signal = AbortSignal.any([done.signal, this.#ended.signal])
    const using = this.#load?.run([old], this.#settings.rate, milliseconds, signal)
    try {
      return await within(machineClock, what, milliseconds, work())
    } finally {
      done.abort()
      await using
    }
  }

  /** Waits for the jobs, then verifies the history and the log with the new code. */
  async #check(stage: Stage, load: Load, node: Target): Promise<void> {
    const { limits, progress } = this.#parts
    progress('waiting for the jobs')
    const waitsUntil = performance.now() + limits.jobs
    for (;;) {
      const failed = await load.findFailedJobs(node)
      for (const what of failed ?? []) this.#answers.blame('a job', what)
      if (failed !== null) break
      if (performance.now() > waitsUntil) {
        this.#errors.push(`the jobs did not end within ${limits.jobs / 1000} s`)
        break
      }
      await machineClock.sleep(jobPauseMilliseconds, this.#ended.signal)
      if (this.#ended.signal.aborted) return
    }
    this.#seconds = this.#secondsSinceBegin()
    for (const command of ['verify-history', 'verify-log'] as const) {
      progress(command)
      const faults = await within(machineClock, command, limits.command, stage.verify(command))
      this.#errors.push(...faults.map((fault) => `${command}: ${fault}`))
    }
  }

  #secondsSinceBegin(): number {
    return this.#begunAt === 0 ? 0 : (performance.now() - this.#begunAt) / 1000
  }

  #report(): Report {
    const printed = this.#stage?.printed() ?? { old: '', new: '' }
    return {
      settings: this.#settings,
      seconds: this.#seconds || this.#secondsSinceBegin(),
      schemas: this.#schemas,
      requests: this.#load?.requests ?? 0,
      changes: this.#load?.changes ?? 0,
      answers: this.#answers.counts,
      printed: { old: endOf(printed.old), new: endOf(printed.new) },
      violations: [...this.#errors, ...this.#answers.violations],
    }
  }
}

/** Without a mail server a node prints its mails, each between two lines of dashes. */
const endOf = (printed: string) =>
  printed.replaceAll(/^-{20,}\n[\s\S]*?^-{20,}\n/gm, '').slice(-maxPrinted)
