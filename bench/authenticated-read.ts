import type { Benchmark } from './benchmark.ts'
import { runLoad } from './http/load.ts'
import { connections, type ProductServer, productHeaders, productUrl } from './http/mutations.ts'
import { venueBody } from './http/workload.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'

/**
 * Read of one record with its ETag; session and membership are looked up for each request. Peer
 * and limit: bare node:http that returns the same bytes.
 */
export const authenticatedRead: Benchmark = {
  name: 'authenticated-read',
  title: `GET /venues/{id} with session and ETag, PostgreSQL, ${connections} connections`,
  units: { product: 'req/s', bare: 'req/s', productP99: 'ms' },
  comparisons: [
    { name: 'product / bare node:http', of: 'product', to: 'bare', mark: { atLeast: 0.5 } },
  ],
  open: async ({ seconds }) => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const product = await startProgram<ProductServer>('bench/http/product-server.ts', {
      DATABASE_URL: await postgres.newDatabase('product'),
      DATA_DIR: folder.path,
    })
    const headers = productHeaders(product.said)
    const created = await fetch(productUrl(product.said, '/venues'), {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'bench-authenticated-read' },
      body: venueBody().replace('@NUMBER@', '1'.repeat(40)),
    })
    const body = await created.text()
    const { id } = (JSON.parse(body) as { data: { id: string } }).data
    const url = productUrl(product.said, `/venues/${id}`)
    const read = await fetch(url, { headers })
    const etag = read.headers.get('etag') ?? ''
    if ((await read.text()) !== body || etag === '')
      throw new Error('The record reads differently.')
    const bare = await startProgram<{ port: number }>('bench/http/floor-server.ts', {
      FLOOR_BODY: body,
      FLOOR_ETAG: etag,
    })
    const load = async (target: string) => {
      const result = await runLoad({ url: target, connections, seconds, headers })
      if (result.failures > 0) throw new Error(`${result.failures} reads of ${target} failed.`)
      return result
    }
    const bareUrl = `http://127.0.0.1:${bare.said.port}/`
    await load(bareUrl)
    await load(url)
    return {
      round: async () => {
        const baseline = await load(bareUrl)
        const own = await load(url)
        return {
          product: own.requestsPerSecond,
          bare: baseline.requestsPerSecond,
          productP99: own.p99Milliseconds,
        }
      },
      close: async () => {
        await Promise.all([product.stop(), bare.stop()])
        await postgres.stop()
        folder.remove()
      },
    }
  },
}
