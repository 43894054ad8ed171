import { createClient } from '@liquidity-os/client'
import { webhookBody } from '../../apps/server/test/support/bodies.ts'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { AnswerLog, FaultTimes } from './answer-log.ts'
import { Clients } from './clients.ts'
import { type Clock, machineClock, messageOf, within } from './clock.ts'
import { type Fault, inTurn } from './faults.ts'
import { type DatabaseKind, type Fleet, startFleet } from './fleet.ts'
import { type History, violationsOf } from './history.ts'
import { aborted } from './interruption.ts'
import { type Limits, limits as usual } from './limits.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Rest, settle } from './settle.ts'

export interface Settings {
  readonly database: DatabaseKind
  readonly seconds: number
  readonly clients: number
  readonly seed: number
  /** True to wait until dead processes are taken for dead. */
  readonly isPatient: boolean
  /** Names of the faults; empty for all. */
  readonly only: readonly string[]
}

/** The surroundings of a run; tests replace them. */
export interface Parts {
  readonly clock: Clock
  readonly limits: Limits
  readonly hasStudies: boolean
  /** Ends the run early; the report says why. */
  readonly signal: AbortSignal
  readonly startFleet: typeof startFleet
  /** Gives the faults in their order, without an end. */
  readonly faults: typeof inTurn
  /** Runs after the load and before the checks. */
  readonly beforeChecks: (fleet: Fleet, history: History) => Promise<void>
}

/** A fault and its recovery. */
export interface Survived {
  readonly name: string
  /** From when it began to be mended until every node had acknowledged a change that was sent since. */
  readonly recoveryMilliseconds: number
}

export interface Report {
  readonly settings: Settings
  /** How long clients worked. */
  readonly seconds: number
  readonly history: History
  /** Null if the run ended before its checks did. */
  readonly checked: Rest | null
  readonly reads: number
  /** Attempts that failed, by reason. */
  readonly failures: ReadonlyMap<string, number>
  /** Answers by phase and status. */
  readonly answers: ReadonlyMap<string, number>
  readonly survived: readonly Survived[]
  readonly violations: readonly string[]
}

const usualParts: Parts = {
  clock: machineClock,
  limits: usual,
  hasStudies: true,
  signal: new AbortController().signal,
  startFleet,
  faults: inTurn,
  beforeChecks: async () => {},
}

/**
 * Lets clients work while things break, then compares their answers with the state of the service. It never fails: an error ends
 * the run, and is a violation of its report.
 */
export function runChaos(settings: Settings, parts: Partial<Parts> = {}): Promise<Report> {
  return new ChaosRun(settings, { ...usualParts, ...parts }).run()
}

/** 1 if a run found a violation or did not complete its checks. */
export const exitCodeOf = ({ violations }: Pick<Report, 'violations'>): 0 | 1 =>
  violations.length > 0 ? 1 : 0

/** Subscribes the receiver to every event from here on; the event of the subscription itself is not delivered. */
export async function subscribe(
  { owner }: Pick<Fleet, 'owner'>,
  receiver: Receiver,
): Promise<string> {
  const { body } = await createClient({ ...owner, fetch }).createWebhooks({
    body: webhookBody(`http://${receiver.host}/`),
  })
  receiver.learn(body.data.secret)
  return body.data.webhook.id
}

const noHistory: History = { acknowledged: [], surprises: [] }

class ChaosRun {
  readonly #settings: Settings
  readonly #parts: Parts
  readonly #faultTimes: FaultTimes
  readonly #answers: AnswerLog
  readonly #survived: Survived[] = []
  /** Errors of the run itself, in words. */
  readonly #errors: string[] = []
  readonly #release = new AsyncDisposableStack()
  #clients: Clients | null = null
  #begunAt = 0
  #seconds = 0
  #checked: Rest | null = null

  constructor(settings: Settings, parts: Parts) {
    this.#settings = settings
    this.#parts = parts
    this.#faultTimes = new FaultTimes(parts.limits.grace)
    this.#answers = new AnswerLog(this.#faultTimes)
  }

  async run(): Promise<Report> {
    const { clock, limits, signal } = this.#parts
    try {
      await Promise.race([this.#breakAndCheck(), aborted(signal)])
    } catch (error) {
      this.#errors.push(`the run ended before its checks did: ${messageOf(error)}`)
    }
    this.#clients?.end()
    const report = this.#report()
    try {
      await within(clock, 'stopping the fleet', limits.stop, this.#release.disposeAsync())
    } catch (error) {
      // Nothing of the service is judged here, but the operator must know that processes may be left.
      return { ...report, violations: [...report.violations, messageOf(error)] }
    }
    return report
  }

  async #breakAndCheck(): Promise<void> {
    const { clock, limits, hasStudies, beforeChecks } = this.#parts
    const { receiver, fleet, subscription } = await this.#start()
    const clients = new Clients(
      fleet.owner,
      fleet.nodes.map(({ baseUrl }) => baseUrl),
      this.#answers,
      { clock, limits },
    )
    this.#clients = clients
    this.#begunAt = clock.now()
    clients.start(this.#settings.clients, this.#settings.seed, hasStudies)
    await this.#breakThings(fleet, clients)
    const history = await within(
      clock,
      'the last requests',
      limits.answer + limits.check,
      clients.stop(),
    )
    this.#seconds = (clock.now() - this.#begunAt) / 1000
    await beforeChecks(fleet, history)
    const stage = { fleet, clients, receiver, subscription, answers: this.#answers, clock, limits }
    this.#checked = await settle(stage, history, this.#settings.isPatient)
  }

  async #start() {
    const { clock, limits } = this.#parts
    const receiver = this.#release.adopt(await startReceiver(), (one) => one.close())
    const starting = this.#parts.startFleet(this.#settings.database, receiver.host)
    // Also if the run ends while the fleet starts: then it is stopped once it has started.
    this.#release.defer(async () => (await starting.catch(() => null))?.stop())
    const fleet = await within(clock, 'the start of the fleet', limits.start, starting)
    const subscribing = subscribe(fleet, receiver)
    const subscription = await within(clock, 'the subscription', limits.check, subscribing)
    return { receiver, fleet, subscription }
  }

  async #breakThings(fleet: Fleet, clients: Clients): Promise<void> {
    const { clock, limits, faults } = this.#parts
    const { database, seed, seconds, only } = this.#settings
    const random = mulberry32(seed)
    for (const fault of faults(database, only, random)) {
      await clock.sleep(limits.calm)
      const recovery = await this.#survive(fault, fleet, clients, random)
      if (recovery === null) return
      this.#survived.push({ name: fault.name, recoveryMilliseconds: recovery })
      if (clock.now() - this.#begunAt >= seconds * 1000) return
    }
  }

  /** Milliseconds from when the fault began to be mended to the recovery; null if it did not recover. */
  async #survive(
    fault: Fault,
    fleet: Fleet,
    clients: Clients,
    random: () => number,
  ): Promise<number | null> {
    const { clock, limits } = this.#parts
    const [min, max] = fault.lasts
    this.#faultTimes.begin(clock.now())
    try {
      const striking = fault.strike(fleet, random)
      const mend = await within(clock, `causing ${fault.name}`, limits.recovery, striking)
      await clock.sleep(min + random() * (max - min))
      const since = clock.now()
      const answered = clients.everyNodeAnswers()
      const recovered = mend().then(() => answered)
      await within(clock, `the recovery from ${fault.name}`, limits.recovery, recovered)
      return clock.now() - since
    } catch (error) {
      this.#errors.push(messageOf(error))
      return null
    } finally {
      this.#faultTimes.end(clock.now())
    }
  }

  #report(): Report {
    const clients = this.#clients
    const history = clients?.history ?? noHistory
    const worked = clients ? (this.#parts.clock.now() - this.#begunAt) / 1000 : 0
    return {
      settings: this.#settings,
      seconds: this.#seconds || worked,
      history,
      checked: this.#checked,
      reads: clients?.reads ?? 0,
      failures: clients?.failures ?? new Map(),
      answers: this.#answers.counts,
      survived: this.#survived,
      violations: [
        ...this.#errors,
        ...this.#answers.violations,
        ...(this.#checked
          ? violationsOf(history, this.#checked.settled)
          : // The state was not read, so only the answers under load can be judged.
            history.surprises),
      ],
    }
  }
}
