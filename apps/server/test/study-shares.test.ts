import { type LooseRequest, send } from '@liquidity-os/client'
import { contract, operationById } from '@liquidity-os/contract'
import { openEvent, sha256Hex } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/sql.ts'
import { expireStudyShares } from '../src/jobs/study-share-expiry.ts'
import { TenantRecords } from '../src/records/tenant-records.ts'
import { startWorkers } from '../src/service.ts'
import { hostOf, startTestChain, type TestChain, validatedPool } from './support/chain.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import {
  anotherNode,
  newMember,
  newOrganization,
  serviceForTest,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

type Ref = { id: string; resourceVersion: string }
type Share = Ref & { status: string; payload: Static<typeof contract.StudyShare> }

let test: TestChain
let service: TestService
let owner: TestMember
let stranger: TestMember
let study: Ref
let strategy: Ref
let observation: Ref
let venue: Ref & { payload: { address: string; pair: { base: string; quote: string } } }
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
  })
  owner = await newOrganization(service, 'Lighthouse Labs')
  stranger = await newOrganization(service, 'Strangers')
  await observe()
  await studyIt()
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

/** Amounts that cannot be met by chance. */
const capital = { base: '1234567890123456789', quote: '987654321098765432' }

/** A validated venue with a sealed observation. */
async function observe(): Promise<void> {
  const workers = await startWorkers(service.services)
  venue = (await validatedPool(owner, test)) as never
  const { body } = await owner.client.queueVenueIndex({
    params: { id: venue.id },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  } as never)
  const jobId = (body.data as { id: string }).id
  await until('the index job has ended', async () => {
    const jobs = await owner.client.listOperatingSystemJobs()
    return jobs.body.data.some(({ id, status }) => id === jobId && status === 'COMPLETED')
  })
  await workers.stop()
}

/** A study of a range and of a strategy, with gas. */
async function studyIt(): Promise<void> {
  const found = (await owner.client.listVenueObservations()).body.data[0]!
  observation = found
  const { from, to } = found.payload.range
  const { pair } = venue.payload
  const created = await owner.client.createStrategies({
    body: {
      payload: {
        ...structuredClone(contract.createStrategies.example.body.payload),
        name: 'Follow the tide',
        pair,
        venue: { id: venue.id, resourceVersion: venue.resourceVersion },
        capital: { maxBase: `${10n ** 18n}`, maxQuote: `${10n ** 18n}` },
        parameters: { author: 'Ada of Lighthouse' },
      },
      reason: 'For the test',
    } as never,
  })
  strategy = created.body.data.strategy
  const { body } = await owner.client.createStudies({
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        name: 'Two ways',
        kind: 'REPLAY',
        pair,
        market: { venue: found.payload.venue },
        observations: [{ id: found.id, resourceVersion: found.resourceVersion }],
        window: { fromBlock: from.number, toBlock: to.number },
        arms: [
          {
            armId: 'stays',
            label: 'Stays',
            position: { kind: 'TICKS', tickLower: -1200, tickUpper: 1200 },
          },
          {
            armId: 'follows',
            label: 'Follows',
            strategy: { id: strategy.id, resourceVersion: strategy.resourceVersion },
          },
        ],
        capital: { ...capital, normalization: 'EQUAL_VALUE' },
        costs: { gas: { constantWei: '1000000000' }, nativePriceX18: `${10n ** 18n}` },
        tradeSizesQuote: [`${10n ** 16n}`],
        sampleSeconds: 12,
      },
      reason: 'A reason that is nobody else’s business',
    } as never,
  })
  study = body.data as never
}

const disclosure = {
  showOrganization: true,
  showAmounts: true,
  showVenueAddress: true,
  showStrategyParameters: true,
  showAssumptions: true,
}
const nothing = Object.fromEntries(Object.keys(disclosure).map((flag) => [flag, false]))

interface Answer {
  status: number
  code?: string
  replayed: boolean
  fieldErrors: Record<string, string[]>
  share: Share
  headers: Headers
}

async function ask(by: TestMember, operationId: string, request: LooseRequest): Promise<Answer> {
  const operation = operationById.get(operationId)!
  const answer = await send({ ...by.options, fetch: conformingFetch }, operation, request)
  const body = JSON.parse(await answer.text())
  return {
    status: answer.status,
    code: body.error?.code,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    fieldErrors: body.error?.fieldErrors ?? {},
    share: body.data,
    headers: answer.headers,
  }
}

const create = (
  payload: object = {},
  { by = owner, id = study.id, ...more }: { by?: TestMember; id?: string } & LooseRequest = {},
) =>
  ask(by, 'createStudyShareLink', {
    params: { id },
    body: { payload: { disclosure, ...payload }, reason: 'For the test' },
    ...more,
  })

const revoke = (
  { id }: { id: string },
  { by = owner, payload, ...more }: { by?: TestMember; payload?: object } & LooseRequest = {},
) =>
  ask(by, 'revokeStudyShareLink', {
    params: { id },
    body: { ...(payload ? { payload } : {}), reason: 'For the test' },
    ...more,
  })

/** What somebody without any credential reads. */
async function read(slug: string, headers: Record<string, string> = {}, from = service) {
  const operation = operationById.get('getSharedSimulationStudy')!
  const options = { baseUrl: from.baseUrl, fetch: conformingFetch }
  const answer = await send(options, operation, { params: { slug }, headers })
  const text = await answer.text()
  const { data, error } = text === '' ? { data: null, error: null } : JSON.parse(text)
  return { status: answer.status, headers: answer.headers, text, data, code: error?.code }
}

let lastSlug = 0
const slug = () => `a-slug-of-the-test-${++lastSlug}`
const hour = 3_600_000
const inTime = (milliseconds: number) => new Date(service.clock.read() + milliseconds).toISOString()
const sharesOf = async (by: TestMember) =>
  (await by.client.listStudyShares({ query: { limit: 100 } })).body.data

const recordsOf = (by: TestMember) => {
  const { database, verified, artifacts, clock } = service.services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  const { organizationId } = by
  return new TenantRecords({ organizationId, actor, now: clock(), database, verified, artifacts })
}

/** Another generation of a study, as its job would append it. */
async function nextGeneration(id: string | null, status: string): Promise<Ref> {
  const records = recordsOf(owner)
  const { payload } = (await records.current('SimulationStudy', study.id))!.record
  const version = { status: status as never, payload, reason: 'For the test', event: 'study.test' }
  const current = id ? await records.current('SimulationStudy', id) : null
  const { sealed, change } = current
    ? records.supersede(current, version)
    : records.create('SimulationStudy', version)
  await service.services.committer.commit(change)
  return sealed.record
}

async function eventsOf({ id }: { id: string }): Promise<string[]> {
  const { database } = service
  const [rows = []] = await database.tenant(owner.organizationId, [
    sql`select body from events where organization_id = ${owner.organizationId}
      and subject_id = ${id} order by sequence`,
  ])
  return rows
    .map(({ body }) => openEvent(body ?? ''))
    .map(({ kind, actor }) => `${kind} ${actor.kind}`)
}

describe('a share', () => {
  it('has a random slug and thirty days unless told otherwise, and pins its generation', async () => {
    const { status, share, headers } = await create()
    expect([status, share.status]).toEqual([201, 'ACTIVE'])
    expect(headers.get('etag')).toBe(`"${share.resourceVersion}"`)
    expect(share.id).toMatch(/^study_share_[0-9a-f]{32}$/)
    expect(share.payload.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    expect(share.payload).toEqual({
      study: { id: study.id, resourceVersion: study.resourceVersion },
      slug: share.payload.slug,
      url: `${service.config.baseUrl}/api/liquidity-studio/v2/public/studies/${share.payload.slug}`,
      expiresAt: inTime(30 * 24 * hour),
      disclosure,
    })
    const another = await create()
    expect(another.share.payload.slug).not.toBe(share.payload.slug)
    const found = await owner.client.getStudyShares({ params: { id: share.id } })
    expect(found.body.data).toEqual(share)
    expect(await sharesOf(owner)).toContainEqual(share)
    expect(await eventsOf(share)).toEqual(['study_share.created SESSION'])
  })

  it.each(['short-1', 'Uppercase-slug', '-begins-with-dash', 'under_score', 'x'.repeat(65), ''])(
    'refuses the slug "%s"',
    async (wrong) => {
      const { status, fieldErrors } = await create({ slug: wrong })
      expect([status, Object.keys(fieldErrors)]).toEqual([400, ['payload.slug']])
    },
  )

  it('ends in the future, after a year at the latest', async () => {
    const year = 365 * 24 * hour
    for (const expiresAt of [inTime(-1), inTime(0), inTime(year + 1), 'tomorrow']) {
      const { status, code, fieldErrors } = await create({ expiresAt })
      expect([status, code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
      expect(Object.keys(fieldErrors)).toEqual(['payload.expiresAt'])
    }
    expect((await create({ expiresAt: inTime(1) })).status).toBe(201)
    expect((await create({ expiresAt: inTime(year) })).share.payload.expiresAt).toBe(inTime(year))
  })

  it('is refused for a study that runs, for one of others, and for what is none', async () => {
    const running = await nextGeneration(null, 'ACTIVE')
    const codes = await Promise.all([
      create({}, { id: running.id }),
      create({ resourceVersion: `0x${'9'.repeat(64)}` }),
      create({ resourceVersion: running.resourceVersion }),
      create({}, { by: stranger }),
      create({}, { id: venue.id }),
      create({}, { by: await newMember(service, owner.organizationId, 'VIEWER') }),
    ])
    expect(codes.map(({ status, code }) => [status, code])).toEqual([
      [409, 'LIQUIDITY_STUDY_NOT_TERMINAL'],
      [409, 'LIQUIDITY_STUDY_GENERATION_MISMATCH'],
      [409, 'LIQUIDITY_STUDY_GENERATION_MISMATCH'],
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [403, 'LIQUIDITY_ROLE_REQUIRED'],
    ])
  })

  it('shows the generation that it named when there is a newer one, and says so', async () => {
    const running = await nextGeneration(null, 'ACTIVE')
    const done = await nextGeneration(running.id, 'COMPLETED')
    const early = await create({ resourceVersion: running.resourceVersion }, { id: running.id })
    expect(early.code).toBe('LIQUIDITY_STUDY_NOT_TERMINAL')
    const { share } = await create({}, { id: running.id })
    const before = await read(share.payload.slug)
    expect(before.data).toMatchObject({ superseded: false, resourceVersion: done.resourceVersion })
    const newer = await nextGeneration(running.id, 'COMPLETED')
    const after = await read(share.payload.slug)
    expect(after.data).toEqual({ ...before.data, superseded: true })
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const named = await create({ resourceVersion: done.resourceVersion }, { id: running.id })
    expect(named.share.payload.study.resourceVersion).toBe(done.resourceVersion)
    const current = await create({}, { id: running.id })
    expect(current.share.payload.study.resourceVersion).toBe(newer.resourceVersion)
  })

  it('is created once, however often and at once it is asked for under one key', async () => {
    const before = (await sharesOf(owner)).length
    const request = { idempotencyKey: `key-${crypto.randomUUID()}` }
    const payload = { slug: slug() }
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(payload, request)))
    answers.push(await create(payload, request))
    expect(new Set(answers.map(({ status, share }) => `${status} ${share.id}`)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await sharesOf(owner)).toHaveLength(before + 1)
    const reused = await create({ slug: slug() }, request)
    expect([reused.status, reused.code]).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
  })
})

describe('a slug', () => {
  /** A study of the other organization, so that both can share under one name. */
  async function foreignStudy(): Promise<string> {
    const { payload } = (await recordsOf(owner).current('SimulationStudy', study.id))!.record
    const version = { status: 'COMPLETED' as const, payload, reason: 'Test', event: 'study.test' }
    const { sealed, change } = recordsOf(stranger).create('SimulationStudy', version)
    await service.services.committer.commit(change)
    return sealed.record.id
  }

  it('goes to one of forty who ask at once from two organizations, and the others are told', async () => {
    const foreign = await foreignStudy()
    const before = (await sharesOf(owner)).length + (await sharesOf(stranger)).length
    const payload = { slug: slug() }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        create(payload, index % 2 === 0 ? {} : { by: stranger, id: foreign }),
      ),
    )
    const won = answers.filter(({ status }) => status === 201)
    const lost = answers.filter(({ code }) => code === 'LIQUIDITY_STUDY_SHARE_SLUG_TAKEN')
    expect([won.length, lost.length]).toEqual([1, 39])
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([409]))
    const after = (await sharesOf(owner)).length + (await sharesOf(stranger)).length
    expect(after).toBe(before + 1)
    const { rows } = await service.database.pool.query(
      'select record_id from public_slugs where slug = $1',
      [payload.slug],
    )
    expect(rows).toEqual([{ record_id: won[0]!.share.id }])
  })

  it('stays taken after its share is revoked, and a refusal is the answer to its key', async () => {
    const taken = { slug: slug() }
    await revoke((await create(taken)).share)
    const request = { by: stranger, id: await foreignStudy(), idempotencyKey: 'key-of-a-refusal' }
    const first = await create(taken, request)
    const again = await create(taken, request)
    expect([first.code, again.code]).toEqual(Array(2).fill('LIQUIDITY_STUDY_SHARE_SLUG_TAKEN'))
    expect([first.replayed, again.replayed]).toEqual([false, true])
  })

  it('is taken with its share or not at all', async () => {
    const name = slug()
    const { share } = await create()
    const records = recordsOf(owner)
    const { change } = records.create('StudyShare', {
      status: 'ACTIVE',
      payload: {},
      reason: 'For the test',
      event: 'study_share.created',
    })
    const statements = [
      sql`insert into public_slugs (kind, slug, held_by, record_id, expires_at)
        values ('STUDY_SHARE', ${name}, ${owner.organizationId}, ${share.id}, 9)`,
      // A second one that is taken: the whole change must leave nothing.
      sql`insert into public_slugs (kind, slug, held_by, record_id, expires_at)
        values ('STUDY_SHARE', ${share.payload.slug}, ${owner.organizationId}, ${share.id}, 9)`,
    ]
    const before = (await sharesOf(owner)).length
    await expect(service.services.committer.commit({ ...change, statements })).rejects.toThrow(
      'public_slugs_pkey',
    )
    expect(await sharesOf(owner)).toHaveLength(before)
    expect((await create({ slug: name })).status).toBe(201)
  })
})

describe('a revocation', () => {
  it('ends public reads at once and happens once', async () => {
    const { share } = await create()
    expect((await read(share.payload.slug)).status).toBe(200)
    const request = { idempotencyKey: `key-${crypto.randomUUID()}` }
    const revoked = await revoke(share, request)
    expect([revoked.status, revoked.share.status]).toEqual([200, 'REVOKED'])
    expect(revoked.share.payload).toEqual(share.payload)
    expect((await read(share.payload.slug)).status).toBe(404)
    const again = await revoke(share, request)
    expect([again.status, again.replayed, again.share]).toEqual([200, true, revoked.share])
    const second = await revoke(share)
    expect([second.status, second.code]).toEqual([409, 'LIQUIDITY_STUDY_SHARE_TERMINAL'])
    expect(await eventsOf(share)).toEqual([
      'study_share.created SESSION',
      'study_share.revoked SESSION',
    ])
  })

  it('takes the reviewed version from the header or the body, and both must agree', async () => {
    const { share } = await create()
    const stale = `0x${'7'.repeat(64)}`
    const refusals = await Promise.all([
      revoke(share, { ifMatch: stale }),
      revoke(share, { payload: { resourceVersion: stale } }),
      revoke(share, { ifMatch: share.resourceVersion, payload: { resourceVersion: stale } }),
      revoke(share, { by: stranger }),
      revoke({ id: study.id }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([412, 412, 400, 404, 404])
    expect(Object.keys(refusals[2]!.fieldErrors)).toEqual(['payload.resourceVersion'])
    const both = {
      ifMatch: share.resourceVersion,
      payload: { resourceVersion: share.resourceVersion },
    }
    expect((await revoke(share, both)).status).toBe(200)
    const other = (await create()).share
    const named = { payload: { resourceVersion: other.resourceVersion } }
    expect((await revoke(other, named)).status).toBe(200)
  })

  it('by ten at once succeeds for one', async () => {
    const { share } = await create()
    const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(share)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(409)])
  })
})

describe('a public read', () => {
  it('needs no credential, may be cached for a minute and is not to be indexed', async () => {
    const { share } = await create()
    const found = await read(share.payload.slug)
    expect(found.status).toBe(200)
    expect(found.headers.get('cache-control')).toBe('public, max-age=60')
    expect(found.headers.get('x-robots-tag')).toBe('noindex')
    const etag = found.headers.get('etag')!
    expect(etag).toBe(`"${sha256Hex(found.text)}"`)
    const again = await read(share.payload.slug, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('x-robots-tag')]).toEqual([
      304,
      '',
      'noindex',
    ])
    const { result } = (await owner.client.getStudies({ params: { id: study.id } })).body.data
      .payload
    expect(found.data).toMatchObject({
      resourceVersion: study.resourceVersion,
      resultHash: result!.resultHash,
      superseded: false,
      organization: { name: 'Lighthouse Labs' },
      venue: { address: venue.payload.address, base: venue.payload.pair.base },
      capital,
      market: result!.market,
      assumptions: result!.evidence.assumptions,
    })
    expect(found.data.results.map(({ waterfallHolder }: never) => waterfallHolder)).toEqual(
      result!.arms.map(({ waterfallHolder }) => waterfallHolder),
    )
    expect(found.data.arms[1]).toMatchObject({
      kind: 'STRATEGY',
      strategy: { name: 'Follow the tide' },
    })
  })

  it('is the same on another node', async () => {
    const { share } = await create()
    const first = await read(share.payload.slug)
    const other = await read(share.payload.slug, {}, await anotherNode(service))
    expect(other.text).toBe(first.text)
  })

  it('tells an unknown, a malformed, a revoked and an expired slug from each other by nothing', async () => {
    const expiring = (await create({ expiresAt: inTime(hour) })).share
    const revoked = (await create()).share
    await revoke(revoked)
    service.clock.advance(hour)
    const slugs = ['no-such-share', 'X', "o'brien%22", expiring.payload.slug, revoked.payload.slug]
    const answers = await Promise.all(slugs.map((name) => read(name)))
    const said = answers.map(({ status, text, headers }) => {
      const { error } = JSON.parse(text)
      return JSON.stringify([status, { ...error, correlationId: '' }, headers.get('cache-control')])
    })
    expect(new Set(said).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404, code: 'LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE' })
  })

  it('is limited for each client, who is told when to come again', async () => {
    const limited = await serviceForTest({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await read('no-such-share', {}, limited)).status).toBe(404)
    }
    const refused = await read('no-such-share', {}, limited)
    expect([refused.status, refused.code]).toEqual([429, 'LIQUIDITY_RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('refuses a share whose stored record was changed', async () => {
    const { share } = await create()
    await service.database.pool.query(
      `update records set body = replace(body, '"showAmounts":true', '"showAmounts":false') where id = $1`,
      [share.id],
    )
    expect((await read(share.payload.slug)).status).toBe(500)
    await service.database.pool.query(
      `update records set body = replace(body, '"showAmounts":false', '"showAmounts":true') where id = $1`,
      [share.id],
    )
    expect((await read(share.payload.slug)).status).toBe(200)
  })
})

describe('what leaves', () => {
  const flags = Object.keys(disclosure) as (keyof typeof disclosure)[]
  const combinations = Array.from({ length: 2 ** flags.length }, (_, bits) => {
    const shown = flags.filter((_flag, index) => ((bits >> index) & 1) === 1)
    const chosen = Object.fromEntries(flags.map((flag) => [flag, shown.includes(flag)]))
    return { shown: shown.join(', ') || 'nothing', chosen: chosen as typeof disclosure }
  })

  it.each(combinations)('holds nothing but what it may: $shown', async ({ chosen }) => {
    const { text, data } = await read((await create({ disclosure: chosen })).share.payload.slug)
    const holds = (needle: string) => text.toLowerCase().includes(needle.toLowerCase())
    const never = [
      owner.organizationId,
      owner.userId,
      study.id,
      venue.id,
      observation.id,
      strategy.id,
    ]
    const hashes = [venue.resourceVersion, observation.resourceVersion, strategy.resourceVersion]
    const said = ['nobody else', 'Ada of Lighthouse', 'study_share_', 'parameters"']
    for (const secret of [...never, ...hashes, ...said])
      expect([secret, holds(secret)]).toEqual([secret, false])
    const { address, pair } = venue.payload
    for (const place of [address, pair.base, pair.quote]) {
      expect(holds(place)).toBe(chosen.showVenueAddress)
    }
    // Not one address else, wherever it came from: a hash is 64 digits long.
    const others = text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? []
    expect(new Set(others)).toEqual(
      new Set(chosen.showVenueAddress ? [address, pair.base, pair.quote] : []),
    )
    expect(holds('Lighthouse Labs')).toBe(chosen.showOrganization)
    expect(holds('"OUT_OF_RANGE"')).toBe(chosen.showStrategyParameters)
    expect(holds('"tickLower":-1200')).toBe(chosen.showStrategyParameters)
    expect(holds('FLOW_MODEL')).toBe(chosen.showAssumptions)
    for (const amount of Object.values(capital)) expect(holds(amount)).toBe(chosen.showAmounts)
    expect(data.unit).toBe(chosen.showAmounts ? 'ATOMS' : 'MILLIONTHS_OF_CAPITAL')
  })

  it('keeps the ratios of amounts that are not shown', async () => {
    const of = async (showAmounts: boolean) =>
      (
        await read(
          (
            await create({ disclosure: { ...disclosure, showAmounts } })
          ).share.payload.slug,
        )
      ).data
    const [shown, scaled] = [await of(true), await of(false)]
    expect(BigInt(scaled.capital.base) + BigInt(scaled.capital.quote)).toBe(1_000_000n)
    const worth =
      (BigInt(shown.capital.base) * BigInt(shown.startPriceX18)) / 10n ** 18n +
      BigInt(shown.capital.quote)
    const pairs: [string, string][] = []
    for (const [index, { waterfallHolder, waterfallMaker, depth }] of shown.results.entries()) {
      const other = scaled.results[index]
      for (const line in waterfallHolder)
        pairs.push([waterfallHolder[line], other.waterfallHolder[line]])
      for (const line in waterfallMaker)
        pairs.push([waterfallMaker[line], other.waterfallMaker[line]])
      for (const at in depth) pairs.push([depth[at].medianQuote, other.depth[at].medianQuote])
    }
    for (const [index, { points }] of shown.series.entries()) {
      for (const at in points) {
        pairs.push([points[at].netVsHold, scaled.series[index].points[at].netVsHold])
      }
    }
    expect(pairs.filter(([before]) => before !== '0').length).toBeGreaterThan(20)
    for (const [before, after] of pairs) {
      const error = BigInt(after) * worth - BigInt(before) * 1_000_000n
      // Half a unit of rounding, and a hair for the division in `worth` above.
      expect(2n * (error < 0n ? -error : error) <= worth + 4_000_000n).toBe(true)
    }
    expect(scaled).toMatchObject({ market: null, startPriceX18: shown.startPriceX18 })
    for (const { flow } of scaled.results) expect(flow).toBeNull()
  })

  it('is nothing of the other organization in its lists', async () => {
    await create({ disclosure: nothing })
    const text = JSON.stringify(await sharesOf(stranger))
    expect(text).not.toContain(owner.organizationId)
  })
})

describe('expiry', () => {
  it('ends reads at the moment, and the sweep writes it down once', async () => {
    const { share } = await create({ expiresAt: inTime(hour) })
    const later = (await create({ expiresAt: inTime(hour + 1) })).share
    service.clock.advance(hour - 1)
    expect((await read(share.payload.slug)).status).toBe(200)
    service.clock.advance(1)
    expect((await read(share.payload.slug)).status).toBe(404)
    const late = await revoke(share)
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_STUDY_SHARE_TERMINAL'])
    await Promise.all([expireStudyShares(service.services), expireStudyShares(service.services)])
    const swept = await owner.client.getStudyShares({ params: { id: share.id } })
    expect(swept.body.data).toMatchObject({
      status: 'EXPIRED',
      sequence: 2,
      createdBy: { kind: 'SYSTEM', id: 'study-share-expiry' },
      payload: share.payload,
    })
    expect(await eventsOf(share)).toEqual([
      'study_share.created SESSION',
      'study_share.expired SYSTEM',
    ])
    await expireStudyShares(service.services)
    expect(await eventsOf(share)).toHaveLength(2)
    expect((await revoke(share)).code).toBe('LIQUIDITY_STUDY_SHARE_TERMINAL')
    expect((await read(later.payload.slug)).status).toBe(200)
    const kept = await owner.client.getStudyShares({ params: { id: later.id } })
    expect(kept.body.data.status).toBe('ACTIVE')
  })

  it('of one share that cannot be read does not keep the others from ending', async () => {
    const broken = (await create({ expiresAt: inTime(1) })).share
    const sound = (await create({ expiresAt: inTime(2) })).share
    await service.database.pool.query(
      `update records set body = replace(body, 'For the test', 'Of another') where id = $1`,
      [broken.id],
    )
    service.clock.advance(2)
    await expireStudyShares(service.services)
    const swept = await owner.client.getStudyShares({ params: { id: sound.id } })
    expect(swept.body.data.status).toBe('EXPIRED')
    await service.database.pool.query(
      `update records set body = replace(body, 'Of another', 'For the test') where id = $1`,
      [broken.id],
    )
    await expireStudyShares(service.services)
    const mended = await owner.client.getStudyShares({ params: { id: broken.id } })
    expect(mended.body.data.status).toBe('EXPIRED')
  })

  it('is swept by the workers when they start', async () => {
    const { share } = await create({ expiresAt: inTime(1) })
    service.clock.advance(1)
    const workers = await startWorkers(service.services)
    await until('the share has expired', async () => {
      const found = await owner.client.getStudyShares({ params: { id: share.id } })
      return found.body.data.status === 'EXPIRED'
    })
    await workers.stop()
  })
})
