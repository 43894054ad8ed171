import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { signInAtTerminal } from '../../apps/server/test/support/processes.ts'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { until } from '../../apps/server/test/support/until.ts'
import { type Fleet, startFleet } from '../chaos/fleet.ts'
import { startReceiver } from '../chaos/receiver.ts'
import { subscribe } from '../chaos/run.ts'
import { Load } from './load.ts'
import { type Sample, takeSample } from './sample.ts'

const organizations = 3

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
  readonly seconds: number
  readonly samples: readonly Sample[]
  readonly statuses: ReadonlyMap<string, number>
  readonly times: readonly number[]
  readonly changes: number
  /** Events of the first organization that its receiver was told. */
  readonly delivered: number
}

/** Lets a mixed load run at a rate on two nodes and a worker, and measures them while it does. */
export async function runSoak(settings: Settings): Promise<Report> {
  const receiver = await startReceiver()
  const fleet = await startFleet('postgres', receiver.host)
  const administrator = new pg.Client(fleet.administratorUrl ?? '')
  try {
    await administrator.connect()
    const owners = await ownersOf(fleet)
    await subscribe(fleet, receiver)
    const baseUrls = fleet.nodes.map(({ baseUrl }) => baseUrl)
    const load = new Load(owners, baseUrls, mulberry32(settings.seed))
    const { samples, seconds } = await watch(settings, { fleet, administrator, load })
    const { statuses, times, changes } = load
    const delivered = receiver.told.length
    return { settings, seconds, samples, statuses, times, changes, delivered }
  } finally {
    await administrator.end()
    await fleet.stop()
    await receiver.close()
  }
}

/** One owner for each of some organizations. */
async function ownersOf({ owner, environment, nodes }: Fleet) {
  const owners = [owner]
  const [node] = nodes
  if (!node) throw new Error('There is no node.')
  while (owners.length < organizations) {
    const deployment = { baseUrl: node.baseUrl, directory: '', environment }
    owners.push(await signInAtTerminal(deployment, `owner${owners.length}@example.org`))
  }
  return owners
}

async function watch(
  { minutes, rate, sampleSeconds }: Settings,
  stage: { fleet: Fleet; administrator: pg.Client; load: Load },
): Promise<{ samples: Sample[]; seconds: number }> {
  const begun = performance.now()
  const secondsNow = () => (performance.now() - begun) / 1000
  const samples: Sample[] = []
  const take = async () => {
    samples.push(await takeSample(stage.fleet, stage.administrator, stage.load, secondsNow()))
  }
  const ended = new AbortController()
  const watching = async () => {
    while (!ended.signal.aborted) {
      await take()
      await sleep(sampleSeconds * 1000, null, { signal: ended.signal }).catch(() => {})
    }
    await take()
  }
  await until('every process to be measured', () => take().then(() => true))
  await Promise.all([
    watching(),
    stage.load.run(rate, minutes * 60_000).finally(() => ended.abort()),
  ])
  return { samples, seconds: secondsNow() }
}
