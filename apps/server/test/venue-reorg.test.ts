import { openEvent } from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/sql.ts'
import { hostOf, startTestChain, type TestChain, validatedPool } from './support/chain.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

let test: TestChain
let service: TestService
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
  })
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

async function index({ client }: TestMember, id: string) {
  const { body } = await client.queueVenueIndex({
    params: { id },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  })
  return until('the job to end', async () => {
    const jobs = await client.listOperatingSystemJobs()
    const job = jobs.body.data.find(({ id: jobId }) => jobId === body.data.id)
    return job && ['COMPLETED', 'FAILED'].includes(job.status) ? job : null
  })
}

async function eventsOf({ organizationId }: TestMember, id: string) {
  const [rows = []] = await service.services.database.tenant(organizationId, [
    sql`select body from events where organization_id = ${organizationId} and subject_id = ${id}
      order by sequence`,
  ])
  return rows.map(({ body }) => openEvent(body ?? ''))
}

describe('a reorganization of blocks that were recorded', () => {
  it('is told once in the chain of the venue, with the fork, and both observations stay', async () => {
    const { chain, markets } = test
    const owner = await newOrganization(service)
    const venue = await validatedPool(owner, test)
    await markets.swap(true, 10n ** 15n)
    const kept = await chain.publicClient.getBlock()
    const before = await chain.testClient.snapshot()
    await markets.swap(true, 2n * 10n ** 15n)
    await chain.mine(70)
    expect(await index(owner, venue.id)).toMatchObject({ status: 'COMPLETED' })
    expect((await eventsOf(owner, venue.id)).map(({ kind }) => kind)).not.toContain('venue.reorg')

    await chain.testClient.revert({ id: before })
    await markets.swap(false, 3n * 10n ** 15n)
    await chain.mine(90)
    expect(await index(owner, venue.id)).toMatchObject({ status: 'COMPLETED' })
    const [now, old, ...none] = (await owner.client.listVenueObservations()).body.data
    expect(none).toEqual([])
    expect(now!.payload.continuity.proved).toBe(true)
    expect(now!.payload.eventsRoot).not.toBe(old!.payload.eventsRoot)
    const told = (await eventsOf(owner, venue.id)).filter(({ kind }) => kind === 'venue.reorg')
    expect(told.map(({ payload }) => payload)).toEqual([
      {
        fork: expect.objectContaining({
          chainId: 31337,
          number: Number(kept.number),
          hash: kept.hash,
        }),
        overtaken: [{ id: old!.id, resourceVersion: old!.resourceVersion }],
      },
    ])

    await chain.mine(20)
    expect(await index(owner, venue.id)).toMatchObject({ status: 'COMPLETED' })
    const again = (await eventsOf(owner, venue.id)).filter(({ kind }) => kind === 'venue.reorg')
    expect(again).toHaveLength(1)
  })
})
