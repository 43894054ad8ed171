import { type Client, createClient, each } from '@liquidity-os/client'
import { letSilencePass } from '../../apps/server/test/support/silence.ts'
import type { AnswerLog } from './answer-log.ts'
import type { Clients } from './clients.ts'
import { type Clock, messageOf, within } from './clock.ts'
import type { Fleet } from './fleet.ts'
import type { History, Replay, Settled, SettledJob } from './history.ts'
import type { Limits } from './limits.ts'
import { observedFetch } from './observed-fetch.ts'
import type { Receiver } from './receiver.ts'

const pollMilliseconds = 250
/** The event of the subscription is a leaf of the proof log, and is not delivered to the subscription. */
const eventsOfSubscription = 1
const finalStatuses: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED']

export interface Rest {
  readonly settled: Settled
  /** From the last request until each had come to rest; not a number if it did not. */
  readonly seconds: { jobs: number; deliveries: number; leaves: number }
}

/** Everything that the checks use. */
export interface Stage {
  readonly fleet: Pick<Fleet, 'owner' | 'verify' | 'administratorUrl'>
  readonly clients: Clients
  readonly receiver: Receiver
  readonly subscription: string
  readonly answers: AnswerLog
  readonly clock: Clock
  readonly limits: Limits
}

/**
 * Waits until jobs, deliveries and the proof log have come to rest, then reads the state of the service. Every wait has a limit,
 * and a check that fails becomes a fault of the result, so that the other checks still run.
 *
 * @param isPatient true to wait until dead processes are taken for dead (up to 90 s); otherwise their leases end at once
 */
export function settle(stage: Stage, history: History, isPatient: boolean): Promise<Rest> {
  return new Settling(stage).run(history, isPatient)
}

class Settling {
  readonly #stage: Stage
  readonly #client: Client
  readonly #faults: string[] = []

  constructor(stage: Stage) {
    this.#stage = stage
    const { fleet, answers, clock, limits } = stage
    this.#client = createClient({ ...fleet.owner, fetch: observedFetch(answers, clock, limits) })
  }

  async run(history: History, isPatient: boolean): Promise<Rest> {
    const { fleet, receiver } = this.#stage
    const { administratorUrl } = fleet
    if (!isPatient && administratorUrl) {
      await this.#attempt('ending the leases of dead processes', () =>
        letSilencePass(administratorUrl),
      )
    }
    const seconds = await this.#untilRest()
    const records = await this.#attempt('listing the venues', () => this.#venues())
    const studies = await this.#attempt('listing the studies', () => this.#studies())
    const replays = await this.#replays(history)
    const jobs = await this.#attempt('listing the jobs', () => this.#jobs())
    const events = await this.#attempt('listing the events', () => this.#events())
    if (events) {
      const faults = await this.#attempt('reading the proof log', () => this.#unlogged(events))
      this.#faults.push(...(faults ?? []))
    }
    await this.#verify('verify-history')
    await this.#verify('verify-log')
    if (receiver.forged() > 0) {
      this.#faults.push(`${receiver.forged()} messages had no valid signature`)
    }
    const delivered = [...receiver.received]
    return {
      seconds,
      settled: { records, studies, replays, delivered, jobs, events, faults: this.#faults },
    }
  }

  /** The result, or null after it noted the error. */
  async #attempt<T>(what: string, step: () => Promise<T>): Promise<T | null> {
    try {
      return await step()
    } catch (error) {
      this.#faults.push(`${what} failed: ${messageOf(error)}`)
      return null
    }
  }

  async #untilRest(): Promise<Rest['seconds']> {
    const { clock, limits, receiver } = this.#stage
    const seconds = { jobs: Number.NaN, deliveries: Number.NaN, leaves: Number.NaN }
    // In this order and in one round: the end of a job writes events, which are delivered and logged after that.
    const checks: (readonly [keyof Rest['seconds'], () => Promise<boolean>])[] = [
      ['jobs', async () => (await this.#jobs()).every(hasEnded)],
      ['deliveries', async () => isDelivered(receiver, await this.#events())],
      ['leaves', async () => (await this.#unlogged(await this.#events())).length === 0],
    ]
    const broken = new Set<string>()
    const begun = clock.now()
    for (;;) {
      let isAtRest = true
      for (const [what, holds] of checks.filter(([name]) => !broken.has(name))) {
        const isHolding = await this.#attempt(`waiting for the ${what}`, holds)
        // A check that cannot be read would only repeat its failure.
        if (isHolding === null) broken.add(what)
        if (!isHolding) seconds[what] = Number.NaN
        else if (Number.isNaN(seconds[what])) seconds[what] = (clock.now() - begun) / 1000
        isAtRest &&= isHolding !== false
      }
      if (isAtRest) return seconds
      if (clock.now() - begun >= limits.rest) break
      await clock.sleep(pollMilliseconds)
    }
    for (const [what] of checks.filter(([name]) => !broken.has(name))) {
      if (!Number.isNaN(seconds[what])) continue
      this.#faults.push(`the ${what} did not come to rest within ${limits.rest / 1000} s`)
    }
    return seconds
  }

  /** Sends every acknowledged key again, for a limited time. */
  async #replays({ acknowledged }: History): Promise<Replay[]> {
    const { clients, clock, limits } = this.#stage
    const deadline = clock.now() + limits.replays
    const replays: Replay[] = []
    for (const one of acknowledged) {
      if (clock.now() > deadline) {
        this.#faults.push(`sending the keys again took more than ${limits.replays / 1000} s`)
        break
      }
      replays.push(await clients.sendAgain(one))
    }
    return replays
  }

  async #verify(command: 'verify-history' | 'verify-log'): Promise<void> {
    const { fleet, clock, limits } = this.#stage
    const faults = await this.#attempt(command, () =>
      within(clock, command, limits.command, fleet.verify(command)),
    )
    this.#faults.push(...(faults ?? []).map((fault) => `${command}: ${fault}`))
  }

  async #venues(): Promise<string[]> {
    const records: string[] = []
    for await (const venue of each(this.#client.listVenues, { query: { limit: 100 } })) {
      records.push(JSON.stringify(venue))
    }
    return records
  }

  async #studies(): Promise<string[]> {
    const ids: string[] = []
    for await (const { id } of each(this.#client.listStudies, { query: { limit: 100 } })) {
      ids.push(id)
    }
    return ids
  }

  async #jobs(): Promise<SettledJob[]> {
    const jobs: SettledJob[] = []
    const query = { limit: 100 }
    for await (const job of each(this.#client.listOperatingSystemJobs, { query })) {
      jobs.push({ id: job.id, kind: job.kind, status: job.status })
    }
    return jobs
  }

  /** `subject sequence` of every event but those of the subscription, in their order. */
  async #events(): Promise<string[]> {
    const events: string[] = []
    for (let after: string | undefined; ; ) {
      const query = { limit: 500, ...(after ? { after } : {}) }
      const { data } = (await this.#client.listEvents({ query })).body
      const others = data.events.filter(({ subject }) => subject.id !== this.#stage.subscription)
      events.push(...others.map(({ subject, sequence }) => `${subject.id} ${sequence}`))
      if (!data.hasMore || !data.nextCursor) return events
      after = data.nextCursor
    }
  }

  async #unlogged(events: readonly string[]): Promise<string[]> {
    const leaves = (await this.#client.getOperatingSystemStatus()).body.data.proofLog?.treeSize
    const expected = events.length + eventsOfSubscription
    return leaves === expected ? [] : [`the proof log has ${leaves} leaves of ${expected} events`]
  }
}

const hasEnded = ({ status }: SettledJob) => finalStatuses.includes(status)

function isDelivered({ received }: Receiver, events: readonly string[]): boolean {
  const known = new Set(received)
  return events.every((event) => known.has(event))
}
