import type { LooseRequest } from '@liquidity-os/client'
import { extensionOperations, type Operation, operations } from '@liquidity-os/contract'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { type Clock, machineClock, messageOf, within } from '../chaos/clock.ts'
import { aborted } from '../chaos/interruption.ts'
import { ask, type Outcome } from './ask.ts'
import { type Asker, Askers } from './askers.ts'
import { type Draft, draw, drawSound, exampleOf, requestOf, type Sight } from './draft.ts'
import { type Finding, Findings } from './findings.ts'
import { type Answer, type Fault, faultsOf, replayFaults } from './judge.ts'
import { type Limits, limits as usual } from './limits.ts'
import { pick } from './mutate.ts'
import { type Stage, startStage, type VerifiedHistory } from './stage.ts'

/** Share of requests that repeat the key of an earlier one. */
const repeats = 0.04
/** Changes whose keys can be repeated. */
const maxRemembered = 200
const maxAnswerQuoted = 300
const progressMilliseconds = 5_000

export interface Settings {
  readonly requests: number
  readonly seed: number
  /** Scenes to set up, each in an organization of its own. */
  readonly scenes: number
  /** Ids of operations; empty for all. */
  readonly only: readonly string[]
}

/** The surroundings of a run; tests replace them. */
export interface Parts {
  readonly clock: Clock
  readonly limits: Limits
  /** Ends the run early; the report says why. */
  readonly signal: AbortSignal
  readonly startStage: typeof startStage
  /** Every operation of the service. */
  readonly operations: readonly Operation[]
  /** Gets a line and the report so far every few seconds. */
  readonly progress: (line: string, report: Report) => void
  /** Gets every request before it is sent. */
  readonly noteRequest: (operation: Operation, request: LooseRequest) => void
}

export interface Report {
  readonly settings: Settings
  readonly seconds: number
  /** Answers by operation and status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly slowest: { readonly operation: string; readonly milliseconds: number }
  /** Requests that were sent before the first one was drawn. */
  readonly prepared: number
  /** Requests that were drawn or repeated. */
  readonly sent: number
  readonly replays: number
  readonly findings: readonly Finding[]
  /** Operations that were asked no more because they gave no answer. */
  readonly leftOut: readonly string[]
  /** The history after all requests, with the links that they broke; null if it was not verified. */
  readonly history: VerifiedHistory | null
  /** Errors of the run itself, in words. */
  readonly errors: readonly string[]
}

interface Remembered {
  readonly asker: Asker
  readonly operation: Operation
  readonly request: LooseRequest
  readonly answer: Answer
}

const usualParts: Parts = {
  clock: machineClock,
  limits: usual,
  signal: new AbortController().signal,
  startStage,
  operations: [...operations, ...extensionOperations],
  progress: () => {},
  noteRequest: () => {},
}

/**
 * Sends requests that follow from the contract and a seed, and judges the answers. It never fails: an error ends the run, and the
 * report names it.
 */
export function runFuzz(settings: Settings, parts: Partial<Parts> = {}): Promise<Report> {
  return new FuzzRun(settings, { ...usualParts, ...parts }).run()
}

/** 1 if the service gave a wrong answer or none, if its history is broken, or if the run did not complete. */
export const exitCodeOf = ({
  findings,
  errors,
  history,
}: Pick<Report, 'findings' | 'errors' | 'history'>): 0 | 1 =>
  findings.length + errors.length + (history?.faults.length ?? 1) > 0 ? 1 : 0

class FuzzRun {
  readonly #settings: Settings
  readonly #parts: Parts
  readonly #random: () => number
  readonly #findings = new Findings()
  readonly #statuses = new Map<string, Map<number, number>>()
  readonly #unanswered = new Map<string, number>()
  readonly #errors: string[] = []
  readonly #release = new AsyncDisposableStack()
  readonly #begunAt: number
  #answered: Remembered[] = []
  #history: VerifiedHistory | null = null
  #slowest = { operation: 'none', milliseconds: 0 }
  #prepared = 0
  #replays = 0
  #number = 0
  #progressAt = 0
  #hasEnded = false

  constructor(settings: Settings, parts: Parts) {
    this.#settings = settings
    this.#parts = parts
    this.#random = mulberry32(settings.seed)
    this.#begunAt = parts.clock.now()
  }

  async run(): Promise<Report> {
    const { clock, limits, signal } = this.#parts
    try {
      await Promise.race([this.#askAndVerify(), aborted(signal)])
    } catch (error) {
      this.#errors.push(`the run ended early: ${messageOf(error)}`)
    }
    this.#hasEnded = true
    const report = this.#report()
    try {
      await within(clock, 'stopping the service', limits.stop, this.#release.disposeAsync())
    } catch (error) {
      return { ...report, errors: [...report.errors, messageOf(error)] }
    }
    return report
  }

  async #askAndVerify(): Promise<void> {
    const { clock, limits } = this.#parts
    const starting = this.#parts.startStage(this.#settings.scenes > 0)
    // Also if the run ends while the service starts: then it is stopped once it has started.
    this.#release.defer(async () => (await starting.catch(() => null))?.stop())
    const stage = await within(clock, 'the start of the service', limits.start, starting)
    const askers = new Askers(stage)
    await this.#fill(askers)
    await this.#addScenes(stage, askers)
    const before = await this.#verify(stage)
    await this.#askAll(stage, askers)
    if (this.#hasEnded) return
    const after = await this.#verify(stage)
    // Some scenes write rows that no operation writes; their organizations are not judged.
    const written = new Set(before.faults.map(({ organizationId }) => organizationId))
    const faults = after.faults.filter(({ organizationId }) => !written.has(organizationId))
    this.#history = { ...after, faults }
  }

  #verify(stage: Stage): Promise<VerifiedHistory> {
    const { clock, limits } = this.#parts
    return within(clock, 'verifying the history', limits.history, stage.verifyHistory())
  }

  /** Two organizations with the records that the examples create, twice over. */
  async #fill(askers: Askers): Promise<void> {
    const all = this.#parts.operations
    for (const asker of [await askers.addPlain(), await askers.addPlain()]) {
      for (const operation of [...all, ...all]) {
        if (this.#hasEnded) return
        if (this.#isLeftOut(operation)) continue
        this.#requireAnswers()
        this.#showProgress(`${this.#prepared} requests to prepare`)
        this.#prepared += 1
        const sight = askers.sightOf(asker, this.#random)
        const request = exampleOf(operation, sight)
        const { outcome, faults } = await this.#send(operation, asker, request, sight)
        if (faults.length === 0) this.#learn(askers, asker, outcome)
        for (const fault of faults) {
          const example = exampleFor(null, request, outcome, fault)
          this.#findings.note(operation.id, fault, example)
        }
      }
    }
  }

  async #addScenes(stage: Stage, askers: Askers): Promise<void> {
    const { clock, limits } = this.#parts
    const left = [...stage.scenes]
    for (let count = 0; count < this.#settings.scenes && left.length > 0; count += 1) {
      if (this.#hasEnded) return
      const [scene = ''] = left.splice(Math.floor(this.#random() * left.length), 1)
      this.#showProgress(`setting up the scene of ${scene}`)
      try {
        await within(clock, 'the scene', limits.scene, askers.addStaged(scene))
      } catch (error) {
        this.#errors.push(`setting up the scene of ${scene} failed: ${messageOf(error)}`)
      }
    }
  }

  async #askAll(stage: Stage, askers: Askers): Promise<void> {
    const { only, requests } = this.#settings
    const chosen = this.#parts.operations.filter(({ id }) => only.length === 0 || only.includes(id))
    while (this.#number < requests && !this.#hasEnded) {
      this.#requireAnswers()
      this.#showProgress(`${this.#number} of ${requests} requests`)
      const left = chosen.filter((operation) => !this.#isLeftOut(operation))
      if (left.length === 0) throw new Error('no operation is left that answers')
      const operation = pick(left, this.#random)
      const asker = askers.choose(operation.id, this.#random)
      await this.#step(operation, asker, askers)
      stage.advance(Math.floor(this.#random() * 50))
    }
  }

  async #step(operation: Operation, asker: Asker, askers: Askers): Promise<void> {
    const sight = askers.sightOf(asker, this.#random)
    if (this.#answered.length > 0 && this.#random() < repeats) return this.#repeat()
    const { staged } = asker
    const draft =
      staged?.operation === operation.id
        ? drawSound(operation, staged.sound, sight, this.#random)
        : await draw(operation, sight, this.#random)
    this.#number += 1
    const request = requestOf(draft, `fuzz-${this.#settings.seed}-${this.#number}`)
    const { outcome, faults } = await this.#send(operation, asker, request, sight)
    for (const fault of faults) await this.#note(draft, asker, sight, outcome, fault)
    if (!('answer' in outcome)) return
    const { answer } = outcome
    this.#count(operation, answer)
    if (faults.length > 0) return
    this.#learn(askers, asker, outcome)
    if (!operation.idempotency || answer.status >= 300) return
    this.#answered.push({ asker, operation, request, answer })
    if (this.#answered.length > maxRemembered) this.#answered.shift()
  }

  #count({ id }: Operation, { status, milliseconds }: Answer): void {
    const counts = this.#statuses.get(id) ?? new Map<number, number>()
    this.#statuses.set(id, counts.set(status, (counts.get(status) ?? 0) + 1))
    if (milliseconds > this.#slowest.milliseconds) this.#slowest = { operation: id, milliseconds }
  }

  #learn(askers: Askers, asker: Asker, outcome: Outcome): void {
    if ('answer' in outcome && outcome.answer.status < 300) {
      askers.learn(asker, outcome.answer.text)
    }
  }

  /** Sends a key again: it must return the same bytes. */
  async #repeat(): Promise<void> {
    const { asker, operation, request, answer } = pick(this.#answered, this.#random)
    this.#number += 1
    this.#replays += 1
    const { outcome, faults } = await this.#send(operation, asker, request, noForeign)
    const wrong =
      'answer' in outcome ? [...faults, ...replayFaults(operation, answer, outcome.answer)] : faults
    for (const fault of wrong) {
      const example = exampleFor(this.#number, request, outcome, fault)
      this.#findings.note(operation.id, fault, example)
    }
  }

  async #send(
    operation: Operation,
    { member }: Asker,
    request: LooseRequest,
    sight: Pick<Sight, 'isForeign'>,
  ): Promise<{ outcome: Outcome; faults: readonly Fault[] }> {
    const { limits, noteRequest } = this.#parts
    noteRequest(operation, request)
    const outcome = await ask(member.options, operation, request, limits.answer)
    if ('answer' in outcome) {
      return { outcome, faults: faultsOf(operation, request, outcome.answer, sight) }
    }
    this.#unanswered.set(operation.id, (this.#unanswered.get(operation.id) ?? 0) + 1)
    if (this.#isLeftOut(operation)) {
      this.#answered = this.#answered.filter((one) => one.operation.id !== operation.id)
    }
    return { outcome, faults: [outcome.silence] }
  }

  #isLeftOut({ id }: Operation): boolean {
    return (this.#unanswered.get(id) ?? 0) >= this.#parts.limits.maxUnansweredOfOperation
  }

  /** Counts a fault. A new one is first shown with fewer changes, as long as the same fault remains. */
  async #note(
    found: Draft,
    asker: Asker,
    sight: Sight,
    first: Outcome,
    fault: Fault,
  ): Promise<void> {
    const { operation } = found
    const number = this.#number
    const key = `fuzz-${this.#settings.seed}-${number}`
    let [draft, outcome, shown] = [found, first, fault]
    for (let index = 0; index < draft.mutations.length; ) {
      if (this.#findings.has(operation.id, fault) || this.#isLeftOut(operation)) break
      const smaller = { ...draft, mutations: draft.mutations.toSpliced(index, 1) }
      const request = requestOf(smaller, `${key}-smaller-${draft.mutations.length}-${index}`)
      const again = await this.#send(operation, asker, request, sight)
      const same = again.faults.find(({ kind }) => kind === fault.kind)
      if (same) [draft, outcome, shown] = [smaller, again.outcome, same]
      else index += 1
    }
    const example = exampleFor(number, requestOf(draft, key), outcome, shown)
    this.#findings.note(operation.id, fault, example)
  }

  /** @throws Error if the service seems to have stopped */
  #requireAnswers(): void {
    const unanswered = [...this.#unanswered.values()].reduce((sum, one) => sum + one, 0)
    if (unanswered < this.#parts.limits.maxUnanswered) return
    throw new Error(`${unanswered} requests got no answer`)
  }

  #showProgress(what: string): void {
    const { clock, progress } = this.#parts
    const now = clock.now()
    if (now - this.#progressAt < progressMilliseconds) return
    this.#progressAt = now
    progress(`fuzz: ${what}, ${this.#findings.all.length} kinds of findings`, this.#report())
  }

  #report(): Report {
    const { limits, clock } = this.#parts
    const silent = [...this.#unanswered].filter(
      ([, times]) => times >= limits.maxUnansweredOfOperation,
    )
    return {
      settings: this.#settings,
      seconds: (clock.now() - this.#begunAt) / 1000,
      statuses: this.#statuses,
      slowest: this.#slowest,
      prepared: this.#prepared,
      sent: this.#number,
      replays: this.#replays,
      findings: this.#findings.all,
      leftOut: silent.map(([operation]) => operation),
      history: this.#history,
      errors: this.#errors,
    }
  }
}

/** An answer to a repeated key holds what the first answer held, which was judged. */
const noForeign = { isForeign: () => false }

function exampleFor(
  number: number | null,
  request: LooseRequest,
  outcome: Outcome,
  { detail }: Fault,
) {
  const answer = 'answer' in outcome ? outcome.answer.text.slice(0, maxAnswerQuoted) : ''
  return { number, request, answer, detail }
}
