// @module-tag long
// @covers apps/server/src/families/plan/treasury-assets apps/server/src/market/treasury
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { settleAssets } from '../src/families/plan/treasury-assets/asset-sweep.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { poolBody, providerBody } from './support/chain.ts'
import { type ControlScene, startControlScene } from './support/controlling.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

type Entry = VersionedRecord<contract.TreasuryHolding>

let scene: ControlScene
beforeAll(async () => {
  scene = await startControlScene()
})
afterAll(() => scene.stop())

const reason = 'For the test'
const keyOf = (token: string) => `eip155:31337/erc20:${token.toLowerCase()}`

const holding = (token: string, more: object = {}) => ({
  entryKind: 'ASSET',
  label: 'Reserve',
  asset: keyOf(token),
  purpose: 'RUNWAY_RESERVE',
  container: { kind: 'EOA', chainId: 31_337, address: scene.deployer() },
  ...more,
})

const enter = (by: TestMember, payload: object) =>
  callOperation<Entry>(by, 'createTreasuryEntries', { body: { payload, reason } })

async function entered(by: TestMember, payload: object): Promise<Entry> {
  const { status, code, fieldErrors, data } = await enter(by, payload)
  expect([status, code, fieldErrors]).toEqual([201, '', {}])
  return data
}

async function refreshed(by: TestMember, { id, resourceVersion }: Entry): Promise<Entry> {
  await scene.test.chain.mine(3)
  const { data } = await callOperation<Entry>(by, 'refreshTreasuryLedgerEntry', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason },
  })
  return data
}

const tiersOf = async (by: TestMember) => {
  const { data } = await callOperation<contract.TreasurySummary>(by, 'getTreasurySummary')
  const listTiers = (some: contract.TreasurySummary['holdings']) =>
    some.map(({ assetKey, tier }) => [assetKey, tier])
  return { money: listTiers(data.holdings), own: listTiers(data.ownToken) }
}

/** A venue that trades a token for the quote of the test chain; a draft is enough to trade it. */
async function trade(by: TestMember, base: string): Promise<void> {
  const { pair } = poolBody(scene.test).payload
  const { status } = await callOperation(by, 'createVenues', {
    body: poolBody(scene.test, { pair: { ...pair, base }, address: base }),
  })
  expect(status).toBe(201)
}

const newToken = async (): Promise<Address> => {
  const { chain } = scene.test
  const token = await chain.deployToken(
    { name: 'Token', symbol: 'TKN', supply: 1000n },
    scene.deployer(),
  )
  await chain.mine(3)
  return token
}

async function newDesk(): Promise<TestMember> {
  const owner = await newOrganization(scene.service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(scene.test.chain.rpcUrl) })
  return owner
}

it('a wrapped coin is no own token, even as the base of a venue', async () => {
  const owner = await newDesk()
  const { weth9 } = scene.test.chain.contracts
  const before = await entered(owner, holding(weth9))
  await trade(owner, weth9)
  const after = await refreshed(owner, before)
  expect([before, after].map(({ payload: { assetClass, tier } }) => [assetClass, tier])).toEqual([
    ...[
      ['CRYPTO_MAJOR', 'T2'],
      ['CRYPTO_MAJOR', 'T2'],
    ],
  ])
  expect(await tiersOf(owner)).toEqual({ money: [[keyOf(weth9), 'T2']], own: [] })
})

it('a token with proven control is the own token, without a venue', async () => {
  const { owner } = scene
  const token = await scene.newToken()
  await scene.test.chain.mine(3)
  const before = await entered(owner, holding(token))
  expect(before.payload).toMatchObject({ assetClass: 'CRYPTO_OTHER', tier: 'T3' })
  await scene.proven({ token, claimant: scene.deployer(), method: 'DEFAULT_ADMIN' }, 0)
  // It counts from the proof on, observed again or not.
  expect(await tiersOf(owner)).toEqual({ money: [], own: [[keyOf(token), 'T4']] })
  const after = await refreshed(owner, before)
  expect(after.payload).toMatchObject({ assetClass: 'OWN_TOKEN', tier: 'T4' })
})

it('the base of a venue does not count until its class is decided', async () => {
  const owner = await newDesk()
  const token = await newToken()
  await trade(owner, token)
  const declared = await enter(owner, holding(token, { assetClass: 'STABLE' }))
  expect([declared.status, declared.code]).toEqual([422, 'LIQUIDITY_TREASURY_ENTRY_INCONSISTENT'])
  expect(declared.fieldErrors['payload.assetClass']?.[0]).toContain('until an OWNER decides')
  const { status, payload } = await entered(owner, holding(token))
  expect([status, payload.assetClass, payload.tier]).toEqual(['ACTIVE', 'CRYPTO_OTHER', 'T4'])
  expect(payload.computation.gaps).toMatchObject([
    { code: 'OWN_TOKEN_UNDECLARED', subject: keyOf(token), effect: 'FLAGGED' },
  ])
  expect(await tiersOf(owner)).toEqual({ money: [], own: [[keyOf(token), 'T4']] })
  // A holding that was there before its venue loses its tier with it.
  const late = await newToken()
  await entered(owner, holding(late))
  await trade(owner, late)
  expect((await tiersOf(owner)).own).toContainEqual([keyOf(late), 'T4'])
})

it('a launch plan binds its token, and once it has ended the token waits for a decision', async () => {
  const owner = await newDesk()
  const token = await newToken()
  const { payload } = contract.createLaunchPlans.example.body
  const { data: asset } = await declare(owner, token, 'STABLE')
  const plan = (more: object) =>
    callOperation<VersionedRecord>(owner, 'createLaunchPlans', {
      body: { payload: { ...payload, ...more }, reason },
    })
  const { status, data } = await plan({ token: keyOf(token) })
  expect(status).toBe(201)
  expect(await rowOf(owner, token)).toMatchObject({
    standing: 'BOUND',
    class: 'OWN_TOKEN',
    tier: 'T4',
    record: { id: asset.id },
    own: { basis: 'LAUNCH_PLAN', source: { id: data.id } },
  })
  scene.service.clock.advance(1000)
  const { id, resourceType, resourceVersion } = data
  const other = await newToken()
  const next = await plan({
    token: keyOf(other),
    supersedes: { id, resourceType, resourceVersion },
  })
  expect(next.status).toBe(201)
  // That a plan ends does not turn the token into money, whatever was declared before.
  expect(await rowOf(owner, token)).toMatchObject({ standing: 'UNDECLARED', tier: 'T4', own: null })
  expect(await rowOf(owner, other)).toMatchObject({ standing: 'BOUND' })
  const decided = await change(owner, asset, 'STABLE')
  expect(decided.data).toMatchObject({ pending: { class: 'STABLE' } })
})

type View = contract.TreasuryAssetView
type Row = contract.TreasuryAssetRow

const declare = (by: TestMember, token: string, declared: string) =>
  callOperation<View>(by, 'createTreasuryAssets', {
    body: { assetKey: keyOf(token), class: declared, reason },
  })
const change = (by: TestMember, { id, resourceVersion }: View, declared: string) =>
  callOperation<View>(by, 'changeTreasuryAsset', {
    params: { id },
    ifMatch: resourceVersion,
    body: { class: declared, reason },
  })
const confirm = (by: TestMember, { id, resourceVersion }: View) =>
  callOperation<View>(by, 'confirmTreasuryAsset', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason },
  })
const rowsOf = async (by: TestMember) => (await callOperation<Row[]>(by, 'listTreasuryAssets')).data
const rowOf = async (by: TestMember, token: string) =>
  (await rowsOf(by)).find(({ assetKey }) => assetKey === keyOf(token))

const memberOf = (owner: TestMember, role: string) =>
  newMember(scene.service, owner.organizationId, role as never)

async function ownToken(by: TestMember): Promise<{ token: Address; asset: View }> {
  const token = await newToken()
  const { status, data } = await declare(by, token, 'OWN_TOKEN')
  expect(status).toBe(201)
  return { token, asset: data }
}

it('lists declared, bound and undeclared tokens, and no coin', async () => {
  const owner = await newDesk()
  await trade(owner, scene.test.chain.contracts.weth9)
  const undeclared = await newToken()
  await trade(owner, undeclared)
  const { token, asset } = await ownToken(owner)
  expect(asset).toMatchObject({
    symbol: 'TKN',
    decimals: 18,
    class: 'OWN_TOKEN',
    own: { basis: 'DECLARED' },
    pending: null,
  })
  const rows = await rowsOf(owner)
  expect(rows.map(({ assetKey }) => assetKey)).toEqual([token, undeclared].map(keyOf).toSorted())
  expect(await rowOf(owner, token)).toMatchObject({
    standing: 'DECLARED',
    class: 'OWN_TOKEN',
    tier: 'T4',
    gaps: [],
    record: { id: asset.id, resourceVersion: asset.resourceVersion },
  })
  expect(await rowOf(owner, undeclared)).toMatchObject({
    standing: 'UNDECLARED',
    class: 'CRYPTO_OTHER',
    tier: 'T4',
    own: null,
    record: null,
    decimals: 18,
    gaps: [{ code: 'OWN_TOKEN_UNDECLARED' }],
  })
  expect(await rowsOf(await newDesk())).toEqual([])
  const twice = await declare(owner, token, 'STABLE')
  expect([twice.status, twice.code]).toEqual([409, 'LIQUIDITY_TREASURY_ASSET_DECLARED'])
  expect(twice.fieldErrors.assetKey?.[0]).toContain(asset.id)
  const { weth9 } = scene.test.chain.contracts
  for (const other of [weth9, scene.deployer()]) {
    const { status, code } = await declare(owner, other, 'STABLE')
    expect([status, code]).toEqual([422, 'LIQUIDITY_TREASURY_ASSET_INVALID'])
  }
})

it('an entry declares its token, and no entry contradicts the record', async () => {
  const owner = await newDesk()
  const token = await newToken()
  const entry = await entered(owner, holding(token, { assetClass: 'STABLE' }))
  expect(entry.payload).toMatchObject({ assetClass: 'STABLE', tier: 'T1' })
  const row = await rowOf(owner, token)
  expect(row).toMatchObject({ standing: 'DECLARED', class: 'STABLE', symbol: 'TKN' })
  // As the base of a venue it stays what was declared.
  await trade(owner, token)
  expect((await tiersOf(owner)).money).toEqual([[keyOf(token), 'T1']])
  const more = { purpose: 'PAYROLL', allocation: { kind: 'FIXED', quantity: '1', priority: 1 } }
  const other = { assetClass: 'CRYPTO_MAJOR', ...more }
  const { status, code, fieldErrors } = await enter(owner, holding(token, other))
  expect([status, code]).toEqual([422, 'LIQUIDITY_TREASURY_ASSET_CLASS_CONFLICT'])
  expect(fieldErrors['payload.assetClass']?.[0]).toContain(row!.record!.id)
  const { asset } = await ownToken(owner)
  const own = holding(asset.assetKey.split(':').at(-1)!, { assetClass: 'STABLE' })
  expect((await enter(owner, own)).code).toBe('LIQUIDITY_TREASURY_ASSET_CLASS_CONFLICT')
  // A class that protects nothing changes at once, and holdings follow it.
  const { data: asset1 } = await change(owner, { ...row!.record } as View, 'CRYPTO_OTHER')
  expect([asset1.class, asset1.pending]).toEqual(['CRYPTO_OTHER', null])
  expect((await tiersOf(owner)).money).toEqual([[keyOf(token), 'T3']])
})

it('a bound token cannot be declared something else', async () => {
  const { owner } = scene
  const token = await scene.newToken()
  await scene.test.chain.mine(3)
  const { data: asset } = await declare(owner, token, 'CRYPTO_OTHER')
  const proof = await scene.proven(
    { token, claimant: scene.deployer(), method: 'DEFAULT_ADMIN' },
    0,
  )
  expect(await rowOf(owner, token)).toMatchObject({
    standing: 'BOUND',
    class: 'OWN_TOKEN',
    tier: 'T4',
    record: { id: asset.id },
    own: { basis: 'PROJECT_CONTROL', source: { id: proof.id } },
  })
  const refused = await change(owner, asset, 'STABLE')
  expect([refused.status, refused.code]).toEqual([409, 'LIQUIDITY_TREASURY_OWN_TOKEN_BOUND'])
  expect(refused.fieldErrors.class?.[0]).toContain(proof.id)
})

it('a token of a revoked venue stays undecided', async () => {
  const owner = await newDesk()
  const token = await newToken()
  await trade(owner, token)
  const [venue] = (await owner.client.listVenues()).body.data
  const revoked = await owner.client.supersedeVenues({
    params: { id: venue!.id },
    ifMatch: venue!.resourceVersion,
    body: { status: 'REVOKED', reason },
  })
  expect(revoked.status).toBe(200)
  expect(await rowOf(owner, token)).toMatchObject({ standing: 'UNDECLARED', tier: 'T4' })
  expect((await declare(owner, token, 'STABLE')).data).toMatchObject({ class: null })
})

it('an own token becomes money once another owner confirms it', async () => {
  const owner = await newDesk()
  const [other, treasurer] = [
    await memberOf(owner, 'OWNER'),
    await memberOf(owner, 'TREASURY_ADMIN'),
  ]
  const { token, asset } = await ownToken(treasurer)
  await entered(owner, holding(token))
  expect((await change(treasurer, asset, 'CRYPTO_OTHER')).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  const response = await change(owner, asset, 'CRYPTO_OTHER')
  expect(response.data).toMatchObject({
    class: 'OWN_TOKEN',
    pending: {
      class: 'CRYPTO_OTHER',
      requestedBy: { id: owner.userId },
      effectiveAt: null,
      expiresAt: new Date(scene.service.clock.read() + 7 * dayMilliseconds).toISOString(),
    },
  })
  expect((await change(owner, asset, 'STABLE')).code).toBe('LIQUIDITY_PRECONDITION_FAILED')
  expect((await confirm(owner, response.data)).code).toBe(
    'LIQUIDITY_TREASURY_ASSET_SECOND_OWNER_REQUIRED',
  )
  expect((await confirm(treasurer, response.data)).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  expect((await tiersOf(owner)).own).toEqual([[keyOf(token), 'T4']])
  const foreign = await newDesk()
  expect((await confirm(foreign, response.data)).status).toBe(404)
  expect((await change(foreign, response.data, 'STABLE')).status).toBe(404)
  const withdrawn = await change(treasurer, response.data, 'OWN_TOKEN')
  expect([withdrawn.data.class, withdrawn.data.pending]).toEqual(['OWN_TOKEN', null])
  expect((await confirm(other, withdrawn.data)).code).toBe(
    'LIQUIDITY_TREASURY_ASSET_NOTHING_PENDING',
  )
  const again = await change(owner, withdrawn.data, 'CRYPTO_OTHER')
  const confirmed = await confirm(other, again.data)
  expect(confirmed.data).toMatchObject({ class: 'CRYPTO_OTHER', own: null, pending: null })
  expect((await tiersOf(owner)).money).toEqual([[keyOf(token), 'T3']])
  const { database, artifacts } = scene.service.services
  expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
})

it('the decision about an undeclared token waits for 72 hours where one owner is alone', async () => {
  const owner = await newDesk()
  const token = await newToken()
  await trade(owner, token)
  await entered(owner, holding(token))
  const treasurer = await memberOf(owner, 'TREASURY_ADMIN')
  expect((await declare(treasurer, token, 'STABLE')).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  const response = await declare(owner, token, 'STABLE')
  const effectiveAt = new Date(scene.service.clock.read() + 72 * hourMilliseconds).toISOString()
  expect([response.status, response.data]).toMatchObject([
    201,
    { class: null, pending: { effectiveAt } },
  ])
  expect(await rowOf(owner, token)).toMatchObject({
    standing: 'UNDECLARED',
    tier: 'T4',
    record: { id: response.data.id },
    pending: { class: 'STABLE' },
  })
  scene.service.clock.advance(72 * hourMilliseconds - 1)
  const early = await memberOf(owner, 'ANALYST')
  await settleAssets(scene.service.services)
  expect((await tiersOf(early)).own).toEqual([[keyOf(token), 'T4']])
  scene.service.clock.advance(1)
  // It counts from its moment on, swept or not.
  expect(await rowOf(early, token)).toMatchObject({ standing: 'DECLARED', class: 'STABLE' })
  expect((await tiersOf(early)).money).toEqual([[keyOf(token), 'T1']])
  await settleAssets(scene.service.services)
  const kinds = (
    await callOperation<{ events: { kind: string }[] }>(early, 'listEvents')
  ).data.events.map(({ kind }) => kind)
  expect(kinds).toContain('treasury.asset.loosened')
  const { rows } = await scene.service.database.pool.query(
    `select input from jobs where kind = 'TREASURY_ASSET_NOTICE' and organization_id = '${owner.organizationId}' order by id`,
  )
  expect(rows.map(({ input }) => JSON.parse(input).what)).toEqual([
    ...['loosening_requested', 'loosened'],
  ])
})

it('a claim counts as money by the leg that is no own token', async () => {
  const owner = await newDesk()
  const { markets } = scene.test
  const [own, money] = markets.tokens
  await declare(owner, own, 'OWN_TOKEN')
  await declare(owner, money, 'STABLE')
  const valuation = { quoteKey: keyOf(money), oracleProviderId: 'none' }
  const claim = await entered(owner, holding(markets.pair.address, { valuation }))
  const { assetClass, tier, observed } = claim.payload
  expect([assetClass, tier]).toEqual(['LP_CLAIM', 'T3'])
  const legOf = (token: string) => observed!.legs.find(({ asset }) => asset === keyOf(token))!
  expect([legOf(own).tier, legOf(money).tier]).toEqual(['T4', 'T1'])
  const { data } = await callOperation<contract.TreasurySummary>(owner, 'getTreasurySummary')
  expect(data.holdings).toMatchObject([
    {
      entry: { id: claim.id },
      assetKey: keyOf(money),
      // It must leave the pool before it can pay.
      tier: 'T3',
      quantity: legOf(money).quantity,
    },
  ])
  expect(data.ownToken).toMatchObject([
    { entry: { id: claim.id }, assetKey: keyOf(own), tier: 'T4', quantity: legOf(own).quantity },
  ])
  expect(data.byAsset.map(({ assetKey }) => assetKey)).toEqual([keyOf(money)])
  const { data: study } = await callOperation<VersionedRecord<contract.TreasuryStressStudy>>(
    owner,
    'createTreasuryStressTests',
    {
      body: {
        payload: {
          label: 'Test',
          portfolio: { scope: 'ALL_ACTIVE' },
          quoteKey: keyOf(money),
          templates: ['CRASH_HALF'],
        },
        reason,
      },
    },
  )
  const lots = study.payload.holdings.map(({ assetKey, tier: of }) => [assetKey, of])
  expect(lots.toSorted()).toEqual(
    [
      [keyOf(own), 'T4'],
      [keyOf(money), 'T4'],
    ].toSorted(),
  )
  // A falling own token takes the money out of the pool.
  expect(study.payload.before!.counted.markQuote).toBe('0')
  expect(study.payload.computation.gaps.map(({ code }) => code)).toContain('CLAIM_BESIDE_OWN_TOKEN')
  // A proof or a declaration moves a leg without a new observation.
  const rows = await rowsOf(owner)
  const asset = rows.find(({ assetKey }) => assetKey === keyOf(money))!.record as View
  await change(owner, asset, 'OWN_TOKEN')
  expect((await tiersOf(owner)).money).toEqual([])
})
