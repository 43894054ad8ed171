import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, each } from '@liquidity-os/client'
import { run } from '../../apps/server/test/support/processes.ts'
import { letSilencePass } from '../../apps/server/test/support/silence.ts'
import type { Clients } from './clients.ts'
import type { Fleet } from './fleet.ts'
import type { History, Settled } from './history.ts'
import type { Receiver } from './receiver.ts'

const patienceMilliseconds = 300_000
const pollMilliseconds = 250
/** Its own event is a leaf of the proof log, and not delivered to itself. */
const ofSubscription = 1
const finalStatuses: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED']

/** Everything that came to an end after the last request, and how long that took. */
export interface Rest {
  readonly settled: Settled
  /** After the last request, until each had come to rest; not a number where it did not. */
  readonly seconds: { jobs: number; deliveries: number; leaves: number }
}

/** What is asked when it has come to rest. */
export interface Stage {
  readonly fleet: Pick<Fleet, 'owner' | 'environment' | 'administratorUrl'>
  readonly clients: Clients
  readonly receiver: Receiver
  readonly subscription: string
}

/**
 * Waits until deliveries, jobs and the proof log have come to rest, then reads what is there. What does not come to rest in five
 * minutes is read as it is, and is a violation.
 *
 * @param isPatient whether to wait until those who died are taken for dead (up to 90 s); else that time passes at once
 */
export async function settle(stage: Stage, history: History, isPatient: boolean): Promise<Rest> {
  const { fleet, clients, receiver, subscription } = stage
  const begun = performance.now()
  const client = createClient({ ...fleet.owner, fetch })
  if (!isPatient && fleet.administratorUrl) await letSilencePass(fleet.administratorUrl)
  const events = () => eventsOf(client, subscription)
  const checks: readonly (readonly [keyof Rest['seconds'], () => Promise<boolean>])[] = [
    ['jobs', async () => (await jobsOf(client)).every(hasEnded)],
    ['deliveries', async () => isTold(receiver, await events())],
    ['leaves', async () => (await unlogged(client, await events())).length === 0],
  ]
  const seconds = { jobs: Number.NaN, deliveries: Number.NaN, leaves: Number.NaN }
  const elapsed = () => performance.now() - begun
  for (let isAtRest = false; !isAtRest && elapsed() < patienceMilliseconds; ) {
    isAtRest = true
    // In this order, and all of it in one round: what a job writes when it ends is told and signed after that.
    for (const [what, holds] of checks) {
      const isHolding = await holds()
      if (!isHolding) seconds[what] = Number.NaN
      else if (Number.isNaN(seconds[what])) seconds[what] = elapsed() / 1000
      isAtRest &&= isHolding
    }
    if (!isAtRest) await sleep(pollMilliseconds)
  }
  const records: string[] = []
  for await (const venue of each(client.listVenues, { query: { limit: 100 } })) {
    records.push(JSON.stringify(venue))
  }
  const replays: Settled['replays'][number][] = []
  for (const one of history.acknowledged) replays.push(await clients.askAgain(one))
  return {
    seconds,
    settled: {
      ...{ records, replays, delivered: receiver.told, jobs: await jobsOf(client) },
      events: await events(),
      faults: [
        ...(await faultsOf('verify-history', fleet)),
        ...(await faultsOf('verify-log', fleet)),
        ...(await unlogged(client, await events())),
        ...(receiver.forged() > 0 ? [`${receiver.forged()} messages were not signed`] : []),
      ],
    },
  }
}

const hasEnded = ({ status }: { status: string }) => finalStatuses.includes(status)

function isTold({ told }: Receiver, events: readonly string[]): boolean {
  const known = new Set(told)
  return events.every((event) => known.has(event))
}

const leavesOf = async (client: Client) =>
  (await client.getOperatingSystemStatus()).body.data.proofLog?.treeSize

async function unlogged(client: Client, events: readonly string[]): Promise<string[]> {
  const leaves = await leavesOf(client)
  const expected = events.length + ofSubscription
  return leaves === expected ? [] : [`the proof log has ${leaves} leaves of ${expected} events`]
}

/** `subject sequence` of every event but those of one subject, in their order. */
async function eventsOf(client: Client, without: string): Promise<string[]> {
  const events: string[] = []
  for (let after: string | undefined; ; ) {
    const query = { limit: 500, ...(after ? { after } : {}) }
    const { data } = (await client.listEvents({ query })).body
    const others = data.events.filter(({ subject }) => subject.id !== without)
    events.push(...others.map(({ subject, sequence }) => `${subject.id} ${sequence}`))
    if (!data.hasMore || !data.nextCursor) return events
    after = data.nextCursor
  }
}

async function jobsOf(client: Client): Promise<{ id: string; status: string }[]> {
  const jobs = []
  for await (const { id, status } of each(client.listOperatingSystemJobs, {
    query: { limit: 100 },
  })) {
    jobs.push({ id, status })
  }
  return jobs
}

/** What a command of the operator finds, in words. */
async function faultsOf(command: string, { environment }: Stage['fleet']): Promise<string[]> {
  const { status, stdout, stderr } = await run([command, '--json'], environment)
  const found = stdout.startsWith('{') ? (JSON.parse(stdout).faults as object[]) : []
  if (status === 0 && found.length === 0) return []
  return found.length > 0
    ? found.map((fault) => `${command}: ${JSON.stringify(fault)}`)
    : [`${command} ended with ${status}: ${stderr}`]
}
