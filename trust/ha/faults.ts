import type { LiquidityProcess } from '../../apps/server/test/support/processes.ts'
import type { Node } from '../chaos/fleet.ts'
import type { Interceptor } from '../chaos/interceptor.ts'
import type { Cluster } from './cluster.ts'

/** Everything that can be broken. */
export interface Deployment {
  readonly cluster: Cluster
  readonly nodes: readonly Node[]
  readonly workers: readonly LiquidityProcess[]
}

/** Something that breaks for as long as is asked, and how it is mended. */
export interface Fault {
  readonly name: string
  readonly says: string
  /** Breaks something; what it gives mends it again. */
  readonly strike: (deployment: Deployment) => Promise<() => void>
}

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('No target for this fault.')
  return one
}

/** Nothing arrives on these lines, as behind a switch that lost its power; nobody is told. */
function hold(lines: readonly Interceptor[]): () => void {
  for (const line of lines) line.behave('HOLD')
  return () => {
    for (const line of lines) line.behave('PASS')
  }
}

/** Every line between the machines of the database; the service and etcd are reached as before. */
const between = ({ machines }: Cluster) => machines.flatMap(({ fromPeer }) => fromPeer)

export const faults: readonly Fault[] = [
  {
    name: 'kill-primary',
    says: 'power loss of the primary: Patroni and every PostgreSQL process',
    strike: async ({ cluster }) => {
      const machine = await cluster.primary()
      await machine.kill()
      return () => machine.start()
    },
  },
  {
    name: 'kill-standby',
    says: 'power loss of the standby',
    strike: async ({ cluster }) => {
      const machine = await cluster.standby()
      await machine.kill()
      return () => machine.start()
    },
  },
  {
    name: 'cut-standby',
    says: 'no packet passes between primary and standby',
    strike: async ({ cluster }) => hold(between(cluster)),
  },
  {
    name: 'cut-etcd',
    says: 'no packet passes between the primary and etcd',
    strike: async ({ cluster }) => hold((await cluster.primary()).toEtcd),
  },
  {
    name: 'isolate-primary',
    says: 'the primary reaches neither standby nor etcd; the service still reaches the primary',
    strike: async ({ cluster }) => hold([...between(cluster), ...(await cluster.primary()).toEtcd]),
  },
  {
    name: 'kill-etcd',
    says: 'kill -9 of one of the three members of etcd',
    strike: async ({ cluster }) => {
      const member = first(cluster.etcd)
      await member.kill()
      return () => member.start()
    },
  },
  {
    name: 'kill-pgbouncer',
    says: 'kill -9 of PgBouncer, which its supervisor starts again at once',
    strike: async ({ cluster }) => {
      await cluster.pgbouncer.kill()
      cluster.pgbouncer.start()
      return () => {}
    },
  },
  {
    name: 'kill-node',
    says: 'kill -9 of a node; the other node serves requests',
    strike: async ({ nodes }) => {
      const { process } = first(nodes)
      await process.end('SIGKILL')
      return () => process.start()
    },
  },
  {
    name: 'kill-worker',
    says: 'kill -9 of a worker; the other worker takes over its jobs',
    strike: async ({ workers }) => {
      const worker = first(workers)
      await worker.end('SIGKILL')
      return () => worker.start()
    },
  },
]
