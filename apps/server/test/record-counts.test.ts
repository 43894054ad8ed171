// @module-tag postgres

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Sql, sql } from '../src/store/database/sql.ts'
import { RecordCounts } from '../src/store/records/record-counts.ts'
import { idRange } from '../src/store/records/resource-types.ts'
import { it } from './support/fixtures.ts'
import { waitForEvents } from './support/published-events.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

const issue = async (owner: TestMember) => {
  const body = {
    label: randomUUID(),
    kind: 'API_KEY' as const,
    scopes: ['studies:read' as const],
    reason: 'Why',
  }
  return (await owner.client.createDeveloperCredentials({ body })).body.data.credential.id
}

const queryOf = (service: TestService, owner: TestMember) => (statements: readonly Sql[]) =>
  service.database.tenant(owner.organizationId, statements)

/** Statements of each reading, so that a test sees a walk along the heads. */
function watched(service: TestService, owner: TestMember) {
  const requests: string[] = []
  const counts = new RecordCounts(2)
  const read = async () => {
    const { DeveloperCredential } = await counts.read(owner.organizationId, (statements) => {
      requests.push(...statements.map(({ text }) => text))
      return queryOf(service, owner)(statements)
    })
    return DeveloperCredential
  }
  const walks = () => requests.filter((text) => text.includes('record_heads')).length
  return { read, walks }
}

/** Credentials of an organization by their heads. */
async function heads(service: TestService, owner: TestMember): Promise<number> {
  const { from, to } = idRange('DeveloperCredential')
  const [rows = []] = await queryOf(
    service,
    owner,
  )([
    sql`select id from record_heads where organization_id = ${owner.organizationId} and id >= ${from} and id < ${to}`,
  ])
  return rows.length
}

it('later events are added to the count by one walk', async ({ service }) => {
  const owner = await newOrganization(service)
  const { read, walks } = watched(service, owner)
  await issue(owner)
  await waitForEvents(service)
  const before = await read()
  expect(before).toBeGreaterThan(0)
  for (const more of [1, 2, 3]) {
    await issue(owner)
    expect(await read()).toBe(before + more)
    expect(await read()).toBe(before + more)
  }
  expect(walks()).toBe(1)
})

it('concurrent reads and changes never lose or double one', async ({ service }) => {
  const owner = await newOrganization(service)
  const { read } = watched(service, owner)
  await issue(owner)
  const start = await read()
  const seen: number[] = []
  let open = 12
  await Promise.all([
    ...Array.from({ length: open }, () => issue(owner).then(() => (open -= 1))),
    (async () => {
      while (open > 0) seen.push(await read())
    })(),
  ])
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(await read()).toBe(start + 12)
})

it('a database without the newest counted event is counted again', async ({ service }) => {
  const owner = await newOrganization(service)
  const { read, walks } = watched(service, owner)
  const kept = await issue(owner)
  const lost = await issue(owner)
  await waitForEvents(service)
  const before = await read()
  await read()
  // As one that was restored from before the second.
  for (const table of ['events', 'record_heads', 'records'])
    await service.database.pool.query(
      `delete from ${table} where ${table === 'events' ? 'subject_id' : 'id'} = '${lost}'`,
    )
  expect(await read()).toBe(before - 1)
  expect(walks()).toBe(2)
  expect(kept).not.toBe(lost)
})

it('an idle organization is evicted, and counted again', async ({ service }) => {
  const counts = new RecordCounts(1)
  const [one, other] = [await newOrganization(service), await newOrganization(service)]
  for (const owner of [one, other, one]) {
    await issue(owner)
    const { DeveloperCredential } = await counts.read(owner.organizationId, queryOf(service, owner))
    expect(DeveloperCredential).toBe(await heads(service, owner))
  }
})
