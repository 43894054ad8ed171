// @module-tag postgres

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basePath } from '@liquidity-os/contract'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../src/config.ts'
import { limits } from '../src/limits.ts'
import { startService } from '../src/service.ts'
import { bookmarkBody } from './support/bodies.ts'
import { ask, breakable, onPostgres, serviceOnItsOwn, unavailable } from './support/breakable.ts'
import { reservePort } from './support/ports.ts'
import { privatePostgres } from './support/private-postgres.ts'
import { newOrganization } from './support/service.ts'
import { until } from './support/until.ts'

describe.runIf(onPostgres)('a primary that is a standby now', () => {
  it('acknowledges and shows no change, because it can be rolled back', async () => {
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
    for (const [id, requested] of [
      ['savePlatformProject', request],
      ['listSavedPlatformProjects', {}],
    ] as const) {
      const { status, code } = await ask(owner, id, requested)
      expect([id, status, code]).toEqual([id, ...unavailable])
    }
    service.clock.advance(limits.writableMilliseconds)
    const ready = await fetch(`${service.baseUrl}/health/ready`)
    const { status } = (await ready.json()) as { status: string }
    expect([ready.status, status]).toEqual([503, 'database read-only'])
  })
})

// The embedded database turns read-only only where its disk is full, which `disk-full.test.ts` tries.
describe.runIf(onPostgres)('readiness', () => {
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
    onTestFinished(() => setReadOnly(false))
    await until('the database to be read-only', async () => (await ready())[0] === 503)
    expect(await ready()).toEqual([503, 'database read-only'])
    expect((await ask(owner, 'listSavedPlatformProjects')).status).toBe(200)
    const refused = await ask(owner, 'savePlatformProject', { body: bookmarkBody(1) })
    expect([refused.status, refused.code]).toEqual(unavailable)
    expect(refused.text).toContain('The database is currently read-only. No data was written.')
    await setReadOnly(false)
    await until('the database to take changes', async () => (await ready())[0] === 200)
  })

  it('is waited for by a node that starts before its database', async () => {
    const server = await privatePostgres()
    onTestFinished(() => {
      server.stop()
      server.remove()
    })
    server.stop()
    const port = await reservePort()
    const starting = startService(
      readConfig({
        NODE_ENV: 'development',
        PORT: String(port),
        WORKER: 'none',
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
    await pool.query(`alter system set default_transaction_read_only = ${value}`)
    await pool.query('select pg_reload_conf()')
  }
  return { service, setReadOnly: set }
}
