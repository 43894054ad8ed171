// @module-tag postgres

import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentHashOf } from '../src/store/artifacts/content-hash.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { startObjectStore, type TestObjectStore } from './support/object-store.ts'
import { writeRecord } from './support/resources.ts'
import {
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'

let store: TestObjectStore
beforeAll(async () => {
  store = await startObjectStore()
})
afterAll(() => store.stop())

const content = new TextEncoder().encode(
  'What happened on the chain, line by line.\n'.repeat(40_000),
)
const hash = contentHashOf(content)

/** Registers an artifact together with a record, as a job does. */
async function register(service: TestService, owner: TestMember, bytes: Uint8Array = content) {
  const { id, resourceType, resourceVersion } = await writeRecord(
    service,
    owner,
    'VenueObservation',
  )
  await service.services.committer.commit({
    ...(await emptyChangeOf(service, owner)),
    artifacts: [
      {
        contentHash: contentHashOf(bytes),
        mediaType: 'text/plain',
        content: bytes,
        producer: { id, resourceType, resourceVersion },
      },
    ],
  })
}

async function emptyChangeOf(service: TestService, { organizationId }: TestMember) {
  const { emptyChange } = await import('../src/store/records/change.ts')
  return emptyChange(organizationId, service.clock.read())
}

const filesOf = () =>
  readdirSync(store.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(store.folder, name))
    .filter((path) => statSync(path).isFile() && path.includes('_object'))

describe('an object store', () => {
  it('keeps the bytes, and the database only their registration', async () => {
    const service = await serviceForTest(store.environment)
    const owner = await newOrganization(service)
    await register(service, owner)
    const { artifacts } = service.services
    expect(
      contentHashOf((await artifacts.find(owner.organizationId, hash)) ?? content.slice(1)),
    ).toBe(hash)
    const [rows] = await service.database.tenant(owner.organizationId, [
      { text: `select part, content, byte_length from artifacts where content_hash = '${hash}'` },
    ])
    expect(rows).toEqual([{ part: '0', content: null, byte_length: String(content.length) }])
    const listed = await owner.client.listOperatingSystemArtifacts()
    expect(listed.body.data).toContainEqual(
      expect.objectContaining({ contentHash: hash, byteLength: content.length }),
    )
    expect((await verifyHistory(service.database, owner.organizationId, artifacts)).faults).toEqual(
      [],
    )
    // Another organization has none of it, though the bytes are the same.
    const other = await newOrganization(service)
    expect(await artifacts.find(other.organizationId, hash)).toBe(null)
  })

  it('is queried before it receives the same bytes again, and locks them for the configured days', async () => {
    const service = await serviceForTest({ ...store.environment, OBJECT_STORE_LOCK_DAYS: '30' })
    const owner = await newOrganization(service)
    store.requests.length = 0
    await register(service, owner)
    await register(service, owner)
    const puts = store.requests.filter(({ method, url }) => method === 'PUT' && url.endsWith(hash))
    expect(puts).toHaveLength(1)
    expect(puts[0]!.headers).toMatchObject({
      'x-amz-object-lock-mode': 'COMPLIANCE',
      'x-amz-object-lock-retain-until-date': new Date(
        service.clock.read() + 30 * 24 * 3_600_000,
      ).toISOString(),
      'x-amz-checksum-sha256': Buffer.from(hash.slice(2), 'hex').toString('base64'),
    })
  })

  it('that altered or lost the bytes is named by the walk over the history', async () => {
    const service = await serviceForTest(store.environment)
    const owner = await newOrganization(service)
    await register(service, owner)
    const { artifacts } = service.services
    const walk = async () =>
      (await verifyHistory(service.database, owner.organizationId, artifacts)).faults.map(
        ({ message }) => message,
      )
    const own = () => filesOf().filter((path) => path.includes(`${owner.organizationId}/${hash}`))
    writeFileSync(own()[0]!, 'something else')
    expect(await walk()).toEqual([expect.stringContaining('its bytes have the hash 0x')])
    await expect(artifacts.find(owner.organizationId, hash)).rejects.toThrow(
      'its bytes do not match its hash',
    )
    for (const path of own()) rmSync(path)
    expect(await walk()).toEqual(['it is registered, but its bytes are not in the store'])
  })

  it('that refuses keeps the change from being written', async () => {
    const service = await serviceForTest({
      ...store.environment,
      OBJECT_STORE_ACCESS_KEY: 'NOT-THE-KEY',
    })
    const owner = await newOrganization(service)
    await expect(register(service, owner)).rejects.toThrow('The object store does not respond')
    const [rows] = await service.database.tenant(owner.organizationId, [
      { text: 'select count(*) from artifacts' },
    ])
    expect(rows).toEqual([{ count: '0' }])
  })

  it('is not needed for artifacts that the database stored earlier', async () => {
    const before = await serviceForTest()
    const owner = await newOrganization(before)
    await register(before, owner)
    const { Artifacts } = await import('../src/store/artifacts/artifacts.ts')
    const { readConfig } = await import('../src/config.ts')
    const config = readConfig({ ...store.environment, DATA_DIR: before.config.dataDirectory })
    const artifacts = new Artifacts(before.database, config)
    expect(await artifacts.find(owner.organizationId, hash)).toEqual(Buffer.from(content))
  })
})
