// @module-tag postgres

import { createClient } from '@liquidity-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { venueBody } from '../../apps/server/test/support/bodies.ts'
import { until } from '../../apps/server/test/support/until.ts'
import { type Fault, faults, lockTable } from './faults.ts'
import type { Fleet } from './fleet.ts'
import { limits } from './limits.ts'
import { exitCodeOf, runChaos } from './run.ts'
import { type InProcessFleet, startInProcessFleet } from './testing/in-process-fleet.ts'

const settings = {
  database: 'postgres',
  seconds: 0,
  clients: 2,
  seed: 24,
  isPatient: true,
  only: [],
} as const

/** Statements of the database of a fleet that wait for a lock. */
async function waiting({ database }: InProcessFleet): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*) as waiting from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where datname = current_database() and not granted`,
  )
  return Number(rows[0].waiting)
}

const urlOf = ({ databaseUrl }: InProcessFleet) => {
  if (databaseUrl === null) throw new Error('The test needs PostgreSQL.')
  return databaseUrl
}

/** The fault of the program, at the database of the fleet; it is mended when requests wait for it. */
function lockRecords(stage: () => InProcessFleet): Fault {
  const fault = faults.find(({ name }) => name === 'lock-records')
  if (!fault) throw new Error('Unknown fault.')
  return {
    ...fault,
    lasts: [0, 0],
    strike: async (fleet, random) => {
      await until('some changes', async () => {
        const { rows } = await stage().database.pool.query('select count(*) from idempotency')
        return Number(rows[0].count) >= 6
      })
      const postgres = { url: () => urlOf(stage()) } as unknown as Fleet['postgres']
      const mend = await fault.strike({ ...fleet, postgres }, random)
      await until('requests to wait for the lock', async () => (await waiting(stage())) > 0)
      return mend
    },
  }
}

describe.runIf(process.env.DATABASE_URL)('a table of records that another session locks', () => {
  it('makes requests wait, and loses nothing', async () => {
    let stage: InProcessFleet | null = null
    const requireStage = () => {
      if (!stage) throw new Error('The fleet has not started.')
      return stage
    }
    const report = await runChaos(settings, {
      hasStudies: false,
      limits: { ...limits, calm: 0, attempt: 60_000, rest: 30_000 },
      startFleet: async (_, receiver): Promise<Fleet> => {
        stage = await startInProcessFleet(receiver)
        return stage.fleet
      },
      faults: function* () {
        for (;;) yield lockRecords(requireStage)
      },
      beforeChecks: () => requireStage().startWorkers(),
    })
    expect(report.violations).toEqual([])
    expect(report.survived.map(({ name }) => name)).toEqual(['lock-records'])
    expect(exitCodeOf(report)).toBe(0)
  })

  it('is released after a limited time, even without repair', async () => {
    const stage = await startInProcessFleet('127.0.0.1:1')
    onTestFinished(() => stage.fleet.stop())
    const mend = await lockTable(urlOf(stage), 'records', 300)
    const created = createClient({ ...stage.fleet.owner, fetch }).createVenues({
      body: venueBody(1),
      idempotencyKey: 'while-locked',
    })
    expect((await created).status).toBe(201)
    await mend()
  })
})
