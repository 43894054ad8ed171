// @module-tag postgres

import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LooseRequest, send } from '@liquidity-os/client'
import { basePath, operationById } from '@liquidity-os/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { limits } from '../src/limits.ts'
import { startService, startWorkers } from '../src/service.ts'
import { connectPostgres } from '../src/store/database/connect.ts'
import { Database, StoreUnavailableError } from '../src/store/database/database.ts'
import { bookmarkBody, keyBody } from './support/bodies.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { reservePort } from './support/ports.ts'
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
  const { service, server } = await serviceOnItsOwn()
  return {
    service,
    takeAway: async () => server.stop(),
    giveBack: async () => server.start(),
  }
}

/** A service on a PostgreSQL that nobody else uses. */
async function serviceOnItsOwn(): Promise<{ service: TestService; server: PrivatePostgres }> {
  const server = await privatePostgres()
  onTestFinished(() => {
    server.stop()
    server.remove()
  })
  const before = process.env.DATABASE_URL
  process.env.DATABASE_URL = server.url
  try {
    return { service: await serviceForTest(), server }
  } finally {
    process.env.DATABASE_URL = before
  }
}

/** The embedded database lives in the process; what can go away is the way to it. */
async function breakableEmbedded() {
  const service = await serviceForTest()
  const { pool } = service.database
  const connect = pool.connect.bind(pool)
  return {
    service,
    takeAway: async () => {
      const away = new Error('Connection terminated')
      pool.connect = ((heard?: (cause: Error) => void) =>
        heard ? heard(away) : Promise.reject(away)) as never
    },
    giveBack: async () => {
      pool.connect = connect as never
    },
  }
}

describe.runIf(onPostgres)('a primary that is a standby now', () => {
  it('acknowledges nothing and shows nothing: what it has may be undone', async () => {
    const { service, server } = await serviceOnItsOwn()
    const owner = await newOrganization(service)
    const request = { body: bookmarkBody(1), idempotencyKey: 'asked-before-failover' }
    expect((await ask(owner, 'savePlatformProject', request)).status).toBe(201)
    server.stop()
    server.becomeStandby()
    server.start()
    // The answer under the key can be read there, and so can the record.
    await until('the standby to show its answers', async () => {
      const { rows } = await service.database.pool.query('select from idempotency')
      return rows.length > 0
    })
    for (const [id, asked] of [
      ['savePlatformProject', request],
      ['listSavedPlatformProjects', {}],
    ] as const) {
      const { status, code } = await ask(owner, id, asked)
      expect([id, status, code]).toEqual([id, ...unavailable])
    }
    service.clock.advance(limits.writableMilliseconds)
    const ready = await fetch(`${service.baseUrl}/health/ready`)
    const { status } = (await ready.json()) as { status: string }
    expect([ready.status, status]).toEqual([503, 'database read-only'])
  })
})

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
  })

  it('is waited for by workers that lose it before their queue starts', async () => {
    const { service, takeAway, giveBack } = await breakable()
    const warned = vi.spyOn(service.services.log, 'warn')
    await takeAway()
    const starting = startWorkers(service.services)
    await until('an attempt that failed', () => warned.mock.calls.length > 0)
    await giveBack()
    await (await starting).stop()
  })

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

describe('readiness', () => {
  it('is over on a database that takes no change, and comes back with it', async () => {
    const { service, setReadOnly } = await hardening()
    const owner = await newOrganization(service)
    const ready = async () => {
      // A trial is believed for a while.
      service.clock.advance(limits.writableMilliseconds)
      const answer = await fetch(`${service.baseUrl}/health/ready`)
      const { status } = (await answer.json()) as { status: string }
      return [answer.status, status]
    }
    expect(await ready()).toEqual([200, 'ready'])
    await setReadOnly(true)
    await until('the database to be read-only', async () => (await ready())[0] === 503)
    expect(await ready()).toEqual([503, 'database read-only'])
    expect((await ask(owner, 'listSavedPlatformProjects')).status).toBe(200)
    const refused = await ask(owner, 'savePlatformProject', { body: bookmarkBody(1) })
    expect([refused.status, refused.code]).toEqual(unavailable)
    expect(refused.text).toContain('The database is read-only now. Nothing was written.')
    await setReadOnly(false)
    await until('the database to take changes', async () => (await ready())[0] === 200)
  })

  it.runIf(onPostgres)('is waited for by a node that starts before its database', async () => {
    const server = await privatePostgres()
    onTestFinished(() => {
      server.stop()
      server.remove()
    })
    server.stop()
    const port = await reservePort()
    const starting = startService(
      readConfig({
        ...{ NODE_ENV: 'development', PORT: String(port), WORKER: 'none' },
        DATABASE_URL: server.url,
        DATA_DIR: mkdtempSync(join(tmpdir(), 'liquidity-waiting-')),
      }),
      { log: pino({ level: 'silent' }) },
    )
    const at = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
      return answer && [answer.status, await answer.json()]
    }
    await until('it to listen', () => at('/health/live'))
    expect(await at('/health/live')).toEqual([200, { status: 'live' }])
    expect(await at('/health/ready')).toEqual([503, { status: 'waiting for the database' }])
    expect(await at(`${basePath}/status`)).toMatchObject([
      503,
      { error: { code: 'LIQUIDITY_STORE_UNAVAILABLE' } },
    ])
    server.start()
    const running = await starting
    onTestFinished(running.stop)
    expect(await at('/health/ready')).toEqual([200, { status: 'ready' }])
  })
})

/** A service whose database can be made to refuse changes. */
async function hardening() {
  const { service } = await breakable()
  const { pool } = service.database
  const set = async (isReadOnly: boolean) => {
    const value = isReadOnly ? 'on' : 'off'
    // Of the whole server on PostgreSQL, which has many connections; the embedded one has one.
    if (!onPostgres) await pool.query(`set default_transaction_read_only = ${value}`)
    else {
      await pool.query(`alter system set default_transaction_read_only = ${value}`)
      await pool.query('select pg_reload_conf()')
    }
  }
  return { service, setReadOnly: set }
}

describe('an answer of the database that is lost on its way', () => {
  const body = bookmarkBody(7)
  const request = { body, idempotencyKey: 'answer-lost' }

  it('is found by its key: what was committed is answered as committed, once', async () => {
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

  it('is told as unknown where its key cannot be asked, and the same key tells later', async () => {
    const service = await serviceForTest()
    const owner = await newOrganization(service)
    await ask(owner, 'savePlatformProject', { body: bookmarkBody(1) })
    const counts = await countsOf(service)
    const lost = losing(service, { alsoAfterwards: true })
    const refused = await ask(owner, 'savePlatformProject', request)
    expect([refused.status, refused.code]).toEqual([503, 'LIQUIDITY_OUTCOME_UNKNOWN'])
    expect(refused.text).not.toMatch(/nothing was written/i)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(lost()).toBeGreaterThan(1)
    lost.stop()
    const told = await ask(owner, 'savePlatformProject', request)
    expect([told.status, told.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
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

  it('that comes with the first word of the server ends no process', async () => {
    const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', ''].join('\0')
    const said = (type: string, body: Buffer) => {
      const length = Buffer.alloc(4)
      length.writeInt32BE(body.length + 4)
      return Buffer.concat([Buffer.from(type), length, body])
    }
    const stopping = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        const [admitted, ready] = [said('R', Buffer.alloc(4)), said('Z', Buffer.from('I'))]
        socket.end(Buffer.concat([admitted, ready, said('E', Buffer.from(`${fields}\0`))]))
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
