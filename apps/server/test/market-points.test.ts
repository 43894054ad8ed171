// @module-tag postgres

import { send } from '@liquidity-os/client'
import { contract } from '@liquidity-os/contract'
import { type LoggedMarket, marketToJson } from '@liquidity-os/engine/amm'
import { startReplay } from '@liquidity-os/engine/replay'
import { canonicalize } from '@liquidity-os/evidence'
import { startLocalchain } from '@liquidity-os/localchain'
import { readXlsx } from '@liquidity-os/sheet/testing'
import fc from 'fast-check'
import type { Static } from 'typebox'
import { describe, expect } from 'vitest'
import { rebuildPoints } from '../src/families/intelligence/venues/api.ts'
import { agedPoints } from '../src/families/intelligence/venues/points/aged-points.ts'
import {
  countPoints,
  pointsOfRead,
} from '../src/families/intelligence/venues/points/count-points.ts'
import { fillPoints } from '../src/families/intelligence/venues/points/fill-points.ts'
import { observations, venues } from '../src/families/intelligence/venues/records.ts'
import type { VenueProfile } from '../src/families/intelligence/venues/venue.ts'
import { deployMarkets } from '../src/integrations/chain/testing/markets.ts'
import { parseExact } from '../src/market/exact-json.ts'
import { venueReorganized } from '../src/market/observed-spans.ts'
import { eventsOf } from '../src/market/sealed-events.ts'
import { verdictsWith } from '../src/market/span-verdicts.ts'
import type { SealedEvent } from '../src/market/venue-history.ts'
import { venueOrientation } from '../src/market/venue-orientation.ts'
import { venueSpans } from '../src/market/venue-spans.ts'
import { contentHashOf } from '../src/store/artifacts/content-hash.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { type Watched, watchedMarkets } from './support/anomalous.ts'
import type { TestChain } from './support/chain.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { chainTest, started } from './support/fixtures.ts'
import { naivePoints, type SealedCourse, storedPointsText } from './support/naive-points.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

type Summaries = Static<typeof contract.MarketSummaries>
type History = Static<typeof contract.MarketHistory>

const secondsOf = (time: string) => Date.parse(time) / 1000

/** A pool and a pair that trade over midnight, up to shortly before the tests’ noon. */
async function startMarkets(): Promise<TestChain> {
  const timestamp = secondsOf('2026-01-04T08:00:00Z')
  const chain = await startLocalchain({ timestamp, blockSeconds: 60 })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  const trade = async (swaps: number) => {
    for (let swap = 0; swap < swaps; swap += 1) {
      await markets.swap(swap % 3 !== 0, 10n ** 17n + BigInt(swap) * 10n ** 15n)
    }
  }
  await trade(8)
  await markets.mint(-600, 600, 10n ** 20n)
  for (const time of ['2026-01-04T23:57:30Z', '2026-01-05T03:10:20Z', '2026-01-05T11:49:00Z']) {
    await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(secondsOf(time)) })
    await trade(5)
    await markets.burn(-600, 600, 10n ** 18n)
  }
  await markets.trade(10n ** 15n, 9n * 10n ** 14n)
  await chain.testClient.setBlockTimestampInterval({ interval: 1 })
  return { chain, markets }
}

const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startMarkets))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('watched', { scope: 'file' }, ({ service, testChain }) =>
    watchedMarkets(service, testChain),
  )
it.beforeAll(async ({ watched }) => {
  await watched.read()
})

async function profileOf(service: TestService, { owner }: Watched, id: string) {
  const records = recordsOf(service, owner)
  return (await records.current<VenueProfile>('VenueProfile', id))!.record.payload
}

/** The sealed observations of a venue, in block order. */
async function sealedCourses(service: TestService, { owner }: Watched, venueId: string) {
  const records = recordsOf(service, owner)
  const { activeSpans } = await venueSpans(records, venueId)
  return Promise.all(
    activeSpans.map(async ({ id }): Promise<SealedCourse> => {
      const { payload } = (await owner.client.getVenueObservations({ params: { id } })).body.data
      const start = await records.artifact(payload.start.artifactHash)
      const events = await records.artifact(payload.events.artifactHash)
      return {
        id,
        from: secondsOf(payload.range.from.timestamp),
        to: secondsOf(payload.range.to.timestamp),
        start: parseExact(start.toString('utf8')) as LoggedMarket,
        events: [...eventsOf([events])] as SealedEvent[],
      }
    }),
  )
}

async function storedPoints(service: TestService, venueId: string): Promise<string[]> {
  const { rows } = await service.services.database.pool.query(storedPointsText(venueId))
  return (rows as { point: string }[]).map(({ point }) => point).sort()
}

async function storedSpans(service: TestService, venueId: string): Promise<unknown[]> {
  const { rows } = await service.services.database.pool.query(
    `select day, from_at, until_at from market_spans where venue_id = '${venueId}' order by 1, 2`,
  )
  return rows
}

const history = (by: TestMember, query: object) =>
  callOperation<History>(by, 'readMarketHistory', { query: query as never })
const summaries = async (by: TestMember) =>
  (await callOperation<Summaries>(by, 'listMarketSummaries', {})).data

describe('points of an index job', () => {
  it('are a fold of the sealed events at every resolution', async ({ service, watched }) => {
    const courses = await sealedCourses(service, watched, watched.pool.id)
    const profile = await profileOf(service, watched, watched.pool.id)
    const naive = naivePoints(courses, venueOrientation(profile), profile.feePips!)
    expect(courses.flatMap(({ events }) => events).length).toBeGreaterThan(24)
    expect(await storedPoints(service, watched.pool.id)).toEqual(naive)
  })

  it('give the market summary', async ({ service, watched, testChain }) => {
    const { markets, asOf } = await summaries(watched.owner)
    const [market] = markets
    const map = await callOperation<Static<typeof contract.MarketMap>>(
      watched.owner,
      'getUnifiedLiquidityMap',
      {},
    )
    const composite = map.data.markets[0]!.composite!
    const [base, quote] = testChain.markets.tokens
    expect(asOf).toBe('2026-01-05T12:00:00.000Z')
    expect(market).toMatchObject({
      pairKey: `31337-${base}-${quote}`.toLowerCase(),
      base: { address: base, decimals: 18, symbol: 'ONE' },
      state: 'COMPLETED',
      reasons: [],
      score: null,
      openAlerts: { critical: 0, warning: 0, info: 0 },
    })
    expect(BigInt(market!.priceX36!) / 10n ** 18n).toBe(BigInt(composite.midX18))
    const ago = await history(watched.owner, {
      pair: market!.pairKey,
      from: '2026-01-04T11:00:00Z',
      to: '2026-01-04T12:00:00Z',
    })
    const before = BigInt(ago.data.price.close.at(-1)!)
    const change = ((BigInt(market!.priceX36!) - before) * 1_000_000n) / before
    expect(market!.change24hPips).toBe(Number(change))
    const depthOf = (side: string) =>
      composite.depth.find((one) => one.bandPips === 20_000 && one.side === side)!.quote
    expect(market!.depth2).toEqual({ buyQuote: depthOf('BUY'), sellQuote: depthOf('SELL') })
    const tvl = map.data.markets[0]!.venues.reduce((sum, one) => sum + BigInt(one.tvlQuote!), 0n)
    expect(market!.tvlQuote).toBe(`${tvl}`)
    let volume = 0n
    for (const id of [watched.pool.id, watched.pair.id]) {
      const { rows } = await service.services.database.pool.query(
        `select coalesce(sum(volume), 0)::text as volume from market_points
         where resolution = 60 and venue_id = '${id}' and at >= ${secondsOf(asOf) - 86_400}`,
      )
      volume += BigInt((rows[0] as { volume: string }).volume)
    }
    expect(market!.volume24hQuote).toBe(`${volume}`)
    expect(volume).toBeGreaterThan(0n)
    expect(market!.spark.length).toBeLessThanOrEqual(49)
    expect(market!.spark.at(-1)![1]).toBe(market!.priceX36)
    expect(market!.spark[0]![1]).toBeNull()
    expect(market!.lagSeconds).toBeLessThan(900)
  })

  it('give the history, which carries silent buckets and sums up', async ({ service, watched }) => {
    const { data, headers } = await history(watched.owner, {
      venueId: watched.pool.id,
      from: '2026-01-04T12:00:00Z',
      bands: '20000,100000',
    })
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('etag')).not.toBeNull()
    expect([data.resolutionSeconds, data.at.length]).toEqual([180, 480])
    const courses = await sealedCourses(service, watched, watched.pool.id)
    const [first, last] = [courses[0]!, courses.at(-1)!]
    expect(data.evidence).toMatchObject({
      observations: courses.length,
      first: first.id,
      last: last.id,
    })
    const swaps = courses
      .flatMap(({ events }) => events)
      .filter(({ type, timestamp }) => type === 'Swap' && timestamp! >= data.at[0]!)
    const sum = (some: readonly (string | number | null)[]) =>
      some.reduce((total, one) => total + BigInt(one ?? 0), 0n)
    expect(sum(data.trades)).toBe(BigInt(swaps.length))
    const silent = data.trades.findIndex(
      (count, index) => count === 0 && data.trades[index - 1]! > 0,
    )
    expect(data.price.open[silent]).toBe(data.price.close[silent - 1])
    expect(data.price.close[silent]).toBe(data.price.close[silent - 1])
    expect(data.depth['20000']!.buy[silent]).toBe(data.depth['20000']!.buy[silent - 1])
    expect(data.coveredPips[silent]).toBe(1_000_000)
    expect(data.gaps).toEqual([])
    // Coarser buckets add up to the same.
    const coarse = await history(watched.owner, {
      venueId: watched.pool.id,
      from: '2026-01-04T12:00:00Z',
      points: 60,
    })
    expect(coarse.data.resolutionSeconds).toBe(1_800)
    expect(sum(coarse.data.volumeQuote)).toBe(sum(data.volumeQuote))
    const lastOf = (some: readonly (string | null)[]) => some.findLast((one) => one !== null)
    expect(lastOf(coarse.data.price.close)).toBe(lastOf(data.price.close))
  })

  it('merge the venues of a pair', async ({ watched }) => {
    const [market] = (await summaries(watched.owner)).markets
    const request = { from: '2026-01-05T11:30:00Z', to: '2026-01-05T12:00:00Z' }
    const both = (await history(watched.owner, { pair: market!.pairKey, ...request })).data
    const [pool, pair] = await Promise.all(
      [watched.pool, watched.pair].map(
        async ({ id }) => (await history(watched.owner, { venueId: id, ...request })).data,
      ),
    )
    expect(both.venues.map(({ isFresh }) => isFresh)).toEqual([true, true])
    const index = both.coveredPips.lastIndexOf(1_000_000)
    const at = (one: History) => ({
      price: BigInt(one.price.close[index]!),
      buy: BigInt(one.depth['20000']!.buy[index]!),
      sell: BigInt(one.depth['20000']!.sell[index]!),
      tvl: BigInt(one.tvlQuote[index]!),
    })
    const [a, b, all] = [at(pool!), at(pair!), at(both)]
    expect([all.buy, all.sell, all.tvl]).toEqual([a.buy + b.buy, a.sell + b.sell, a.tvl + b.tvl])
    const weight = (one: typeof a) => (one.buy < one.sell ? one.buy : one.sell)
    expect(all.price).toBe((a.price * weight(a) + b.price * weight(b)) / (weight(a) + weight(b)))
  })
})

it('are recomputed by a verification of the history, which names a day that differs', async ({
  service,
  watched,
}) => {
  const { database, artifacts } = service.services
  const { organizationId } = watched.owner
  const verify = async () => (await verifyHistory(database, organizationId, artifacts, null)).faults
  expect(await verify()).toEqual([])
  const change = (by: number) =>
    database.pool.query(
      `update market_points set close = close + ${by} where venue_id = '${watched.pair.id}'
       and resolution = 600 and at >= ${secondsOf('2026-01-05T00:00:00Z')}`,
    )
  await change(1)
  expect(await verify()).toEqual([
    {
      organizationId,
      subject: watched.pair.id,
      message: 'its market points of 2026-01-05 differ from its observations',
    },
  ])
  await change(-1)
})

describe('the files of a history', () => {
  const request = { from: '2026-01-05T11:30:00Z', to: '2026-01-05T12:00:00Z', points: 60 }
  const file = (by: TestMember, query: object, headers: Record<string, string> = {}) =>
    send({ ...by.options, fetch: conformingFetch }, contract.readMarketHistory, {
      query: { ...request, ...query },
      headers,
    })
  const pieces = (file: string) => file.trim().split('\r\n')

  it('have the figures of the answer, in units', async ({ watched }) => {
    const venueId = watched.pool.id
    const { data } = await history(watched.owner, { venueId, ...request })
    const answer = await file(watched.owner, { venueId, as: 'csv' })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="ONE-TWO-1h.csv"')
    expect(answer.headers.get('evidence-mark')).toBe('SIMULATED;chains="31337"')
    const [heading, ...rows] = pieces(await answer.text())
    expect(heading).toMatch(/^time,open \[TWO\/ONE\],high .*,trades,coverage \[%\],evidence$/)
    expect(rows).toHaveLength(data.at.length)
    const first = rows[0]!.split(',')
    expect(first[0]).toBe(new Date(data.at[0]! * 1000).toISOString().replace('.000', ''))
    const [whole, fraction = ''] = first[4]!.split('.')
    expect(`${BigInt(whole + fraction.padEnd(36, '0'))}`).toBe(data.price.close[0])
    const semicolon = await file(watched.owner, {
      venueId,
      as: 'csv',
      bom: 1,
      separator: 'semicolon',
      decimal: 'comma',
    })
    const bytes = await semicolon.bytes()
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(pieces(new TextDecoder().decode(bytes))[1]).toMatch(/Z;0,\d+;/)
  })

  it('are workbooks with formulas, sealed sources and equal bytes', async ({ watched }) => {
    const venueId = watched.pool.id
    const { data } = await history(watched.owner, { venueId, ...request })
    const answer = await file(watched.owner, { venueId, as: 'xlsx' })
    const bytes = await answer.bytes()
    const book = readXlsx(bytes)
    expect(Object.keys(book.sheets)).toEqual([
      'Summary',
      'Market history',
      'Data gaps',
      'Alerts',
      'Units',
      'Sources',
    ])
    const summary = Object.values(book.sheets.Summary!).map(({ text }) => text)
    expect(summary).toContain('SIMULATED: local or test chain 31337')
    expect(book.names).toHaveProperty('total_volume')
    expect(book.sheets['Market history']?.I2?.text).toBe(data.price.close[0])
    expect(Object.values(book.sheets.Sources!).map(({ text }) => text)).toContain(
      data.evidence.root,
    )
    const again = await send(
      { ...watched.owner.options, fetch: conformingFetch },
      contract.downloadExport,
      { params: { view: `markets/${venueId}/history` }, query: { ...request, as: 'xlsx' } },
    )
    expect(Buffer.from(await again.bytes()).equals(bytes)).toBe(true)
    const tag = answer.headers.get('etag')!
    expect(tag).toMatch(/^"0x[0-9a-f]{64}"$/)
    const known = await file(watched.owner, { venueId, as: 'xlsx' }, { 'if-none-match': tag })
    expect(known.status).toBe(304)
  })

  it('accept the organization in the query, for members only', async ({ watched, stranger }) => {
    const venueId = watched.pool.id
    const { organizationId: _, ...linked } = watched.owner.options
    const { organizationId } = watched.owner
    const ask = (options: typeof linked, query: object) =>
      send({ ...options, fetch: conformingFetch }, contract.readMarketHistory, {
        query: { venueId, ...request, as: 'csv', ...query },
      })
    expect((await ask(linked, { organization: organizationId })).status).toBe(200)
    expect((await ask(linked, {})).status).toBe(400)
    expect((await ask(watched.owner.options, { organization: organizationId })).status).toBe(200)
    const other = await ask(watched.owner.options, { organization: stranger.organizationId })
    expect([other.status, await other.json()]).toMatchObject([
      400,
      { error: { fieldErrors: { 'query.organization': [expect.stringContaining('must equal')] } } },
    ])
    expect((await ask(linked, { organization: stranger.organizationId })).status).toBe(403)
  })
})

describe('the operations', () => {
  it('have no market for an empty organization', async ({ stranger }) => {
    expect((await summaries(stranger)).markets).toEqual([])
  })

  it('answer 404 for the venue or the pair of another organization', async ({
    watched,
    stranger,
  }) => {
    const [market] = (await summaries(watched.owner)).markets
    for (const query of [{ venueId: watched.pool.id }, { pair: market!.pairKey }]) {
      expect((await history(stranger, query)).status).toBe(404)
    }
  })

  it('name the field of a bad query', async ({ watched }) => {
    const venueId = watched.pool.id
    const pair = `1-0x${'1'.repeat(40)}-0x${'2'.repeat(40)}`
    for (const [query, field] of [
      [{}, 'pair'],
      [{ venueId, pair }, 'pair'],
      [{ venueId, points: 20 }, 'points'],
      [{ venueId, bands: '12345' }, 'bands'],
      [{ venueId, as: 'pdf' }, 'as'],
      [{ venueId, from: '2026-01-05T11:00:00Z', to: '2026-01-05T10:00:00Z' }, 'from'],
    ] as const) {
      const answer = await history(watched.owner, query)
      expect([answer.status, Object.keys(answer.fieldErrors)]).toEqual([400, [`query.${field}`]])
    }
  })
})

/** A recorded market that the property cuts into observations. */
interface Recording {
  readonly profile: VenueProfile
  readonly course: SealedCourse
  /** First and last block. */
  readonly blocks: readonly [number, number]
}

async function recordingOf(service: TestService, watched: Watched): Promise<Recording> {
  const courses = await sealedCourses(service, watched, watched.pool.id)
  const events = courses.flatMap((course) => course.events)
  return {
    profile: await profileOf(service, watched, watched.pool.id),
    course: { ...courses[0]!, to: courses.at(-1)!.to, events },
    blocks: [events[0]!.block, events.at(-1)!.block],
  }
}

/** Time of a block of the recording: of its event, else of the one before. */
const timeOf = ({ course }: Recording, block: number) =>
  course.events.findLast((event) => event.block <= block)?.timestamp ?? course.from

let addresses = 0
async function newVenue(service: TestService, owner: TestMember, profile: VenueProfile) {
  addresses += 1
  const { sealed, change } = venues.first(recordsOf(service, owner, clock()), {
    status: 'DRAFT',
    payload: { ...profile, address: `0x${String(addresses).padStart(40, '0')}` },
    reason: 'For the test',
    event: 'venue.created',
  })
  await service.services.committer.commit(change)
  return sealed.record.id
}

let now = secondsOf('2026-01-05T12:00:00Z') * 1000
/** Later with each call, because ids sort by their creation. */
const clock = () => {
  now += 1
  return now
}

/** Seals blocks of the recording as an index job does. */
async function seal(
  service: TestService,
  owner: TestMember,
  venueId: string,
  recording: Recording,
  { from, to, fork, overtaken }: { from: number; to: number; fork: string; overtaken: string[] },
  { isOfEarlierRelease = false } = {},
): Promise<SealedCourse> {
  const records = recordsOf(service, owner, clock())
  const { course, profile } = recording
  const replay = startReplay(course.start)
  for (const event of course.events) if (event.block < from) replay.apply(event)
  const start = replay.final()
  const events = course.events.filter(({ block }) => from <= block && block <= to)
  for (const event of events) replay.apply(event)
  const json = (market: LoggedMarket) => Buffer.from(canonicalize(marketToJson(market)))
  const lines = events.map((event) => `${JSON.stringify(toSealed(event))}\n`)
  const contents = [json(start), json(replay.final()), Buffer.from(lines.join(''))]
  const [startHash, endHash, eventsHash] = contents.map(contentHashOf) as [string, string, string]
  const blockOf = (number: number, name = fork) => ({
    chainId: 31337,
    number,
    hash: contentHashOf(Buffer.from(`${name}${number}`)),
    timestamp: new Date(timeOf(recording, number) * 1000).toISOString(),
  })
  const payload = {
    venue: { id: venueId },
    range: {
      from: blockOf(from),
      to: blockOf(to),
      parentHash: blockOf(from - 1, 'a').hash,
    },
    start: { snapshotHash: startHash, artifactHash: startHash },
    state: { snapshotHash: endHash, artifactHash: endHash },
    events: { count: events.length, artifactHash: eventsHash },
    gaps: [],
  }
  const { sealed, change } = observations.first(records, {
    status: 'COMPLETED',
    payload: payload as never,
    reason: 'For the test',
    event: 'venue.indexed',
  })
  const artifacts = new Map(contents.map((content) => [contentHashOf(content), content]))
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { resourceType, id, resourceVersion }
  const points = await pointsOfRead(service.services.background, {
    observation: sealed.record,
    artifacts,
    profile,
    now: records.now,
  })
  const statements = await verdictsWith(records, venueId, {
    spans: [sealed.record],
    overtaken,
    artifacts,
  })
  const venue = (await records.current('VenueProfile', venueId))!
  const lost = overtaken.map((one) => ({ id: one, resourceVersion: one }))
  const note = records.note(venue, venueReorganized, { fork: null, overtaken: lost })
  await service.services.committer.commit({
    ...change,
    events: lost.length > 0 ? [...change.events, ...note.events] : change.events,
    artifacts: [...artifacts].map(([contentHash, content]) => ({
      contentHash,
      mediaType: 'application/json',
      content,
      producer,
    })),
    statements: isOfEarlierRelease
      ? statements
      : [...statements, ...countPoints(owner.organizationId, venueId, id, points)],
  })
  const times = { from: timeOf(recording, from), to: timeOf(recording, to) }
  return { id, ...times, start, events }
}

const toSealed = (event: SealedEvent) =>
  JSON.parse(
    JSON.stringify({ ...event, line: undefined }, (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    ),
  )

describe('points over time', () => {
  it('of an observation of an earlier release come with the sweep, newest day first', async ({
    service,
    watched,
  }) => {
    const recording = await recordingOf(service, watched)
    const [from, to] = recording.blocks
    const owner = await newOrganization(service)
    const venueId = await newVenue(service, owner, recording.profile)
    const whole = { from, to, fork: 'a', overtaken: [] }
    const course = await seal(service, owner, venueId, recording, whole, {
      isOfEarlierRelease: true,
    })
    const request = {
      venueId,
      from: new Date(course.from * 1000).toISOString(),
      to: new Date(course.to * 1000).toISOString(),
    }
    const codes = async () => {
      const { data } = await history(owner, request)
      expect(new Set(data.price.close).has(null)).toBe(data.gaps.length > 0)
      return data.gaps.map(({ code }) => code)
    }
    expect(await codes()).toEqual(['NOT_OBSERVED'])
    await fillPoints(service.services)
    expect(await codes()).toEqual([])
    await rebuildPoints(service.services.database, owner.organizationId)
    expect(await codes()).toEqual(['POINTS_PENDING'])
    await fillPoints(service.services)
    const side = venueOrientation(recording.profile)
    const naive = naivePoints([course], side, recording.profile.feePips!)
    expect(await storedPoints(service, venueId)).toEqual(naive)
  })

  it('go with their retention, and the rest still follows from the observations', async ({
    service,
    watched,
  }) => {
    const { database, artifacts, clock: time } = service.services
    const { organizationId } = watched.owner
    const resolutions = async () => {
      const { rows } = await database.pool.query(
        `select distinct resolution from market_points where venue_id = '${watched.pool.id}' order by 1`,
      )
      return (rows as { resolution: number }[]).map(({ resolution }) => Number(resolution))
    }
    const all = [60, 600, 3600, 86_400]
    expect(await resolutions()).toEqual(all)
    for (const [days, held] of [
      [7, all],
      [10, all.slice(1)],
      [100, all.slice(2)],
      [1200, all.slice(3)],
    ] as const) {
      await database.dispatch(agedPoints(time() + days * dayMilliseconds))
      expect(await resolutions()).toEqual(held)
    }
    expect((await verifyHistory(database, organizationId, artifacts, null)).faults).toEqual([])
    await rebuildPoints(database, organizationId)
    await fillPoints(service.services)
    expect(await resolutions()).toEqual(all)
  })

  it('equal a naive fold however the market is cut, reorganized and rebuilt', async ({
    service,
    watched,
  }) => {
    const recording = await recordingOf(service, watched)
    const { profile } = recording
    const side = venueOrientation(profile)
    const [first, last] = recording.blocks
    const owner = await newOrganization(service)
    const cuts = fc.uniqueArray(fc.integer({ min: first, max: last - 1 }), {
      minLength: 1,
      maxLength: 4,
    })
    const property = fc.asyncProperty(
      cuts,
      fc.boolean(),
      fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
      async (chosen, isReorganized, skipped) => {
        const venueId = await newVenue(service, owner, profile)
        const edges = [...chosen.toSorted((a, b) => a - b), last]
        const ranges = edges.map((to, index) => ({ from: (edges[index - 1] ?? first - 1) + 1, to }))
        const order = ranges.filter((_, index) => index !== skipped)
        if (skipped !== null && ranges[skipped]) order.push(ranges[skipped])
        const sealed = new Map<number, SealedCourse>()
        const expectNaive = async () => {
          const courses = [...sealed].toSorted(([a], [b]) => a - b).map(([, course]) => course)
          const naive = naivePoints(courses, side, profile.feePips!)
          expect(await storedPoints(service, venueId)).toEqual(naive)
        }
        for (const range of order) {
          const one = { ...range, overtaken: [] as string[], fork: 'a' }
          if (isReorganized && range.to === last) {
            const lost = await seal(service, owner, venueId, recording, { ...one, fork: 'b' })
            one.overtaken = [lost.id]
          }
          sealed.set(range.from, await seal(service, owner, venueId, recording, one))
          await fillPoints(service.services)
          await expectNaive()
        }
        const spans = await storedSpans(service, venueId)
        const points = await storedPoints(service, venueId)
        await rebuildPoints(service.services.database, owner.organizationId)
        expect(await storedPoints(service, venueId)).toEqual([])
        await fillPoints(service.services)
        expect(await storedPoints(service, venueId)).toEqual(points)
        expect(await storedSpans(service, venueId)).toEqual(spans)
      },
    )
    await fc.assert(property, { numRuns: 6, seed: 42 })
  })
})
