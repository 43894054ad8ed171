import { performance } from 'node:perf_hooks'
import type { Services } from '../apps/server/src/services.ts'
import { type Benchmark, median } from './benchmark.ts'
import { type FilledOrganization, fillMarkets, openFilled } from './endurance/fill.ts'
import { createSession } from './endurance/session.ts'
import { type ProductServer, productHeaders, productUrl } from './http/mutations.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'

const markets = 32
const days = 30
const readsOfEach = 15
const reads = ['summaries', 'history', 'month'] as const

/** Summaries of 32 markets and histories of 480 points, compared with a plain query of the same rows. */
export const marketPoints: Benchmark = {
  name: 'market-points',
  title: `${markets} markets with ${days} days of minutes, PostgreSQL`,
  units: Object.fromEntries(
    reads.flatMap((name) => [
      [name, 'ms'],
      [`${name}Rows`, 'ms'],
    ]),
  ),
  comparisons: [
    { name: `summaries of ${markets} markets, ms`, of: 'summaries', mark: { atMost: 50 } },
    ...reads.map((name) => ({
      name: `${name} / select of its rows`,
      of: name,
      to: `${name}Rows`,
      mark: null,
    })),
  ],
  open: async () => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const url = await postgres.newDatabase('product')
    const services = await openFilled(url, folder.path)
    const filled = await fillMarkets(services, { name: 'markets', markets, days })
    const product = await startProgram<ProductServer>('bench/http/product-server.ts', {
      DATABASE_URL: url,
      DATA_DIR: folder.path,
      WORKER: 'none',
    })
    const operations = await readsOf(services, product.said, filled)
    // The first responses load code.
    for (const read of Object.values(operations)) await read()
    return {
      round: async () => {
        const figures: Record<string, number> = {}
        for (const [name, read] of Object.entries(operations)) {
          const times: number[] = []
          for (let index = 0; index < readsOfEach; index += 1) {
            const start = performance.now()
            await read()
            times.push(performance.now() - start)
          }
          figures[name] = median(times)
        }
        return figures
      },
      close: async () => {
        await product.stop()
        await Promise.all(
          [services.awaited, services.background, services.reporting].map((one) => one.close()),
        )
        await services.database.close()
        await postgres.stop()
        folder.remove()
      },
    }
  },
}

async function readsOf(
  services: Services,
  server: ProductServer,
  { organizationId, venueIds }: FilledOrganization,
): Promise<Record<string, () => Promise<unknown>>> {
  const cookie = await createSession(services, organizationId)
  const headers = productHeaders({ ...server, organizationId, cookie })
  const get = (path: string) => async () => {
    const answer = await fetch(productUrl(server, path), { headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`)
  }
  const rows = (condition: string) => () =>
    services.database.pool.query(
      `select venue_id, at, open, high, low, close, depth, tvl, volume, fees, trades from market_points
       where organization_id = '${organizationId}' and ${condition}`,
    )
  const [venueId = ''] = venueIds
  const now = Math.floor(services.clock() / 1000)
  const ago = (day: number) => now - day * 86_400
  const time = (seconds: number) => new Date(seconds * 1000).toISOString()
  return {
    summaries: get('/market-summaries'),
    summariesRows: rows(
      `venue_id in (${venueIds.map((id) => `'${id}'`).join(',')}) and (resolution = 600 and at >= ${ago(1)}
       or resolution = 3600 and at >= ${ago(8)})`,
    ),
    history: get(`/market-history?venueId=${venueId}`),
    historyRows: rows(`venue_id = '${venueId}' and resolution = 60 and at >= ${ago(1)}`),
    month: get(`/market-history?venueId=${venueId}&from=${time(ago(days))}`),
    monthRows: rows(`venue_id = '${venueId}' and resolution = 3600 and at >= ${ago(days)}`),
  }
}
