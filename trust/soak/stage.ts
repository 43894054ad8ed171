import type { ClientOptions } from '@liquidity-os/client'
import pg from 'pg'
import { signInAtTerminal } from '../../apps/server/test/support/processes.ts'
import { type Fleet, startFleet } from '../chaos/fleet.ts'
import { startReceiver } from '../chaos/receiver.ts'
import { subscribe } from '../chaos/run.ts'
import type { Load } from './load.ts'
import { type Sample, takeSample } from './sample.ts'

const organizations = 3
/** After which a statement of a measurement fails. */
const maxQueryMilliseconds = 30_000

/** The service under load, as the run sees it; tests replace it. */
export interface Stage {
  readonly owners: readonly ClientOptions[]
  readonly baseUrls: readonly string[]
  readonly takeSample: (load: Load, seconds: number) => Promise<Sample>
  /** Events that the receiver of the first organization got. */
  readonly countDelivered: () => number
  readonly stop: () => Promise<void>
}

/** Two nodes, a worker and PostgreSQL, with three organizations. */
export async function startStage(): Promise<Stage> {
  await using begun = new AsyncDisposableStack()
  const receiver = begun.adopt(await startReceiver(), (one) => one.close())
  const fleet = begun.adopt(await startFleet('postgres', receiver.host), (one) => one.stop())
  const administrator = new pg.Client({
    connectionString: fleet.administratorUrl ?? undefined,
    query_timeout: maxQueryMilliseconds,
  })
  await administrator.connect()
  begun.defer(() => administrator.end())
  const owners = await signOwnersIn(fleet)
  await subscribe(fleet, receiver)
  const running = begun.move()
  return {
    owners,
    baseUrls: fleet.nodes.map(({ baseUrl }) => baseUrl),
    takeSample: (load, seconds) => takeSample(fleet, administrator, load, seconds),
    countDelivered: () => receiver.received.length,
    stop: () => running.disposeAsync(),
  }
}

/** One owner for each organization. */
async function signOwnersIn({ owner, environment, nodes }: Fleet): Promise<ClientOptions[]> {
  const owners: ClientOptions[] = [owner]
  const [node] = nodes
  if (!node) throw new Error('No node is running.')
  while (owners.length < organizations) {
    const deployment = { baseUrl: node.baseUrl, directory: '', environment }
    owners.push(await signInAtTerminal(deployment, `owner${owners.length}@example.org`))
  }
  return owners
}
