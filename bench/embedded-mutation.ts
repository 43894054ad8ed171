import type { Benchmark } from './benchmark.ts'
import { connections, mutateNaive, mutateProduct, type ProductServer } from './http/mutations.ts'
import { startProgram, temporaryFolder } from './processes.ts'

/**
 * The same mutation on the embedded database. Peer: Fastify and PGlite with a transaction for each request.
 * Neither flushes to the disk: PGlite survives a killed process, not a power loss.
 */
export const embeddedMutation: Benchmark = {
  name: 'embedded-mutation',
  title: `POST /venues, embedded database (no fsync on either side), ${connections} connections`,
  units: { product: 'req/s', naive: 'req/s', limit: 'req/s', productP99: 'ms', naiveP99: 'ms' },
  comparisons: [
    { name: 'product / naive', of: 'product', to: 'naive', mark: { atLeast: 4 } },
    { name: 'p99 in ms', of: 'productP99', mark: { atMost: 100 } },
    { name: 'product / no database', of: 'product', to: 'limit', mark: null },
  ],
  open: async ({ seconds }) => {
    const folder = temporaryFolder()
    const product = await startProgram<ProductServer>('bench/http/product-server.ts', {
      DATA_DIR: folder.path,
    })
    const naive = await startProgram<{ port: number }>('bench/http/naive-server.ts', {
      DATA_DIR: folder.path,
    })
    const bare = await startProgram<{ port: number }>('bench/http/naive-server.ts', {
      DATABASE_URL: 'none',
    })
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
          limit: limit.requestsPerSecond,
          productP99: own.p99Milliseconds,
          naiveP99: peer.p99Milliseconds,
        }
      },
      close: async () => {
        await Promise.all([product.stop(), naive.stop(), bare.stop()])
        folder.remove()
      },
    }
  },
}
