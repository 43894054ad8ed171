// @module-tag long
// @covers trust

import { type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { venueBody } from '../../apps/server/test/support/bodies.ts'
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

/** On a busy machine the request that creates a study takes longer than the usual limit of an attempt. */
const small = { ...limits, calm: 0, attempt: 60_000, rest: 30_000 }

/** Changes the database between the load and the checks. */
type Plant = (stage: InProcessFleet, history: History) => Promise<void>

/** A run of the program on a real database, with one fault that breaks nothing: it ends after some changes and a study. */
async function run(plant: Plant, parts: Partial<Parts> = {}): Promise<Report> {
  let stage: InProcessFleet | null = null
  const requireStage = () => {
    if (!stage) throw new Error('The fleet has not started.')
    return stage
  }
  const wait: Fault = {
    name: 'none',
    says: 'waits for the load',
    on: ['embedded'],
    lasts: [0, 0],
    strike: async () => {
      const { database } = requireStage()
      await until('some changes and a study', async () => {
        const { rows } = await database.pool.query(
          'select (select count(*) from idempotency)::int as changes, (select count(*) from jobs)::int as jobs',
        )
        const hasJob = rows[0].jobs > 0 || !parts.hasStudies
        return rows[0].changes >= minChanges && hasJob
      })
      return async () => {}
    },
  }
  return runChaos(settings, {
    hasStudies: false,
    limits: small,
    startFleet: async (_, receiver): Promise<Fleet> => {
      stage = await startInProcessFleet(receiver)
      return stage.fleet
    },
    faults: function* () {
      for (;;) yield wait
    },
    beforeChecks: async (_, history) => {
      await plant(requireStage(), history)
      await requireStage().startWorkers()
    },
    ...parts,
  })
}

/** An acknowledged venue and its versions, the one with the most. */
function changedVenue({ acknowledged }: History) {
  const venues = acknowledged.filter(({ operation }) => operation !== 'createStudies')
  const versions = Map.groupBy(venues, ({ text }) => JSON.parse(text).data.id as string)
  const [found] = [...versions].toSorted(([, a], [, b]) => b.length - a.length)
  const [id, changes] = found ?? []
  const newest = changes?.at(-1)
  if (!id || !newest) throw new Error('No venue was acknowledged.')
  const { sequence, resourceVersion } = JSON.parse(newest.text).data
  return { id, newest, key: newest.request.idempotencyKey, sequence, resourceVersion }
}

/** Makes a change under a new key that the service then forgets: all its hashes are right. */
async function changeUnseen(stage: InProcessFleet, operation: string, request: LooseRequest) {
  const { database, fleet } = stage
  const idempotencyKey = 'a-key-of-no-client'
  const answer = await send({ ...fleet.owner, fetch }, operationById.get(operation)!, {
    ...request,
    idempotencyKey,
  })
  expect(answer.status).toBeLessThan(300)
  await database.pool.query('delete from idempotency where key = $1', [idempotencyKey])
  return ((await answer.json()) as { data: { id: string; sequence: number } }).data
}

it('reports no violation without a planted fault', async () => {
  const report = await run(async () => {})
  expect(report.violations).toEqual([])
  expect(exitCodeOf(report)).toBe(0)
})

it('reports a dropped event', async () => {
  let event = ''
  const report = await run(async ({ database }, history) => {
    const { id, sequence } = changedVenue(history)
    event = `${id} ${sequence}`
    await database.pool.query('delete from events where subject_id = $1 and sequence = $2', [
      id,
      sequence,
    ])
    await database.pool.query(
      'delete from webhook_deliveries where subject_id = $1 and event_sequence = $2',
      [id, sequence],
    )
  })
  expect(report.violations).toContain(`${event} has no event`)
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a record with valid hashes that no client received', async () => {
  let extra = ''
  const report = await run(async (stage) => {
    extra = (await changeUnseen(stage, 'createVenues', { body: venueBody(0xdeed) })).id
  })
  // It is a sound record with an event, so no hash chain reveals it.
  expect(report.violations).toEqual([
    `${extra} exists, and no client was told of it`,
    `event ${extra} 1 belongs to no acknowledged change`,
  ])
  expect(exitCodeOf(report)).toBe(1)
})

it('reports an update that was executed twice with right hashes', async () => {
  let venue = { id: '', sequence: 0 }
  const report = await run(async (stage, history) => {
    const { id, resourceVersion } = changedVenue(history)
    venue = await changeUnseen(stage, 'supersedeVenues', {
      params: { id },
      ifMatch: resourceVersion,
      body: { payload: { tags: ['twice'] }, reason: 'A change' },
    })
  })
  const { id, sequence } = venue
  expect(report.violations).toEqual([
    expect.stringMatching(`^${id} has ${sequence} versions; acknowledged were .*${sequence - 1}$`),
    `event ${id} ${sequence} belongs to no acknowledged change`,
  ])
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a lost job', async () => {
  let job = ''
  const report = await run(
    async ({ database }, { acknowledged }) => {
      const study = acknowledged.find(({ operation }) => operation === 'createStudies')!
      job = JSON.parse(study.text).data.job.id
      await database.pool.query('delete from jobs')
    },
    { hasStudies: true },
  )
  expect(report.violations).toContain(`job ${job} was acknowledged and is lost`)
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a delivery that is marked as made and never was', async () => {
  let event = ''
  const report = await run(
    async ({ database }, history) => {
      const { id, sequence } = changedVenue(history)
      event = `${id} ${sequence}`
      const { rowCount } = await database.pool.query(
        `update webhook_deliveries set status = 'DELIVERED', attempts = 1
          where subject_id = $1 and event_sequence = $2 and status = 'WAITING'`,
        [id, sequence],
      )
      expect(rowCount).toBe(1)
    },
    // The other deliveries need not come to rest in this time.
    { limits: { ...small, rest: 1_000 } },
  )
  expect(report.violations).toContain(`event ${event} was never delivered`)
  expect(report.violations).toContain('the deliveries did not come to rest within 1 s')
  expect(exitCodeOf(report)).toBe(1)
})

it('reports an altered answer', async () => {
  let key = ''
  const report = await run(async ({ database }, history) => {
    key = changedVenue(history).key
    await database.pool.query(
      `update idempotency set record_id = null, record_sequence = null, body = '{"data":{"id":"other"}}'
        where key = $1`,
      [key],
    )
  })
  expect(report.violations).toEqual([`the key ${key} returns other bytes than at first`])
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a forgotten idempotency key', async () => {
  let key = ''
  const report = await run(async ({ database }, { acknowledged }) => {
    const created = acknowledged.find(({ operation }) => operation === 'createVenues')!
    key = created.request.idempotencyKey
    await database.pool.query('delete from idempotency where key = $1', [key])
  })
  expect(report.violations).toContain(
    // The venue exists, so the second creation is refused.
    `the key ${key} was forgotten, and its request processed again: 409`,
  )
  expect(exitCodeOf(report)).toBe(1)
})

it('reports a record that the service cannot read, and ends', async () => {
  const report = await run(async ({ database }, history) => {
    await database.pool.query(
      `update records set body = replace(body, '"tags"', '"sgat"') where id = $1`,
      [changedVenue(history).id],
    )
  })
  expect(report.violations[0]).toMatch(
    /^500 LIQUIDITY_\w+ while the checks ran, \d+ times, and no injected fault explains it; request: GET .*\/venues .*; answer: {"error"/,
  )
  expect(report.violations).toContainEqual(expect.stringMatching(/^listing the venues failed: /))
  expect(report.violations).toContainEqual(expect.stringMatching(/^verify-history: /))
  expect(exitCodeOf(report)).toBe(1)
  expect(print(report)).toContain('seed        24')
})
