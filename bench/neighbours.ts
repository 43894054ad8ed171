import { limits } from '../apps/server/src/limits.ts'
import type { Benchmark } from './benchmark.ts'
import type { ProductServer } from './http/mutations.ts'
import type { AttackName } from './neighbours/attack.ts'
import type { Watched } from './neighbours/watch.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'

const attacks: Readonly<Record<AttackName, string>> = {
  provider: 'a provider that answers 24 MB of brackets to each of four probes at a time',
  streams: 'streams that are opened and left, seventy at a time',
  receivers: 'twelve receivers that hang, and a change a moment for each of them',
  studies: 'sixty studies asked for at once, again and again',
  documents: 'twenty references and contracts a second',
  bodies: 'eight bodies of 60,000 members at a time',
}
const names = Object.keys(attacks) as AttackName[]
const alone = { live: 'aloneLive', read: 'aloneRead' }
const mark = { atMost: 50 }

/**
 * One organization at full load, and its effect on others: the 99th of 100 responses, in
 * milliseconds.
 */
export const neighbours: Benchmark = {
  name: 'neighbours',
  title:
    'one organization at its worst: the 99th percentile of /health/live and of another organization’s read',
  units: Object.fromEntries(
    ['alone', ...names].flatMap((name) => [
      [`${name}Live`, 'ms'],
      [`${name}Read`, 'ms'],
    ]),
  ),
  comparisons: [
    { name: 'alone: live, ms', of: alone.live, mark: null },
    { name: 'alone: read, ms', of: alone.read, mark: null },
    ...names.flatMap((name) => [
      { name: `${attacks[name]}: live, ms`, of: `${name}Live`, mark },
      { name: `${name}: read of another, ms`, of: `${name}Read`, mark },
    ]),
  ],
  open: async ({ seconds }) => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const { said: server, stop } = await startProgram<ProductServer>(
      'bench/http/product-server.ts',
      {
        DATABASE_URL: await postgres.newDatabase('product'),
        DATA_DIR: folder.path,
        // The attacking programs listen here.
        OUTBOUND_ALLOW: hosts.join(','),
        // As deployed: a member without a request limit gets 429.
        SESSION_REQUESTS_PER_MINUTE: `${limits.sessionRequestsPerMinute}`,
        PUBLIC_REQUESTS_PER_MINUTE: '100000',
        LOG_LEVEL: 'silent',
      },
    )
    const watch = async (): Promise<Watched> => {
      const watcher = await startProgram<Watched>('bench/neighbours/watch.ts', {}, [
        JSON.stringify(server),
        String(seconds),
      ])
      await watcher.stop()
      return watcher.said
    }
    await watch()
    return {
      round: async () => {
        const figures: Record<string, number> = {}
        const { live, read } = await watch()
        Object.assign(figures, { [alone.live]: live, [alone.read]: read })
        for (const name of names) {
          const attacker = await startProgram('bench/neighbours/attack.ts', {}, [
            name,
            JSON.stringify(server),
            String(ports[names.indexOf(name)]),
          ])
          const felt = await watch()
          await attacker.stop()
          Object.assign(figures, { [`${name}Live`]: felt.live, [`${name}Read`]: felt.read })
        }
        return figures
      },
      close: async () => {
        await stop()
        await postgres.stop()
        folder.remove()
      },
    }
  },
}

const firstPort = 39_801
const ports = names.map((_, index) => firstPort + index)
const hosts = ports.map((port) => `127.0.0.1:${port}`)
