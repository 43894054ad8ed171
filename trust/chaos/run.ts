import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@liquidity-os/client'
import { webhookBody } from '../../apps/server/test/support/bodies.ts'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { Clients } from './clients.ts'
import { type Fault, inTurn } from './faults.ts'
import { type DatabaseKind, type Fleet, startFleet } from './fleet.ts'
import { type History, type Settled, violationsOf } from './history.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Rest, settle } from './settle.ts'

/** Of undisturbed work between two faults. */
const calmMilliseconds = 500
/** After which a fault counts as one that is not recovered from. */
const recoveryMilliseconds = 120_000

export interface Settings {
  readonly database: DatabaseKind
  readonly seconds: number
  readonly clients: number
  readonly seed: number
  /** Whether to wait until whoever died is taken for dead. */
  readonly isPatient: boolean
  /** Names of the faults; empty for all. */
  readonly only: readonly string[]
}

/** A fault that was survived, or not. */
export interface Survived {
  readonly name: string
  /** From when it began to be mended until every node had acknowledged a change that it was asked for since. */
  readonly recoveryMilliseconds: number
}

/** What came of it. */
export interface Report {
  readonly settings: Settings
  readonly seconds: number
  readonly history: History
  readonly settled: Settled
  readonly rest: Rest['seconds']
  readonly reads: number
  readonly failures: ReadonlyMap<string, number>
  readonly survived: readonly Survived[]
  readonly violations: readonly string[]
}

/** Lets clients work while things break, then holds what they were told against what is there. */
export async function runChaos(settings: Settings): Promise<Report> {
  const receiver = await startReceiver()
  const fleet = await startFleet(settings.database, receiver.host)
  try {
    const subscription = await subscribe(fleet, receiver)
    return await breakThings(settings, { fleet, receiver, subscription })
  } finally {
    await fleet.stop()
    await receiver.close()
  }
}

/** From here on every event is to be delivered, but for that of the subscription itself. */
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

async function breakThings(
  settings: Settings,
  { fleet, receiver, subscription }: { fleet: Fleet; receiver: Receiver; subscription: string },
): Promise<Report> {
  const random = mulberry32(settings.seed)
  const clients = new Clients(
    fleet.owner,
    fleet.nodes.map(({ baseUrl }) => baseUrl),
  )
  const begun = performance.now()
  clients.start(settings.clients, settings.seed)
  const survived: Survived[] = []
  for (const fault of inTurn(settings.database, settings.only, random)) {
    await sleep(calmMilliseconds)
    survived.push(await survive(fault, fleet, clients, random))
    if (performance.now() - begun >= settings.seconds * 1000) break
  }
  const history = await clients.stop()
  const seconds = (performance.now() - begun) / 1000
  const { settled, seconds: rest } = await settle(
    { fleet, clients, receiver, subscription },
    history,
    settings.isPatient,
  )
  return {
    ...{ settings, seconds, history, settled, rest, survived },
    reads: clients.reads,
    failures: clients.failures,
    violations: violationsOf(history, settled),
  }
}

async function survive(
  fault: Fault,
  fleet: Fleet,
  clients: Clients,
  random: () => number,
): Promise<Survived> {
  const [least, most] = fault.lasts
  const mend = await fault.strike(fleet, random)
  await sleep(least + random() * (most - least))
  const since = performance.now()
  const answered = clients.everyNodeAnswers()
  await mend()
  const isOver = await Promise.race([
    answered.then(() => true),
    sleep(recoveryMilliseconds, false, { ref: false }),
  ])
  if (!isOver) throw new Error(`${fault.name} was not recovered from in two minutes.`)
  return { name: fault.name, recoveryMilliseconds: performance.now() - since }
}
