import type { Benchmark } from './benchmark.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'
import { type Start, timeToFirstAnswer } from './start/first-answer.ts'

/**
 * From process start to the first response with status 200, on a migrated PostgreSQL. Limit: node
 * with only node:http.
 */
export const ready: Benchmark = {
  name: 'ready',
  title: 'process start to first 200, PostgreSQL, workers in the process',
  units: { product: 'ms', floor: 'ms' },
  comparisons: [{ name: 'product / node:http', of: 'product', to: 'floor', mark: { atMost: 4 } }],
  open: async () => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const environment = {
      DATABASE_URL: await postgres.newDatabase('product'),
      DATA_DIR: folder.path,
    }
    // The first start migrates the schema, which is not measured here.
    await (await startProgram('bench/http/product-server.ts', environment)).stop()
    const product: Start = {
      arguments: ['bin/liquidity.js', 'serve'],
      environment,
      path: '/health/ready',
    }
    const baseline: Start = { arguments: ['bench/start/floor.cjs'], environment: {}, path: '/' }
    await timeToFirstAnswer(product)
    await timeToFirstAnswer(baseline)
    return {
      round: async () => ({
        floor: await timeToFirstAnswer(baseline),
        product: await timeToFirstAnswer(product),
      }),
      close: async () => {
        await postgres.stop()
        folder.remove()
      },
    }
  },
}
