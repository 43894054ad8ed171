import { expect, it } from 'vitest'
import { until } from '../../apps/server/test/support/until.ts'
import type { Fault } from './faults.ts'
import type { Fleet } from './fleet.ts'
import type { History } from './history.ts'
import { limits } from './limits.ts'
import { print } from './print.ts'
import { exitCodeOf, type Parts, type Report, runChaos } from './run.ts'
import { type InProcessFleet, startInProcessFleet } from './testing/in-process-fleet.ts'

/** Changes that the small load makes at least. */
const minChanges = 6
const settings = {
  database: 'embedded',
  seconds: 0,
  clients: 2,
  seed: 24,
  isPatient: true,
  only: [],
} as const

/** Changes the database between the load and the checks. */
type Plant = (stage: InProcessFleet, history: History) => Promise<void>

/** A run of the program on a real database, with one fault that breaks nothing: it ends after some changes and a study. */
async function run(plant: Plant, parts: Partial<Parts> = {}): Promise<Report> {
  let stage: InProcessFleet | null = null
  const standing = () => {
    if (!stage) throw new Error('The fleet has not started.')
    return stage
  }
  const wait: Fault = {
    name: 'none',
    says: 'waits for the load',
    on: ['embedded'],
    lasts: [0, 0],
    strike: async () => {
      const { database } = standing()
      await until('some changes and a study', async () => {
        const { rows } = await database.pool.query(
          'select (select count(*) from idempotency)::int as changes, (select count(*) from jobs)::int as jobs',
        )
        return rows[0].changes >= minChanges && rows[0].jobs > 0
      })
      return async () => {}
    },
  }
  return runChaos(settings, {
    limits: { ...limits, calm: 0, rest: 30_000 },
    startFleet: async (_, receiver): Promise<Fleet> => {
      stage = await startInProcessFleet(receiver)
      return stage.fleet
    },
    faults: function* () {
      for (;;) yield wait
    },
    beforeChecks: async (_, history) => {
      await plant(standing(), history)
      await standing().startWorkers()
    },
    ...parts,
  })
}

it('reports no violation without a planted fault', async () => {
  const report = await run(async () => {})
  expect(report.violations).toEqual([])
  expect(exitCodeOf(report)).toBe(0)
})
