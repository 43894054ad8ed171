import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../../apps/server/test/support/ports.ts'
import { LiquidityProcess } from '../../apps/server/test/support/processes.ts'
import { until } from '../../apps/server/test/support/until.ts'
import { AnswerLog, FaultTimes } from '../chaos/answer-log.ts'
import { Clients } from '../chaos/clients.ts'
import { machineClock } from '../chaos/clock.ts'
import { type Fleet, kill, settings, signedIn, startNodes, verifierFor } from '../chaos/fleet.ts'
import { type History, type Settled, violationsOf } from '../chaos/history.ts'
import { limits } from '../chaos/limits.ts'
import { type Receiver, startReceiver } from '../chaos/receiver.ts'
import { subscribe } from '../chaos/run.ts'
import { type Rest, settle } from '../chaos/settle.ts'
import { Cluster } from './cluster.ts'
import type { Deployment, Fault } from './faults.ts'
import { longestSilence } from './silence.ts'
import { Writer } from './writer.ts'

/** Of undisturbed work between two faults. */
const calmMilliseconds = 2_000
/** After which a fault counts as one that is not recovered from. */
const recoveryMilliseconds = 180_000

export interface Settings {
  /** Each fault lasts that long. */
  readonly seconds: number
  readonly clients: number
  readonly seed: number
  readonly faults: readonly Fault[]
}

/** A fault that was survived; times in milliseconds. */
export interface Survived {
  readonly name: string
  /** The longest time from the fault until all was whole again in which no change was acknowledged to any client. */
  readonly silence: number
  /** The same for a plain writer through the same PgBouncer. */
  readonly peerSilence: number
  /** From when it began to be mended until every node had acknowledged a change that it was asked for since. */
  readonly nodes: number
  /** From then until there was a primary with a synchronous standby beside it. */
  readonly whole: number
  /** The machine that was the primary before, and the one that was at last. */
  readonly primaries: readonly [string, string]
}

export interface Report {
  readonly settings: Settings
  readonly seconds: number
  readonly history: History
  readonly settled: Settled
  readonly rest: Rest['seconds']
  readonly reads: number
  readonly failures: ReadonlyMap<string, number>
  readonly survived: readonly Survived[]
  readonly peerWritten: number
  readonly violations: readonly string[]
}

interface Stage extends Deployment {
  readonly fleet: Pick<Fleet, 'owner' | 'verify' | 'administratorUrl'>
  readonly faultTimes: FaultTimes
  readonly answers: AnswerLog
  readonly receiver: Receiver
  readonly clients: Clients
  readonly writer: Writer
}

/** Breaks a highly available deployment under load, then holds what clients were told against what is there. */
export async function runHa(settings: Settings): Promise<Report> {
  const ended = new Promise<never>((_, refuse) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => refuse(new Error(`It was ended by ${signal}.`)))
    }
  })
  await using begun = new AsyncDisposableStack()
  const receiver = begun.adopt(await startReceiver(), (one) => one.close())
  const starting = Cluster.start()
  // Also where it is ended meanwhile: what is begun by halves is removed once it is whole.
  begun.defer(async () => (await starting.catch(() => null))?.remove())
  const cluster = await Promise.race([starting, ended])
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-ha-service-'))
  begun.defer(() => rmSync(directory, { recursive: true, force: true }))
  const processes = begun.adopt<LiquidityProcess[]>([], kill)
  const parts = { receiver, cluster, directory, processes }
  return await Promise.race([serveAndBreak(settings, parts), ended])
}

async function serveAndBreak(
  given: Settings,
  {
    receiver,
    cluster,
    directory,
    processes,
  }: {
    receiver: Receiver
    cluster: Cluster
    directory: string
    processes: LiquidityProcess[]
  },
): Promise<Report> {
  const ports = [await reservePort(), await reservePort()]
  const environment = {
    ...settings(directory, receiver.host, ports),
    WORKER: 'none',
    DATABASE_URL: cluster.serviceUrl,
  }
  const nodes = await startNodes(ports, environment, processes)
  const workers = [0, 1].map(() => new LiquidityProcess(['worker'], environment))
  processes.push(...workers)
  for (const worker of workers) worker.start()
  const owner = await signedIn(environment)
  const faultTimes = new FaultTimes(limits.grace)
  const answers = new AnswerLog(faultTimes)
  const verify = verifierFor(environment)
  const stage: Stage = {
    cluster,
    nodes,
    workers,
    receiver,
    faultTimes,
    answers,
    fleet: { owner, verify, administratorUrl: cluster.administratorUrl },
    clients: new Clients(
      owner,
      nodes.map(({ baseUrl }) => baseUrl),
      answers,
    ),
    writer: new Writer(cluster.peerUrl),
  }
  return breakThings(given, stage, await subscribe({ owner }, receiver))
}

async function breakThings(given: Settings, stage: Stage, subscription: string): Promise<Report> {
  const { clients, writer } = stage
  const begun = performance.now()
  clients.start(given.clients, given.seed)
  writer.start()
  const survived: Survived[] = []
  for (const fault of given.faults) {
    await sleep(calmMilliseconds)
    survived.push(await survive(fault, given.seconds * 1000, stage))
  }
  const history = await clients.stop()
  const seconds = (performance.now() - begun) / 1000
  const peer = await writer.stop()
  const { settled, seconds: rest } = await settle(
    { ...stage, subscription, clock: machineClock, limits },
    history,
    true,
  )
  return {
    settings: given,
    seconds,
    history,
    settled,
    rest,
    survived,
    reads: clients.reads,
    failures: clients.failures,
    peerWritten: peer.written,
    violations: [
      ...stage.answers.violations,
      ...violationsOf(history, settled),
      ...peer.lost.map((number) => `psql was told that ${number} is written, and it is not there`),
    ],
  }
}

async function survive(fault: Fault, milliseconds: number, stage: Stage): Promise<Survived> {
  const { cluster, clients, writer } = stage
  const before = await cluster.primary()
  const from = performance.now()
  stage.faultTimes.begin(from)
  const mend = await fault.strike(stage)
  await sleep(milliseconds)
  const mended = performance.now()
  mend()
  const answered = clients.everyNodeAnswers().then(() => performance.now())
  const [nodesAt, wholeAt] = await Promise.race([
    Promise.all([answered, cluster.untilWhole().then(() => performance.now())]),
    sleep(recoveryMilliseconds, null, { ref: false }).then(() => {
      throw new Error(`${fault.name} was not recovered from in three minutes.`)
    }),
  ])
  stage.faultTimes.end(performance.now())
  const acknowledged = writer.answeredAt.length
  await until('psql to write again', () => writer.answeredAt.length > acknowledged)
  const window = { from, to: performance.now() }
  return {
    name: fault.name,
    silence: longestSilence(clients.acknowledgedAt, window),
    peerSilence: longestSilence(writer.answeredAt, window),
    nodes: nodesAt - mended,
    whole: wholeAt - mended,
    primaries: [before.name, (await cluster.primary()).name],
  }
}
