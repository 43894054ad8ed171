// @module-tag postgres

import { expect, it } from 'vitest'
import { measureDue } from '../src/jobs/usage.ts'
import { contentHashOf } from '../src/store/artifacts/content-hash.ts'
import { sql } from '../src/store/database/sql.ts'
import { emptyChange } from '../src/store/records/change.ts'
import { measureUsage } from '../src/store/records/measure-usage.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { bookmarkBody, venueBody } from './support/bodies.ts'
import { issue } from './support/credentials.ts'
import { callOperation } from './support/requests.ts'
import { anotherNode, newOrganization, serviceForTest, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'
import { counted, fill, full, held, writes } from './support/usage.ts'

it('counts nothing without a quota', async () => {
  const service = await serviceForTest()
  const owner = await newOrganization(service)
  expect((await writes(owner)).status).toBe(201)
  await service.services.usage.flush()
  await measureDue(service.services)
  expect(await counted(service, owner)).toBe(null)
})

it('counts the bytes that a walk over the rows finds, letters beyond ASCII among them', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '1000000' })
  const owner = await newOrganization(service)
  await issue(owner, 'API_KEY', ['studies:read'], { label: 'Zürich → 東京' })
  await callOperation(owner, 'createVenues', { body: venueBody(77) })
  // A refusal that is kept for replays.
  await callOperation(owner, 'createVenues', { body: venueBody(77) })
  await service.services.usage.flush()
  const counts = await counted(service, owner)
  expect(counts).toEqual({ bytes: await held(service, owner), isMeasured: false })
  await measureDue(service.services)
  expect(await counted(service, owner)).toEqual({ bytes: counts?.bytes, isMeasured: true })
})

it('counts an artifact of several parts once, and subtracts repeated registrations', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '2000000' })
  const owner = await newOrganization(service)
  const { usage, committer } = service.services
  const content = new Uint8Array(1_500_000).fill(7)
  const change = {
    ...emptyChange(owner.organizationId, service.clock.read()),
    artifacts: [
      {
        contentHash: contentHashOf(content),
        mediaType: 'application/octet-stream',
        content,
        producer: { resourceType: 'StudyResult', id: 'study_1', resourceVersion: '0x1' },
      },
    ],
  }
  const flushAndCount = async () => {
    await usage.flush()
    return (await counted(service, owner))?.bytes
  }
  await committer.commit(change)
  expect(await flushAndCount()).toBe(content.length)
  expect(await held(service, owner)).toBe(content.length)
  expect((await writes(owner)).status).toBe(201)
  await committer.commit(change)
  expect(await writes(owner)).toMatchObject(full)
  await measureDue(service.services)
  expect(await flushAndCount()).toBe(await held(service, owner))
  expect((await writes(owner)).status).toBe(201)
})

it('rejects writes over the quota, and no other requests', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '30000' })
  const owner = await newOrganization(service)
  const other = await newOrganization(service)
  const { credential } = await issue(owner, 'API_KEY', ['studies:read'])
  const first = await writes(owner, 'the-first-key')
  expect(first.status).toBe(201)
  expect(await fill(owner)).toBeGreaterThan(5)
  const before = await held(service, owner)
  expect(before).toBeGreaterThan(30_000)

  const { client } = owner
  const refusal = await client
    .savePlatformProject({ body: bookmarkBody(5), idempotencyKey: 'refused-for-now' })
    .catch((error) => error)
  expect(refusal).toMatchObject({
    ...full,
    message: expect.stringContaining(`uses ${before} of 30000 bytes. No data was written.`),
  })
  expect(await held(service, owner)).toBe(before)

  expect(await writes(owner, 'the-first-key')).toMatchObject({ status: 201, isReplayed: true })
  // Also of whoever has not been seen for a while.
  service.clock.advance(hourMilliseconds / 2)
  expect(await writes(owner, 'the-first-key')).toMatchObject({ status: 201, isReplayed: true })
  expect((await client.listSavedPlatformProjects()).status).toBe(200)
  expect((await writes(other)).status).toBe(201)
  const revoked = await callOperation(owner, 'supersedeDeveloperCredentials', {
    params: { id: credential.id },
    ifMatch: credential.resourceVersion,
    body: { status: 'REVOKED', reason: 'It leaked' },
  })
  expect(revoked.status).toBe(200)

  const raised = await anotherNode(service, { maxOrganizationBytes: 1_000_000 })
  const again = { ...owner, options: { ...owner.options, baseUrl: raised.baseUrl } }
  await service.services.usage.flush()
  const repeated = await callOperation(again, 'savePlatformProject', {
    body: bookmarkBody(5),
    idempotencyKey: 'refused-for-now',
  })
  expect(repeated).toMatchObject({ status: 201, isReplayed: false })
})

it('pauses a venue and rejects a change of its identity', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '20000' })
  const owner = await newOrganization(service)
  const { data } = await callOperation<{ id: string; resourceVersion: string }>(
    owner,
    'createVenues',
    {
      body: venueBody(78),
    },
  )
  await fill(owner)
  const change = (body: object) =>
    callOperation(owner, 'supersedeVenues', {
      params: { id: data.id },
      ifMatch: data.resourceVersion,
      body: { ...body, reason: 'For the test' },
    })
  expect(await change({ payload: { tags: ['more'] } })).toMatchObject(full)
  expect(await change({ status: 'REVOKED', payload: { tags: ['more'] } })).toMatchObject(full)
  expect((await change({ status: 'REVOKED' })).status).toBe(200)
})

it('adds up what two nodes commit', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '20000' })
  const owner = await newOrganization(service)
  const node = await anotherNode(service)
  const there = { ...owner, options: { ...owner.options, baseUrl: node.baseUrl } }
  const [here, beyond] = [service.services.usage, node.services.usage]
  for (const by of [owner, there]) await writes(by)
  await Promise.all([here.flush(), beyond.flush()])
  expect((await counted(service, owner))?.bytes).toBe(await held(service, owner))
  await fill(owner)
  await here.flush()
  await beyond.flush()
  expect(await writes(there)).toMatchObject(full)
})

it('corrects counts of a killed process', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '20000' })
  const owner = await newOrganization(service)
  const node = await anotherNode(service)
  // From here on it tells nothing, as one that is killed before it could.
  await node.services.usage.close()
  await fill({ ...owner, options: { ...owner.options, baseUrl: node.baseUrl } })
  expect(await counted(service, owner)).toBe(null)
  expect((await writes(owner)).status).toBe(201)
  await measureDue(service.services)
  expect((await counted(service, owner))?.bytes).toBe(await held(service, owner))
  await service.services.usage.flush()
  expect(await writes(owner)).toMatchObject(full)
})

it('is corrected once by however many measure at the same time', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '1000000' })
  const owner = await newOrganization(service)
  const { organizationId } = owner
  await writes(owner)
  await service.services.usage.flush()
  await service.database.tenant(organizationId, [sql`update organization_usage set bytes = 5`])
  const measure = (measuredAt: number | null, now: number) =>
    measureUsage(service.database, { organizationId, measuredAt }, now)
  await Promise.all([1, 2, 3, 4].map((now) => measure(null, now)))
  expect((await counted(service, owner))?.bytes).toBe(await held(service, owner))
  // Whoever decided by an older measurement does nothing.
  await service.database.tenant(organizationId, [sql`update organization_usage set bytes = 5`])
  await measure(null, 9)
  expect((await counted(service, owner))?.bytes).toBe(5)
})

it.runIf(process.env.DATABASE_URL)('keeps changes during a measurement', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '1000000' })
  const owner = await newOrganization(service)
  const { organizationId } = owner
  await writes(owner)
  await service.services.usage.flush()
  const before = await held(service, owner)
  const writer = await service.database.pool.connect()
  await writer.query('begin; update organization_usage set bytes = bytes + 7')
  const measured = measureUsage(service.database, { organizationId, measuredAt: null }, 1)
  await until('the measurement waits for the row', async () => {
    const { rows } = await service.database.pool.query(
      `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database() and a.query like '%measured_at = excluded.measured_at%'`,
    )
    return rows.length > 0
  })
  await writer.query('commit')
  writer.release()
  await measured
  expect(await counted(service, owner)).toEqual({ bytes: before + 7, isMeasured: true })
})

it('measures each once a day, and one that is refused once an hour', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '20000' })
  const [owner, small] = [await newOrganization(service), await newOrganization(service)]
  await fill(owner)
  await writes(small)
  await measureDue(service.services)
  const wrong = (by: TestMember, bytes: number) =>
    service.database.tenant(by.organizationId, [
      sql`update organization_usage set bytes = ${bytes}`,
    ])
  const after = async (milliseconds: number) => {
    service.clock.advance(milliseconds)
    await measureDue(service.services)
    return [(await counted(service, owner))?.bytes, (await counted(service, small))?.bytes]
  }
  await wrong(owner, 900_000)
  await wrong(small, 7)
  expect(await after(hourMilliseconds / 2)).toEqual([900_000, 7])
  expect(await after(hourMilliseconds)).toEqual([await held(service, owner), 7])
  expect(await after(dayMilliseconds)).toEqual([
    await held(service, owner),
    await held(service, small),
  ])
})

it('is measured in parts, and by another worker from where the first was stopped', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '1000000' })
  const owner = await newOrganization(service)
  const { organizationId } = owner
  for (let written = 0; written < 7; written += 1) await writes(owner)
  const { committer, usage } = service.services
  const artifacts = [1, 2, 3].map((byte) => {
    const content = new Uint8Array(1000 * byte).fill(byte)
    const producer = { resourceType: 'StudyResult', id: `study_${byte}`, resourceVersion: '0x1' }
    const mediaType = 'application/octet-stream'
    return { contentHash: contentHashOf(content), mediaType, content, producer }
  })
  await committer.commit({ ...emptyChange(organizationId, service.clock.read()), artifacts })
  await usage.flush()
  const kept = await held(service, owner)
  await service.database.tenant(organizationId, [sql`update organization_usage set bytes = 5`])

  const at = { organizationId, measuredAt: null }
  const twoParts = { parts: 2, partRows: 2 }
  expect(await measureUsage(service.database, at, 1, twoParts)).toBe(false)
  expect(await counted(service, owner)).toEqual({ bytes: 5, isMeasured: false })
  // What is told between the parts stays, whether the walk has passed it or not.
  await writes(owner)
  await usage.flush()
  const added = (await held(service, owner)) - kept
  const ends: boolean[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    ends.push(await measureUsage(service.database, at, 2, twoParts))
  }
  expect(ends).toEqual([false, true, false])
  const after = await counted(service, owner)
  expect(after?.isMeasured).toBe(true)
  expect(after?.bytes).toBeGreaterThanOrEqual(kept)
  expect(after?.bytes).toBeLessThanOrEqual(kept + added)

  // Nothing is told during the next, so the walk decides alone, however few rows a part has.
  for (const partRows of [1, 3, 8, 9]) {
    await service.database.tenant(organizationId, [
      sql`update organization_usage set bytes = 9000000, measured_at = 2`,
    ])
    const measured = { organizationId, measuredAt: 2 }
    expect(await measureUsage(service.database, measured, 3, { parts: 40, partRows })).toBe(true)
    expect((await counted(service, owner))?.bytes).toBe(kept + added)
  }
})

it('leaves a consistent count unchanged', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '1000000' })
  const owner = await newOrganization(service)
  const at = { organizationId: owner.organizationId, measuredAt: null }
  for (let written = 0; written < 4; written += 1) await writes(owner)
  await service.services.usage.flush()
  await measureUsage(service.database, at, 1, { parts: 1, partRows: 3 })
  for (let written = 0; written < 4; written += 1) await writes(owner)
  await service.services.usage.flush()
  expect(await measureUsage(service.database, at, 2, { parts: 40, partRows: 3 })).toBe(true)
  expect((await counted(service, owner))?.bytes).toBe(await held(service, owner))
})
