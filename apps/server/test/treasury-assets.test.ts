// @covers apps/server/src/families/plan/treasury-assets apps/server/src/market/treasury
import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { poolBody, providerBody } from './support/chain.ts'
import { type ControlScene, startControlScene } from './support/controlling.ts'
import { tell } from './support/requests.ts'
import { newOrganization, type TestMember } from './support/service.ts'

type Entry = VersionedRecord<contract.TreasuryHolding>

let scene: ControlScene
beforeAll(async () => {
  scene = await startControlScene()
})
afterAll(() => scene.stop())

const reason = 'For the test'
const keyOf = (token: string) => `eip155:31337/erc20:${token.toLowerCase()}`

const holding = (token: string, more: object = {}) => ({
  ...{ entryKind: 'ASSET', label: 'Reserve', asset: keyOf(token), purpose: 'RUNWAY_RESERVE' },
  container: { kind: 'EOA', chainId: 31_337, address: scene.deployer() },
  ...more,
})

const enter = (by: TestMember, payload: object) =>
  tell<Entry>(by, 'createTreasuryEntries', { body: { payload, reason } })

async function entered(by: TestMember, payload: object): Promise<Entry> {
  const { status, code, fieldErrors, data } = await enter(by, payload)
  expect([status, code, fieldErrors]).toEqual([201, '', {}])
  return data
}

async function refreshed(by: TestMember, { id, resourceVersion }: Entry): Promise<Entry> {
  await scene.test.chain.mine(3)
  const { data } = await tell<Entry>(by, 'refreshTreasuryLedgerEntry', {
    ...{ params: { id }, ifMatch: resourceVersion, body: { reason } },
  })
  return data
}

const tiersOf = async (by: TestMember) => {
  const { data } = await tell<contract.TreasurySummary>(by, 'getTreasurySummary')
  const told = (some: contract.TreasurySummary['holdings']) =>
    some.map(({ assetKey, tier }) => [assetKey, tier])
  return { money: told(data.holdings), own: told(data.ownToken) }
}

/** A venue that trades a token for the quote of the test chain; a draft is enough to trade it. */
async function trade(by: TestMember, base: string): Promise<void> {
  const { pair } = poolBody(scene.test).payload
  const { status } = await tell(by, 'createVenues', {
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

it('a token of which control is proven is the own token, without a venue', async () => {
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

it('the base of a venue counts for nothing until it is decided whose token it is', async () => {
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
  await entered(owner, holding(late, { assetClass: 'STABLE' }))
  await trade(owner, late)
  expect((await tiersOf(owner)).own).toContainEqual([keyOf(late), 'T4'])
})
