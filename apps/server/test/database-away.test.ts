// @module-tag postgres

import { type LooseRequest, send } from '@liquidity-os/client'
import { basePath, operationById } from '@liquidity-os/contract'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startWorkers } from '../src/service.ts'
import { Database, StoreUnavailableError } from '../src/store/database/database.ts'
import { bookmarkBody, keyBody } from './support/bodies.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { type PrivatePostgres, privatePostgres } from './support/private-postgres.ts'
import {
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const onPostgres = Boolean(process.env.DATABASE_URL)
const unavailable = [503, 'LIQUIDITY_STORE_UNAVAILABLE']

async function ask(member: Pick<TestMember, 'options'>, id: string, request: LooseRequest = {}) {
  const answer = await send(member.options, operationById.get(id)!, request)
  const text = await answer.text()
  const { headers, status } = answer
  return { status, headers, text, code: text ? JSON.parse(text).error?.code : undefined }
}

async function countsOf({ database }: TestService): Promise<number[]> {
  const { rows } = await database.pool.query(
    `select (select count(*) from records) as records, (select count(*) from events) as events,
       (select count(*) from record_heads) as heads, (select count(*) from idempotency) as stored,
       (select count(*) from names) as names`,
  )
  return Object.values(rows[0]).map(Number)
}

/** A service whose database can be taken away and given back. */
async function breakable(): Promise<{
  service: TestService
  takeAway: () => Promise<void>
  giveBack: () => Promise<void>
}> {
  if (!onPostgres) return breakableEmbedded()
  const server: PrivatePostgres = await privatePostgres()
  onTestFinished(() => {
    server.stop()
    server.remove()
  })
  const before = process.env.DATABASE_URL
  process.env.DATABASE_URL = server.url
  try {
    const service = await serviceForTest()
    return {
      service,
      takeAway: async () => server.stop(),
      giveBack: async () => server.start(),
    }
  } finally {
    process.env.DATABASE_URL = before
  }
}

/** The embedded database lives in the process; what can go away is the way to it. */
async function breakableEmbedded() {
  const service = await serviceForTest()
  const { pool } = service.database
  const query = pool.query.bind(pool)
  return {
    service,
    takeAway: async () => {
      pool.query = (() => Promise.reject(new Error('Connection terminated'))) as never
    },
    giveBack: async () => {
      pool.query = query as never
    },
  }
}

describe('a database that goes away', () => {
  it('is told as 503, with nothing half done, and the service recovers without a restart', async () => {
    const { service, takeAway, giveBack } = await breakable()
    const owner = await newOrganization(service)
    const first = await ask(owner, 'savePlatformProject', { body: bookmarkBody(1) })
    const issued = await owner.client.createDeveloperCredentials({
      body: keyBody(['studies:read']),
    })
    const key = {
      options: {
        baseUrl: service.baseUrl,
        organizationId: owner.organizationId,
        fetch: conformingFetch,
        auth: { kind: 'bearer' as const, token: issued.body.data.secret },
      },
    }
    const counts = await countsOf(service)
    await takeAway()
    const request = { body: bookmarkBody(2), idempotencyKey: 'asked-while-away' }
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const refused = await ask(owner, 'savePlatformProject', request)
      expect([refused.status, refused.code]).toEqual(unavailable)
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(refused.text).not.toMatch(/ECONN|terminat|postgres|connect/i)
    }
    // A credential that cannot be checked grants nothing.
    const unchecked = await ask(key, 'listStudies')
    expect([unchecked.status, unchecked.code]).toEqual([
      503,
      'LIQUIDITY_STUDIO_SERVICE_AUTH_UNAVAILABLE',
    ])
    expect((await ask(owner, 'listSavedPlatformProjects')).status).toBe(503)
    const status = await fetch(`${service.baseUrl}${basePath}/status`)
    expect(await status.json()).toMatchObject({ data: { state: 'DEGRADED' } })
    await giveBack()
    const saved = await until('the service to recover', async () => {
      const answer = await ask(owner, 'savePlatformProject', request)
      return answer.status === 201 ? answer : null
    })
    expect(await countsOf(service)).toEqual(counts.map((count) => count + 1))
    expect((await ask(owner, 'savePlatformProject', request)).text).toBe(saved.text)
    const { body } = await owner.client.listSavedPlatformProjects()
    expect(body.data).toHaveLength(2)
    expect((await ask(key, 'listStudies')).status).toBe(200)
    expect(JSON.parse(first.text).data.id).toBe(body.data[1]!.id)
  })

  it('in the middle of a hundred changes loses none that was acknowledged', async () => {
    const { service, takeAway, giveBack } = await breakable()
    const owner = await newOrganization(service)
    await ask(owner, 'listSavedPlatformProjects')
    const requests = Array.from({ length: 100 }, (_, index) => ({
      body: bookmarkBody(100 + index),
      idempotencyKey: `in-the-middle-${index}`,
    }))
    let answered = 0
    let away: Promise<void> | null = null
    const save = async (request: LooseRequest) => {
      const answer = await ask(owner, 'savePlatformProject', request)
      answered += 1
      if (answered === 20) away = takeAway()
      return answer
    }
    const workers = Array.from({ length: 5 }, async (_, worker) => {
      const seen = []
      for (const request of requests.filter((_request, index) => index % 5 === worker)) {
        seen.push({ request, answer: await save(request) })
      }
      return seen
    })
    const seen = (await Promise.all(workers)).flat()
    await away
    expect(seen.some(({ answer }) => answer.status === 503)).toBe(true)
    await giveBack()
    for (const { request, answer } of seen) {
      const again = await until('an answer', async () => {
        const repeated = await ask(owner, 'savePlatformProject', request)
        return repeated.status === 201 ? repeated : null
      })
      if (answer.status === 201) expect(again.text).toBe(answer.text)
    }
    expect((await countsOf(service)).slice(0, 4)).toEqual([100, 100, 100, 100])
  }, 120_000)

  it('leaves the workers waiting for it, and they go on when it is back', async () => {
    const { service, takeAway, giveBack } = await breakable()
    const owner = await newOrganization(service)
    const workers = await startWorkers(service.services)
    try {
      await takeAway()
      expect((await ask(owner, 'listVenues')).status).toBe(503)
      await giveBack()
      await until('the service to recover', async () => {
        return (await ask(owner, 'listVenues')).status === 200
      })
    } finally {
      await workers.stop()
    }
  })
})

describe('a failure of the driver', () => {
  it.each([
    ['a refused connection', { code: 'ECONNREFUSED' }],
    ['a reset connection', { code: 'ECONNRESET' }],
    ['a shutdown', { code: '57P01' }],
    ['a server that is starting', { code: '57P03' }],
    ['too many connections', { code: '53300' }],
    ['a full disk', { code: '53100' }],
    ['a standby that cannot write', { code: '25006' }],
    ['a connection that ended', { message: 'Connection terminated unexpectedly' }],
    ['a query that did not end', { message: 'Query read timeout' }],
    ['a pool without room', { message: 'timeout exceeded when trying to connect' }],
  ])('of the kind of %s is an absent database', async (_name, facts) => {
    const failing = { query: () => Promise.reject(Object.assign(new Error(), facts)) }
    const database = new Database('postgres', failing as unknown as pg.Pool, async () => {})
    await expect(database.global([{ text: 'select 1' }])).rejects.toBeInstanceOf(
      StoreUnavailableError,
    )
  })
})
