import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { contract } from '@liquidity-os/contract'
import { afterAll, afterEach, expect } from 'vitest'
import { type Behaviour, honest } from '../src/integrations/chain/testing/provider-proxy.ts'
import { limits } from '../src/limits.ts'
import { minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { hostOf, type TestChain } from './support/chain.ts'
import { proxied, test } from './support/fixtures.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-projects-'))
let behave: Behaviour = honest

const it = test
  .extend(
    'proxy',
    { scope: 'file' },
    proxied((call, forward) => behave(call, forward)),
  )
  .extend('settings', { scope: 'file' }, ({ testChain, proxy }) => {
    const { contracts, chainId } = testChain.chain
    const path = join(folder, 'chains.json')
    const factories = [
      { kind: 'UNISWAP_V2', address: contracts.uniswapV2Factory },
      { kind: 'UNISWAP_V3', address: contracts.uniswapV3Factory },
    ]
    const referenceQuote = testChain.markets.tokens[1]
    const chains = [{ chainId, endpoints: [proxy.url], referenceQuote, factories }]
    writeFileSync(path, JSON.stringify({ chains }))
    return { PUBLIC_CHAINS: path, OUTBOUND_ALLOW: hostOf(proxy.url) }
  })

afterEach(() => {
  behave = honest
})

afterAll(() => rmSync(folder, { recursive: true }))

const identifier = (testChain: TestChain) => ({
  chainId: 31_337,
  address: testChain.markets.tokens[0] as string,
})
const identifierOfQuote = (testChain: TestChain) => ({
  ...identifier(testChain),
  address: testChain.markets.tokens[1] as string,
})
const saving = (testChain: TestChain, changes: object = {}) => ({
  payload: { identifier: identifier(testChain), label: 'One', ...changes },
  reason: 'To follow it',
})
const saved = async (testChain: TestChain, { client }: TestMember, changes: object = {}) =>
  (await client.savePublicProject({ body: saving(testChain, changes) })).body.data
const refresh = async ({ client }: TestMember, projectId: string) =>
  (await client.refreshSavedProject({ params: { projectId }, body: { reason: 'Again' } })).body.data

/** The code and the messages of a refusal. */
async function refusalOf(promise: Promise<unknown>) {
  const refused = await promise.then(
    () => null,
    (error: { status: number; code: string; body: { error: { fieldErrors?: object } } }) => error,
  )
  return [refused?.status, refused?.code, Object.keys(refused?.body.error.fieldErrors ?? {})]
}

it('stores the reading of a token, and the changes after a swap', async ({
  service,
  testChain,
}) => {
  const owner = await newOrganization(service)
  const project = await saved(testChain, owner, { note: 'From the launch' })
  expect(project).toMatchObject({
    status: 'ACTIVE',
    payload: { label: 'One', note: 'From the launch', latest: { version: 1 }, bookmarkOnly: true },
  })
  const early = refusalOf(refresh(owner, project.id))
  expect(await early).toEqual([429, 'LIQUIDITY_RATE_LIMITED', []])
  await testChain.markets.trade(10n ** 17n, 10n ** 16n)
  await testChain.chain.mine(70)
  service.clock.advance(minuteMilliseconds)
  const second = await refresh(owner, project.id)
  const pair = `/pools/${testChain.markets.pair.address}`
  const { changes, previousHash, version, analysis } = second.payload
  expect([version, previousHash]).toEqual([2, project.payload.latest.analysisHash])
  expect(changes.map(({ pointer }) => pointer)).toEqual(
    ['heldBase', 'heldQuote', 'midX36', 'reserveBase', 'reserveQuote'].map(
      (name) => `${pair}/${name}`,
    ),
  )
  const reserve = changes.find(({ pointer }) => pointer === `${pair}/reserveBase`)!
  const [before, after] = [BigInt(reserve.before!), BigInt(reserve.after!)]
  expect(after - before).toBe(10n ** 17n)
  expect(reserve).toMatchObject({
    kind: 'CHANGED',
    material: true,
    deltaPips: `${((after - before) * 1_000_000n) / before}`,
  })
  const params = { projectId: project.id }
  const { body } = await owner.client.getSavedProject({ params })
  expect(body.data.payload.latest).toMatchObject({
    version: 2,
    analysisHash: analysis.analysisHash,
  })
  const first = await owner.client.getSavedProjectObservation({ params: { ...params, version: 1 } })
  expect(first.body.data.payload).toMatchObject({ version: 1, changes: [], previousHash: null })
  const page = await owner.client.listSavedProjectObservations({ params, query: { limit: 1 } })
  expect(page.body.data.map(({ id }) => id)).toEqual([second.id])
  expect(page.body.meta).toEqual({ count: 1, hasMore: true, nextCursor: '2' })
  const rest = await owner.client.listSavedProjectObservations({ params, query: { cursor: '2' } })
  expect(rest.body.data.map(({ id }) => id)).toEqual([first.body.data.id])
  expect(rest.body.meta.hasMore).toBe(false)
  const pictures = await fetch(
    `${service.baseUrl}/api/liquidity-studio/v2/pictures/projects/${project.id}`,
    {
      headers: {
        cookie: `${service.config.sessionCookie}=${owner.cookie}`,
        'x-service-organization-id': owner.organizationId,
      },
    },
  )
  const { data: drawn } = (await pictures.json()) as {
    data: { name: string; description: string; table: { rows: string[][] } }[]
  }
  expect(drawn.map(({ name }) => name)).toEqual([
    ...['project-changes', 'project-holdings', 'token-control'],
  ])
  expect(drawn[0]?.description).toMatch(
    /^SIMULATED · Local test chain: simulated market\. Reading 2 vs 1, .*: 5 changed, [1-5] of them material\.$/,
  )
  expect(drawn[0]?.table.rows).toHaveLength(5)
  const heldAtoms = (drawn[1]?.table.rows ?? []).map((row) => row[3])
  const heldOf = (one: typeof second.payload.analysis) =>
    one.pools.map(({ heldQuote }) => heldQuote.value)
  expect(heldAtoms).toEqual(expect.arrayContaining([...heldOf(analysis)]))
  const { database, artifacts } = service.services
  expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
})

it('saves a just returned response unchanged, and no other', async ({
  service,
  testChain,
  proxy,
}) => {
  const owner = await newOrganization(service)
  const { client } = owner
  const { analysisHash } = (await client.resolvePublicProject({ body: identifier(testChain) })).body
    .data
  const before = proxy.calls.length
  const project = await saved(testChain, owner, { analysisHash })
  expect(project.payload.latest.analysisHash).toBe(analysisHash)
  expect(proxy.calls.length).toBe(before)
  const another = await newOrganization(service)
  const wrong = saved(testChain, another, {
    analysisHash,
    identifier: identifierOfQuote(testChain),
  })
  const refused = [412, 'LIQUIDITY_PRECONDITION_FAILED', ['payload.analysisHash']]
  expect(await refusalOf(wrong)).toEqual(refused)
  service.clock.advance(limits.publicAnswerLifetimeMilliseconds + 1)
  expect(await refusalOf(saved(testChain, another, { analysisHash }))).toEqual(refused)
})

it('keeps a token once, and 200 of them', async ({ service, testChain, proxy }) => {
  const owner = await newOrganization(service)
  await saved(testChain, owner)
  const before = proxy.calls.length
  expect(await refusalOf(saved(testChain, owner, { label: 'Twice' }))).toEqual([
    ...[409, 'LIQUIDITY_PROJECT_DUPLICATE', ['payload.identifier']],
  ])
  expect(proxy.calls.length).toBe(before)
  const members = await newOrganization(service)
  const twins = await Promise.allSettled([saved(testChain, members), saved(testChain, members)])
  expect(twins.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const many = await newOrganization(service)
  const records = recordsOf(service, many)
  const { payload } = await saved(testChain, owner, { identifier: identifierOfQuote(testChain) })
  for (let index = 0; index < limits.savedProjects; index += 1) {
    const { change } = records.create('SavedProject', {
      status: 'ACTIVE',
      payload,
      reason: 'For the test',
      event: 'project.saved',
    })
    await service.services.committer.commit(change)
  }
  expect(await refusalOf(saved(testChain, many))).toEqual([409, 'LIQUIDITY_PROJECT_LIMIT', []])
})

it('refuses what names no token of a chain that is read', async ({ service, testChain }) => {
  const owner = await newOrganization(service)
  for (const [wrong, field] of [
    [{ chainId: 5, address: identifier(testChain).address }, 'chainId'],
    [{ chainId: 31_337 }, 'address'],
    [{ query: 'one' }, 'query'],
    [
      {
        ...identifier(testChain),
        address: testChain.markets.pair.address.replace(/.$/, '0').toLowerCase(),
      },
      'address',
    ],
  ] as const) {
    const refused = await refusalOf(saved(testChain, owner, { identifier: wrong }))
    expect(refused).toEqual([
      ...[422, 'LIQUIDITY_PROJECT_IDENTIFIER_INVALID', [`payload.identifier.${field}`]],
    ])
  }
  const viewer = await newMember(service, owner.organizationId, 'VIEWER')
  expect(await refusalOf(saved(testChain, viewer))).toEqual([
    403,
    'LIQUIDITY_ROLE_REQUIRED',
    expect.any(Array),
  ])
})

it('appends nothing where nothing could be read, and everything under the same key later', async ({
  service,
  testChain,
}) => {
  const owner = await newOrganization(service)
  const project = await saved(testChain, owner)
  await testChain.chain.mine(70)
  service.clock.advance(minuteMilliseconds)
  behave = async () => ({ error: { code: -32_000, message: 'away' } })
  const params = { projectId: project.id }
  const request = { params, body: { reason: 'Again' }, idempotencyKey: 'refresh-under-one-key' }
  const dead = refusalOf(owner.client.refreshSavedProject(request))
  expect(await dead).toEqual([503, 'LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE', []])
  const before = await owner.client.listSavedProjectObservations({ params })
  expect(before.body.data).toHaveLength(1)
  behave = honest
  const { body } = await owner.client.refreshSavedProject(request)
  expect(body.data.payload).toMatchObject({
    version: 2,
    changes: [],
  } satisfies Partial<contract.ProjectObservation>)
})

it('shows nothing of another organization', async ({ service, testChain }) => {
  const owner = await newOrganization(service)
  const foreignOwner = await newOrganization(service)
  const { id: projectId } = await saved(testChain, owner)
  const params = { projectId }
  const requests = [
    foreignOwner.client.getSavedProject({ params }),
    foreignOwner.client.listSavedProjectObservations({ params }),
    foreignOwner.client.getSavedProjectObservation({ params: { ...params, version: 1 } }),
    refresh(foreignOwner, projectId),
  ]
  for (const refused of await Promise.all(requests.map(refusalOf))) {
    expect(refused.slice(0, 2)).toEqual([404, 'LIQUIDITY_RESOURCE_NOT_FOUND'])
  }
  expect((await foreignOwner.client.listSavedProjects()).body.data).toEqual([])
})
