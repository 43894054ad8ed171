import type { Benchmark } from './benchmark.ts'
import { connections, mutateNaive, mutateProduct, type ProductServer } from './http/mutations.ts'
import { runPgbench } from './http/pgbench.ts'
import { venueBody } from './http/workload.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'

/**
 * A durable mutation with everything real: authentication, validation, hash chain, event, outbox, stored
 * answer, fsync. Peers: Fastify and pg with one transaction of three inserts, and the same transaction by
 * pgbench. Limit: the naive route without its database.
 */
export const durableMutation: Benchmark = {
  name: 'durable-mutation',
  title: `durable POST /venues, PostgreSQL with fsync, ${connections} connections`,
  units: {
    product: 'req/s',
    naive: 'req/s',
    pgbench: 'tx/s',
    limit: 'req/s',
    productP99: 'ms',
    naiveP99: 'ms',
  },
  comparisons: [
    { name: 'product / naive', of: 'product', to: 'naive', mark: { atLeast: 3 } },
    { name: 'product / pgbench', of: 'product', to: 'pgbench', mark: { atLeast: 1.5 } },
    { name: 'p99 / naive p99', of: 'productP99', to: 'naiveP99', mark: { atMost: 1 } },
    { name: 'product / no database', of: 'product', to: 'limit', mark: null },
  ],
  open: async ({ seconds }) => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const product = await startProgram<ProductServer>('bench/http/product-server.ts', {
      DATABASE_URL: await postgres.newDatabase('product'),
      DATA_DIR: folder.path,
    })
    const naiveUrl = await postgres.newDatabase('naive')
    const start = (url: string) =>
      startProgram<{ port: number }>('bench/http/naive-server.ts', { DATABASE_URL: url })
    const [naive, bare] = [await start(naiveUrl), await start('none')]
    const record = JSON.stringify({ data: JSON.parse(venueBody()), id: 'x'.repeat(500) })
    const pgbench = () =>
      runPgbench({ url: naiveUrl, folder: folder.path, record, clients: connections, seconds })
    await mutateNaive(naive.said.port, 1)
    await mutateNaive(bare.said.port, 1)
    await mutateProduct(product.said, 2)
    return {
      round: async () => {
        const peer = await mutateNaive(naive.said.port, seconds)
        const own = await mutateProduct(product.said, seconds)
        const limit = await mutateNaive(bare.said.port, seconds)
        return {
          product: own.requestsPerSecond,
          naive: peer.requestsPerSecond,
          pgbench: await pgbench(),
          limit: limit.requestsPerSecond,
          productP99: own.p99Milliseconds,
          naiveP99: peer.p99Milliseconds,
        }
      },
      close: async () => {
        await Promise.all([product.stop(), naive.stop(), bare.stop()])
        await postgres.stop()
        folder.remove()
      },
    }
  },
}
