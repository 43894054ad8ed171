import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { type Benchmark, median } from './benchmark.ts'
import { mutateProduct, type ProductServer, productHeaders, productUrl } from './http/mutations.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'

const fillFactor = 10
const readsOfEach = 30
const reads = ['workspace', 'alerts', 'map', 'list', 'record'] as const
const pathOf = (id: string) =>
  ({
    workspace: '/workspace',
    alerts: '/alerts',
    map: '/market-map',
    list: '/venues',
    record: `/venues/${id}`,
  }) as const

/**
 * One organization that grows by records in each round: what its reads cost beside those of an empty organization in the
 * same database, and the whole history verified by a process of its own,
 * then what a tenth of the time wrote since.
 */
export const history: Benchmark = {
  name: 'history',
  title: `an organization whose records grow for ${fillFactor} × --seconds a round, PostgreSQL`,
  units: {
    records: '',
    verified: 'records/s',
    bytesEach: 'bytes',
    whole: 's',
    since: 's',
    peakMemory: 'MB',
    firstPeak: 'MB',
    ...Object.fromEntries(
      reads.flatMap((read) => [
        [read, 'ms'],
        [`${read}Empty`, 'ms'],
      ]),
    ),
  },
  comparisons: [
    { name: 'records verified a second', of: 'verified', mark: { atLeast: 20_000 } },
    { name: 'peak / peak of round one', of: 'peakMemory', to: 'firstPeak', mark: { atMost: 1.5 } },
    {
      name: 'scan of later events / full scan',
      of: 'since',
      to: 'whole',
      mark: { atMost: 0.3 },
    },
    ...reads.map((read) => ({
      name: `${read} / of an empty organization`,
      of: read,
      to: `${read}Empty`,
      mark: read === 'list' ? null : { atMost: 1.1 },
    })),
  ],
  open: async ({ seconds }) => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const environment = {
      DATABASE_URL: await postgres.newDatabase('product'),
      DATA_DIR: folder.path,
    }
    const start = () => startProgram<ProductServer>('bench/http/product-server.ts', environment)
    const [full, empty] = [await start(), await start()]
    let firstPeak = 0
    return {
      round: async () => {
        await mutateProduct(full.said, fillFactor * seconds)
        const own = await readAll(full.said)
        const other = await readAll(empty.said)
        const checkpoint = join(folder.path, 'verified.json')
        const verification = await verified({ ...environment, CHECKPOINT: checkpoint })
        const bytes = await bytesOf(environment.DATABASE_URL)
        await mutateProduct(full.said, seconds)
        const since = await verified({ ...environment, SINCE: checkpoint })
        firstPeak ||= verification.peakMegabytes
        return {
          records: verification.records,
          verified: verification.records / verification.seconds,
          bytesEach: bytes / verification.records,
          whole: verification.seconds,
          since: since.seconds,
          peakMemory: verification.peakMegabytes,
          firstPeak,
          ...own,
          ...Object.fromEntries(reads.map((read) => [`${read}Empty`, other[read] ?? 0])),
        }
      },
      close: async () => {
        await Promise.all([full.stop(), empty.stop()])
        await postgres.stop()
        folder.remove()
      },
    }
  },
}

interface Verified {
  records: number
  faults: number
  seconds: number
  peakMegabytes: number
}

/** Of a database with its indexes. */
async function bytesOf(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
  await client.end()
  return Number(rows[0].bytes)
}

async function verified(environment: Record<string, string>): Promise<Verified> {
  const { said: verification, stop } = await startProgram<Verified>(
    'bench/history/verify.ts',
    environment,
  )
  await stop()
  if (verification.faults > 0)
    throw new Error(`${verification.faults} faults in an untouched history.`)
  return verification
}

/**
 * Median milliseconds of each read, in sequence; for an organization without records, of its
 * refusal.
 */
async function readAll(server: ProductServer): Promise<Record<string, number>> {
  const headers = productHeaders(server)
  const listed = await fetch(productUrl(server, '/venues'), { headers })
  const { data } = (await listed.json()) as { data: { id: string }[] }
  const paths = pathOf(data[0]?.id ?? `venue_${'0'.repeat(32)}`)
  const figures: Record<string, number> = {}
  for (const read of reads) {
    const times: number[] = []
    for (let index = 0; index < readsOfEach; index += 1) {
      const start = performance.now()
      await (await fetch(productUrl(server, paths[read]), { headers })).arrayBuffer()
      times.push(performance.now() - start)
    }
    figures[read] = median(times)
  }
  return figures
}
