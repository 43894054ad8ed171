// @module-tag long
// @module-tag postgres
// @covers apps/server/src/store apps/server/src/jobs apps/server/src/http/idempotency.ts

import { type ClientOptions, createClient, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import type { FaultPoint } from '../src/fault-points.ts'
import { venueBody } from './support/bodies.ts'
import { type Acknowledged, insist } from './support/insist.ts'
import {
  LiquidityProcess,
  migratedDeployment,
  run,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'
import { mulberry32 } from './support/seeded-random.ts'
import { until } from './support/until.ts'

const mutations = 1000
const clients = 20
const kills = 6
const perClient = mutations / clients

/** A client creates venues and changes what it created, one request after the other. */
async function work(
  options: ClientOptions,
  client: number,
  random: () => number,
  acknowledge: (answer: Acknowledged) => void,
): Promise<void> {
  const own: { id: string; resourceVersion: string }[] = []
  for (let index = 0; index < perClient; index += 1) {
    const idempotencyKey = `client-${client}-request-${index}`
    const known = own[Math.floor(random() * own.length)]
    const changes = known !== undefined && random() < 0.5
    const answer = changes
      ? await insist(options, 'supersedeVenues', {
          params: { id: known.id },
          ifMatch: known.resourceVersion,
          body: { payload: { tags: [`tag-${index}`] }, reason: 'A change' },
          idempotencyKey,
        })
      : await insist(options, 'createVenues', {
          body: venueBody(0xabc000 + client * 1000 + index),
          idempotencyKey,
        })
    acknowledge(answer)
    const { id, resourceVersion } = JSON.parse(answer.text).data
    if (changes) known.resourceVersion = resourceVersion
    else own.push({ id, resourceVersion })
  }
}

/** Every venue of the organization, through every page. */
async function allVenues(options: ClientOptions) {
  const client = createClient(options)
  const found = []
  let cursor: string | undefined
  do {
    const { body } = await client.listVenues({
      query: { limit: 100, ...(cursor ? { cursor } : {}) },
    })
    found.push(...body.data)
    cursor = body.meta.nextCursor
  } while (cursor)
  return found
}

describe('kill -9 in the middle of commits, during a thousand mutations', () => {
  it('loses nothing, doubles nothing, and leaves a history that verifies', async () => {
    const seed = Number(process.env.CRASH_SEED ?? 20260105)
    const random = mulberry32(seed)
    const deployment = await migratedDeployment({
      WORKER: process.env.DATABASE_URL ? 'none' : 'in-process',
    })
    const service = await serve(deployment, { hasFaultPoints: true })
    const processes = [service]
    // The embedded database belongs to one process; on PostgreSQL the workers run beside it.
    if (process.env.DATABASE_URL) {
      const worker = new LiquidityProcess(['worker'], deployment.environment)
      worker.start()
      processes.push(worker)
    }
    const options = await signInAtTerminal(deployment)
    // One kill in each part of the work, so that enough commits follow the last one.
    const part = Math.floor((mutations * 0.9) / kills)
    const instants = Array.from(
      { length: kills },
      (_, index) => index * part + Math.floor(random() * part),
    )
    const acknowledged: Acknowledged[] = []
    let killing = Promise.resolve()
    const killedAt: FaultPoint[] = []
    const kill = async (point: FaultPoint, pass: number) => {
      const fault = await service.killAt(point, { detail: 'venue', pass })
      killedAt.push((await fault.killed).point)
      await Promise.all(processes.map((process) => process.end('SIGKILL')))
      for (const process of processes) process.start()
      await untilServing(service)
    }
    const acknowledge = (answer: Acknowledged) => {
      acknowledged.push(answer)
      while (instants[0] !== undefined && acknowledged.length >= instants[0]) {
        instants.shift()
        const point = instants.length % 2 === 0 ? 'commit:after-write' : 'commit:before-write'
        const pass = 1 + Math.floor(random() * 3)
        killing = killing.then(() => kill(point, pass))
      }
    }
    try {
      await Promise.all(
        Array.from({ length: clients }, (_, client) =>
          work(options, client, mulberry32(seed + client), acknowledge),
        ),
      )
      await killing
      expect(killedAt).toHaveLength(kills)
      expect(new Set(killedAt)).toEqual(new Set(['commit:before-write', 'commit:after-write']))
      await expectWhole(options, acknowledged)
      const created = acknowledged.filter(({ operation }) => operation === 'createVenues')
      const verified = await run(['verify-history', '--json'], deployment.environment)
      expect({ seed, status: verified.status, ...JSON.parse(verified.stdout) }).toMatchObject({
        seed,
        status: 0,
        organizations: 1,
        records: mutations,
        events: mutations,
        artifacts: 0,
        faults: [],
      })
      expect(await allVenues(options)).toHaveLength(created.length)
      // Killed while it appended or signed, the proof log goes on, and holds every event once.
      await until('every event to be in the proof log', async () => {
        const { body } = await createClient(options).getOperatingSystemStatus()
        return body.data.proofLog?.treeSize === mutations
      })
      const log = await run(['verify-log', '--json'], deployment.environment)
      expect({ seed, status: log.status, ...JSON.parse(log.stdout) }).toMatchObject({
        seed,
        status: 0,
        leaves: mutations,
        faults: [],
      })
    } finally {
      await Promise.all(processes.map((process) => process.end('SIGKILL')))
    }
  })
})

/** Every acknowledged answer exists as it was given, and its key gives the same bytes again. */
async function expectWhole(options: ClientOptions, acknowledged: readonly Acknowledged[]) {
  const statuses = new Set(acknowledged.map(({ status }) => status))
  expect([acknowledged.length, ...[...statuses].sort()]).toEqual([mutations, 200, 201])
  const newest = new Map<string, { sequence: number; text: string }>()
  for (const { text } of acknowledged) {
    const { data } = JSON.parse(text)
    if (data.sequence > (newest.get(data.id)?.sequence ?? 0)) {
      newest.set(data.id, { sequence: data.sequence, text: JSON.stringify(data) })
    }
  }
  const venues = await allVenues(options)
  expect(new Set(venues.map(({ payload }) => payload.address)).size).toBe(venues.length)
  expect(venues.map((venue) => JSON.stringify(venue)).sort()).toEqual(
    [...newest.values()].map(({ text }) => text).sort(),
  )
  for (const { operation, request, status, text } of acknowledged) {
    const answer = await send(options, operationById.get(operation)!, request)
    expect([answer.headers.get('idempotency-replayed'), answer.status]).toEqual(['true', status])
    expect(await answer.text()).toBe(text)
  }
}
