// @module-tag postgres

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { LooseRequest } from '@liquidity-os/client'
import { basePath } from '@liquidity-os/contract'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { connectPostgres } from '../src/store/database/connect.ts'
import { Database, StoreUnavailableError } from '../src/store/database/database.ts'
import { bookmarkBody, keyBody } from './support/bodies.ts'
import { ask, breakable, unavailable } from './support/breakable.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { newOrganization, serviceForTest, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

async function countsOf({ database }: TestService): Promise<number[]> {
  const { rows } = await database.pool.query(
    `select (select count(*) from records) as records, (select count(*) from events) as events,
       (select count(*) from record_heads) as heads, (select count(*) from idempotency) as stored,
       (select count(*) from names) as names`,
  )
  return Object.values(rows[0]).map(Number)
}

describe('a database that goes away', () => {
  it('returns 503 without partial writes, and the service recovers without a restart', async () => {
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
  })
})

describe('an answer of the database that is lost on its way', () => {
  const body = bookmarkBody(7)
  const request = { body, idempotencyKey: 'answer-lost' }

  it('is found by its key: a committed change is confirmed as committed, once', async () => {
    const service = await serviceForTest()
    const owner = await newOrganization(service)
    await ask(owner, 'savePlatformProject', { body: bookmarkBody(1) })
    const counts = await countsOf(service)
    const lost = losing(service, { alsoAfterwards: false })
    const saved = await ask(owner, 'savePlatformProject', request)
    expect([saved.status, lost()]).toEqual([201, 1])
    expect((await ask(owner, 'savePlatformProject', request)).text).toBe(saved.text)
    expect(await countsOf(service)).toEqual(counts.map((count) => count + 1))
  })

  it('is reported as unknown if its key cannot be looked up, and the same key resolves it later', async () => {
    const service = await serviceForTest()
    const owner = await newOrganization(service)
    await ask(owner, 'savePlatformProject', { body: bookmarkBody(1) })
    const counts = await countsOf(service)
    const lost = losing(service, { alsoAfterwards: true })
    const refused = await ask(owner, 'savePlatformProject', request)
    expect([refused.status, refused.code]).toEqual([503, 'LIQUIDITY_OUTCOME_UNKNOWN'])
    expect(refused.text).not.toMatch(/no data was written/i)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(lost()).toBeGreaterThan(1)
    lost.stop()
    const response = await ask(owner, 'savePlatformProject', request)
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(await countsOf(service)).toEqual(counts.map((count) => count + 1))
  })
})

/** Loses the answer of the next writing transaction, which is carried out; tells how many were lost. */
function losing(
  { database: { pool } }: TestService,
  { alsoAfterwards }: { alsoAfterwards: boolean },
) {
  const connect = pool.connect.bind(pool)
  let count = 0
  const watched = async () => {
    const client = await connect()
    const query = client.query.bind(client) as unknown as (text: string) => Promise<unknown>
    return {
      on: client.on.bind(client),
      off: client.off.bind(client),
      release: client.release.bind(client),
      query: async (text: string) => {
        const answer = await query(text)
        const isLost = count > 0 ? alsoAfterwards : text.includes('append_change_group(')
        if (!isLost) return answer
        count += 1
        throw new Error('Connection terminated unexpectedly')
      },
    }
  }
  // The queue of jobs asks by callback, and loses nothing.
  pool.connect = ((heard?: never) => (heard ? connect(heard) : watched())) as never
  return Object.assign(() => count, {
    stop: () => {
      pool.connect = connect as never
    },
  })
}

describe('a failure of the driver', () => {
  it.each([
    ['a shutdown', { code: '57P01' }, true],
    ['a reset connection', { code: 'ECONNRESET' }, true],
    ['a connection that ended', { message: 'Connection terminated unexpectedly' }, true],
    ['a query that did not end', { message: 'Query read timeout' }, true],
    ['too many connections', { code: '53300' }, false],
    ['a full disk', { code: '53100' }, false],
    ['a standby that cannot write', { code: '25006' }, false],
    ['a statement that took too long', { code: '57014' }, false],
  ])('of the kind of %s is an absent database', async (_name, facts, mayBeWritten) => {
    const client = {
      query: () => Promise.reject(Object.assign(new Error(), facts)),
      on: () => {},
      off: () => {},
      release: () => {},
    }
    await expect(sentBy({ connect: async () => client })).rejects.toMatchObject({
      constructor: StoreUnavailableError,
      mayBeWritten,
    })
  })

  it.each([
    ['a refused connection', { code: 'ECONNREFUSED' }],
    ['a server that is starting', { code: '57P03' }],
    ['a pool without room', { message: 'timeout exceeded when trying to connect' }],
  ])('of the kind of %s is one to which nothing was said', async (_name, facts) => {
    const connect = () => Promise.reject(Object.assign(new Error(), facts))
    await expect(sentBy({ connect })).rejects.toMatchObject({
      constructor: StoreUnavailableError,
      mayBeWritten: false,
    })
  })

  it('retries a connection without response, and not a refused one', async () => {
    const answer = [{ rows: [] }, { rows: [{ is_standby: 'f' }] }, { rows: [{ one: '1' }] }]
    const client = { query: async () => answer, release: () => {} }
    let tried = 0
    const connectSlowly = async () => {
      tried += 1
      if (tried < 3) throw new Error('timeout exceeded when trying to connect')
      return client
    }
    expect(await sentBy({ connect: connectSlowly })).toEqual([[{ one: '1' }]])
    expect(tried).toBe(3)
    let refused = 0
    const refusing = async () => {
      refused += 1
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    await expect(sentBy({ connect: refusing })).rejects.toThrow(StoreUnavailableError)
    expect(refused).toBe(1)
  })

  it('that comes with the first word of the server ends no process', async () => {
    const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', ''].join('\0')
    const messageOf = (type: string, body: Buffer) => {
      const length = Buffer.alloc(4)
      length.writeInt32BE(body.length + 4)
      return Buffer.concat([Buffer.from(type), length, body])
    }
    const stopping = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        const [admitted, ready] = [
          messageOf('R', Buffer.alloc(4)),
          messageOf('Z', Buffer.from('I')),
        ]
        socket.end(Buffer.concat([admitted, ready, messageOf('E', Buffer.from(`${fields}\0`))]))
      })
    }).listen(0, '127.0.0.1')
    await once(stopping, 'listening')
    const { port } = stopping.address() as AddressInfo
    const database = connectPostgres(`postgres://nobody@127.0.0.1:${port}/nothing`, 'test')
    await expect(database.global([{ text: 'select 1' }])).rejects.toThrow(StoreUnavailableError)
    await database.close()
    stopping.close()
  })

  const sentBy = (pool: { connect: () => Promise<unknown> }) =>
    new Database('postgres', pool as unknown as pg.Pool, async () => {}).global([
      { text: 'select 1' },
    ])
})
