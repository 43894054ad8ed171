import { performance } from 'node:perf_hooks'
import { queueDue } from '../apps/server/src/jobs/schedules.ts'
import { spanIs } from '../apps/server/src/market/span-rows.ts'
import { evaluateVenue, verdictsWith } from '../apps/server/src/market/span-verdicts.ts'
import { observationsWithin } from '../apps/server/src/market/venue-history.ts'
import { latestSpans, unvouchedSpans } from '../apps/server/src/market/venue-spans.ts'
import type { Services } from '../apps/server/src/services.ts'
import { type Benchmark, median } from './benchmark.ts'
import {
  type FilledOrganization,
  fillObservations,
  fillSchedules,
  openFilled,
  recordsOf,
} from './endurance/fill.ts'
import { createSession } from './endurance/session.ts'
import { type ProductServer, productHeaders, productUrl } from './http/mutations.ts'
import { startPostgres, startProgram, temporaryFolder } from './processes.ts'

const few = 1_440
const many = 43_200
const venues = 5
const organizations = 2_000
const readsOfEach = 15
const hour = 3600

const reads = ['map', 'alerts', 'workspace', 'venue', 'observations', 'window'] as const
const measured = [...reads, 'index'] as const

/**
 * 30 days at a 60 s interval: reads of an organization with 43,200 observations of each of five
 * venues, compared with reads of one with a day of them, and a scan of the schedules of 10,000
 * venues.
 */
export const endurance: Benchmark = {
  name: 'endurance',
  title: `${many.toLocaleString('en')} observations of each of ${venues} venues, and ${organizations.toLocaleString('en')} organizations of ${venues} venues, PostgreSQL`,
  units: {
    ...Object.fromEntries(
      measured.flatMap((name) => [
        [name, 'ms'],
        [`${name}Few`, 'ms'],
      ]),
    ),
    bytesEach: 'bytes',
    judge: 's',
    walk: 's',
    stall: 'ms',
  },
  comparisons: [
    ...reads.map((name) => ({
      name: `${name}: ${many.toLocaleString('en')} / ${few.toLocaleString('en')} observations`,
      of: name,
      to: `${name}Few`,
      mark: { atMost: 1.1 },
    })),
    { name: 'spans of an index job, ms', of: 'index', mark: { atMost: 200 } },
    { name: 'longest answer of /health/live, ms', of: 'stall', mark: { atMost: 50 } },
    {
      name: 'bytes of an observation without events, with its event and indexes',
      of: 'bytesEach',
      mark: null,
    },
    { name: 'a comparison of all observations of a venue, s', of: 'judge', mark: null },
    { name: 'scan of the schedules, s', of: 'walk', mark: { atMost: 1 } },
  ],
  open: async () => {
    const postgres = await startPostgres()
    const folder = temporaryFolder()
    const url = await postgres.newDatabase('product')
    const services = await openFilled(url, folder.path)
    const small = await fillObservations(services, { name: 'day', venues, observations: few })
    const large = await fillObservations(services, { name: 'month', venues, observations: many })
    const bytesEach = (await bytesOf(services)) / (venues * (few + many))
    const walked = await openFilled(await postgres.newDatabase('walked'), folder.path)
    await fillSchedules(walked, { organizations, venues })
    const product = await startProgram<ProductServer>('bench/http/product-server.ts', {
      DATABASE_URL: url,
      DATA_DIR: folder.path,
      WORKER: 'none',
    })
    // The first responses load code, and the first walk fills caches.
    await readBoth(services, product.said, small, large)
    await queueDue(walked)
    return {
      round: async () => {
        const stalls = watchLiveness(product.said)
        const figures = await readBoth(services, product.said, small, large)
        const stall = await stalls.stop()
        const judge = await seconds(() =>
          evaluateVenue(recordsOf(services, large.organizationId), large.venueIds[0]!),
        )
        return {
          ...figures,
          bytesEach,
          judge,
          stall,
          walk: await seconds(() => queueDue(walked)),
        }
      },
      close: async () => {
        await product.stop()
        for (const one of [services, walked]) {
          await Promise.all([one.awaited.close(), one.background.close(), one.reporting.close()])
          await one.database.close()
        }
        await postgres.stop()
        folder.remove()
      },
    }
  },
}

/** Size of the database with its indexes. */
async function bytesOf({ database }: Services): Promise<number> {
  const { rows } = await database.pool.query('select pg_database_size(current_database()) as bytes')
  return Number(rows[0].bytes)
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/**
 * Median milliseconds of each read. The two organizations alternate, so both meet the same machine
 * load.
 */
async function readBoth(
  services: Services,
  server: ProductServer,
  small: FilledOrganization,
  large: FilledOrganization,
): Promise<Record<string, number>> {
  const [few, many] = [
    await readsOf(services, server, small),
    await readsOf(services, server, large),
  ]
  const figures: Record<string, number> = {}
  for (const name of measured) {
    const times = { few: [] as number[], many: [] as number[] }
    for (let index = 0; index < readsOfEach; index += 1) {
      times.few.push(1000 * (await seconds(few[name])))
      times.many.push(1000 * (await seconds(many[name])))
    }
    figures[name] = median(times.many)
    figures[`${name}Few`] = median(times.few)
  }
  return figures
}

type Reads = Record<(typeof measured)[number], () => Promise<unknown>>

/** One read of each kind in an organization. */
async function readsOf(
  services: Services,
  statement: ProductServer,
  { organizationId, venueIds }: FilledOrganization,
): Promise<Reads> {
  const cookie = await createSession(services, organizationId)
  const headers = productHeaders({ ...statement, organizationId, cookie })
  const get = (path: string) => async () => {
    const answer = await fetch(productUrl(statement, path), { headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`)
  }
  const [venueId = ''] = venueIds
  return {
    map: get('/market-map'),
    alerts: get('/alerts'),
    workspace: get('/workspace'),
    venue: get(`/venues/${venueId}`),
    observations: get(`/venue-observations?limit=20&subject=${venueId}`),
    window: async () => {
      const to = Math.floor(services.clock() / 1000)
      const records = recordsOf(services, organizationId)
      const found = await observationsWithin(records, venueIds, { from: to - hour, to })
      if (found.size !== venueIds.length) throw new Error('A venue has no observation.')
    },
    index: () => spansOfIndexJob(services, organizationId, venueId),
  }
}

/**
 * Reads of an index job on the spans of its venue: expected chain state, start block and sealed
 * range.
 */
async function spansOfIndexJob(services: Services, organizationId: string, venueId: string) {
  const records = recordsOf(services, organizationId)
  const ends = await unvouchedSpans(records, venueId)
  const [latest] = await latestSpans(records, venueId, spanIs.continuable, 1)
  if (ends.length !== 1 || !latest) throw new Error('The venue is not one chain.')
  const { range } = latest.span.payload
  const from = { ...range.to, number: range.to.number + 1, hash: '0xfrom' }
  const to = { ...range.to, number: range.to.number + 5, hash: '0xto' }
  const span = {
    ...latest.span,
    id: records.newId('VenueObservation'),
    payload: { ...latest.span.payload, range: { from, to, parentHash: range.to.hash } },
  }
  const added = { spans: [span], overtaken: [], artifacts: new Map() }
  await verdictsWith(records, venueId, added)
}

/** Asks for `/health/live` one after the other, and tells the longest answer. */
function watchLiveness({ port }: ProductServer): { stop: () => Promise<number> } {
  let [longest, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const time = await seconds(() => fetch(`http://127.0.0.1:${port}/health/live`))
      longest = Math.max(longest, 1000 * time)
      await new Promise((done) => setTimeout(done, 20))
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return longest
    },
  }
}
