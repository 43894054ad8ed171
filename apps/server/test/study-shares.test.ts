// @module-tag postgres

import { openEvent } from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareLinks } from '../src/families/simulate/study-shares/records.ts'
import { startWorkers } from '../src/service.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { newMember } from './support/service.ts'
import {
  create,
  disclosure,
  foreignOwner,
  inTime,
  owner,
  type Ref,
  read,
  recordsOf,
  revoke,
  service,
  sharesOf,
  startSharing,
  stopSharing,
  study,
  venue,
} from './support/sharing.ts'
import { until } from './support/until.ts'

beforeAll(startSharing)
afterAll(stopSharing)

let lastSlug = 0
const slug = () => `a-slug-of-the-test-${++lastSlug}`

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
  it('has a random slug and 30 days by default, and pins its version', async () => {
    const { status, share, headers } = await create()
    expect([status, share.status]).toEqual([201, 'ACTIVE'])
    expect(headers.get('etag')).toBe(`"${share.resourceVersion}"`)
    expect(share.id).toMatch(/^study_share_[0-9a-f]{32}$/)
    expect(share.payload.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    expect(share.payload).toEqual({
      study: { id: study.id, resourceVersion: study.resourceVersion },
      slug: share.payload.slug,
      url: `${service.config.baseUrl}/api/liquidity-studio/v2/public/studies/${share.payload.slug}`,
      expiresAt: inTime(30 * dayMilliseconds),
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
    const yearMilliseconds = 365 * dayMilliseconds
    for (const expiresAt of [inTime(-1), inTime(0), inTime(yearMilliseconds + 1), 'tomorrow']) {
      const { status, code, fieldErrors } = await create({ expiresAt })
      expect([status, code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
      expect(Object.keys(fieldErrors)).toEqual(['payload.expiresAt'])
    }
    expect((await create({ expiresAt: inTime(1) })).status).toBe(201)
    expect((await create({ expiresAt: inTime(yearMilliseconds) })).share.payload.expiresAt).toBe(
      inTime(yearMilliseconds),
    )
  })

  it('is rejected for a running study, a foreign study and an unknown one', async () => {
    const running = await nextGeneration(null, 'ACTIVE')
    const codes = await Promise.all([
      create({}, { id: running.id }),
      create({ resourceVersion: `0x${'9'.repeat(64)}` }),
      create({ resourceVersion: running.resourceVersion }),
      create({}, { by: foreignOwner }),
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

  it('is rejected if If-Match is stale or differs from the body', async () => {
    const running = await nextGeneration(null, 'COMPLETED')
    const done = await nextGeneration(running.id, 'COMPLETED')
    const stale = running.resourceVersion
    const answers = [
      await create({}, { id: done.id, ifMatch: stale }),
      await create({ resourceVersion: stale }, { id: done.id, ifMatch: done.resourceVersion }),
      await create({}, { id: done.id, ifMatch: done.resourceVersion }),
    ]
    expect(answers.map(({ status, code }) => [status, code ?? ''])).toEqual([
      [412, 'LIQUIDITY_PRECONDITION_FAILED'],
      [400, 'LIQUIDITY_PRECONDITION_AMBIGUOUS'],
      [201, ''],
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

  it('is created once for any number of concurrent requests under one key', async () => {
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
  it('can be taken and closed by the service, never given back', async () => {
    const attempt = service.database.global([sql`delete from public_slugs`])
    await expect(attempt).rejects.toMatchObject({ code: '42501' })
  })

  /** A study of the other organization, so that both can share under one name. */
  async function foreignStudy(): Promise<string> {
    const { payload } = (await recordsOf(owner).current('SimulationStudy', study.id))!.record
    const version = { status: 'COMPLETED' as const, payload, reason: 'Test', event: 'study.test' }
    const { sealed, change } = recordsOf(foreignOwner).create('SimulationStudy', version)
    await service.services.committer.commit(change)
    return sealed.record.id
  }

  it('goes to one of forty concurrent requests from two organizations, and the others are rejected', async () => {
    const foreign = await foreignStudy()
    const before = (await sharesOf(owner)).length + (await sharesOf(foreignOwner)).length
    const payload = { slug: slug() }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        create(payload, index % 2 === 0 ? {} : { by: foreignOwner, id: foreign }),
      ),
    )
    const won = answers.filter(({ status }) => status === 201)
    const lost = answers.filter(({ code }) => code === 'LIQUIDITY_STUDY_SHARE_SLUG_TAKEN')
    expect([won.length, lost.length]).toEqual([1, 39])
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([409]))
    const after = (await sharesOf(owner)).length + (await sharesOf(foreignOwner)).length
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
    const request = {
      by: foreignOwner,
      id: await foreignStudy(),
      idempotencyKey: 'key-of-a-refusal',
    }
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
    const request = {
      idempotencyKey: `key-${crypto.randomUUID()}`,
      ifMatch: share.resourceVersion,
    }
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

  it('is listed with the shares of its study, and no other', async () => {
    const { share } = await create()
    const idsOf = async (subject: string) => {
      const { body } = await owner.client.listStudyShares({ query: { subject } })
      return body.data.map(({ id }) => id)
    }
    expect(await idsOf(study.id)).toContain(share.id)
    expect(await idsOf(`study_${'0'.repeat(32)}`)).toEqual([])
  })

  it('takes the reviewed version from the header or the body, and both must agree', async () => {
    const { share } = await create()
    const stale = `0x${'7'.repeat(64)}`
    const refusals = await Promise.all([
      revoke(share, { ifMatch: stale }),
      revoke(share, { payload: { resourceVersion: stale } }),
      revoke(share, { ifMatch: share.resourceVersion, payload: { resourceVersion: stale } }),
      revoke(share, { by: foreignOwner }),
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
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => revoke(share, { ifMatch: share.resourceVersion })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(412)])
  })
})

describe('expiry', () => {
  it('ends reads at the moment, and the sweep writes it down once', async () => {
    const { share } = await create({ expiresAt: inTime(hourMilliseconds) })
    const later = (await create({ expiresAt: inTime(hourMilliseconds + 1) })).share
    service.clock.advance(hourMilliseconds - 1)
    expect((await read(share.payload.slug)).status).toBe(200)
    service.clock.advance(1)
    expect((await read(share.payload.slug)).status).toBe(404)
    const late = await revoke(share)
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_STUDY_SHARE_TERMINAL'])
    await Promise.all([shareLinks.expire(service.services), shareLinks.expire(service.services)])
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
    await shareLinks.expire(service.services)
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
    await shareLinks.expire(service.services)
    const swept = await owner.client.getStudyShares({ params: { id: sound.id } })
    expect(swept.body.data.status).toBe('EXPIRED')
    await service.database.pool.query(
      `update records set body = replace(body, 'Of another', 'For the test') where id = $1`,
      [broken.id],
    )
    await shareLinks.expire(service.services)
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
