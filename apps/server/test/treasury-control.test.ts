// @covers apps/server/src/families/plan/treasury-entries apps/server/src/families/plan/treasury-projections apps/server/src/market/treasury
import { generateKeyPairSync, sign } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { createSafe, deployRebasingToken } from '@liquidity-os/localchain'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain, validatedPool } from './support/chain.ts'
import {
  accountStatement,
  catchUp,
  custodianBytes,
  statementOf,
  typedData,
  wholeSeconds,
} from './support/custody.ts'
import { tell } from './support/requests.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Evidence = { evidence: VersionedRecord<contract.TreasuryCustodyEvidence> }

let test: TestChain
let service: TestService
let owner: TestMember
let asset: string
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  await validatedPool(owner, test)
  await catchUp(test.chain, service)
  asset = keyOf(test.markets.tokens[1])
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const reason = 'For the test'
/** Milliseconds. */
const minute = 60_000
const keyOf = (token: Address) => `eip155:31337/erc20:${token.toLowerCase()}`
const account = (index: number) => test.chain.accounts[index]!

const enter = (payload: object) =>
  tell<VersionedRecord<contract.TreasuryHolding>>(owner, 'createTreasuryEntries', {
    body: {
      payload: {
        ...{ entryKind: 'ASSET', label: 'Reserve', purpose: 'RUNWAY_RESERVE', asset, ...payload },
      },
      reason,
    },
  })
const onChain = (address: Address, kind = 'EOA') => ({
  container: { kind, chainId: 31_337, address },
})
const admit = async (statement: contract.CustodyStatement, signature: object) => {
  const told = await tell<Evidence>(owner, 'admitTreasuryCustodyEvidence', {
    body: { statement, signature, reason },
  })
  expect([told.status, told.fieldErrors]).toEqual([201, {}])
  return told.data.evidence
}
/** Evidence of an account by its key, for a minute, of one asset of which it holds nothing. */
async function signedBy(place: number) {
  const token = await test.chain.deployToken({ name: 'T', symbol: 'T', supply: 1n })
  await test.chain.mine(4)
  const statement = await accountStatement(service, owner, test.chain, {
    ...{ account: account(place).address },
    holdings: [{ assetKey: keyOf(token), quantity: '0' }],
    expiresAt: wholeSeconds(service.clock.read() + minute),
  })
  const signature = await account(place).signTypedData(typedData(statement) as never)
  return admit(statement, { scheme: 'EIP712_EOA', signature })
}
const summary = async () => (await tell<contract.TreasurySummary>(owner, 'getTreasurySummary')).data
const unproven = (gaps: contract.TreasurySummary['gaps']) =>
  gaps.filter(({ code }) => code === 'CONTROL_UNPROVEN')

it('an account that nobody signed for is asserted, until its key does, and again when that ends', async () => {
  const { data: entry } = await enter(onChain(account(1).address))
  const held = entry.payload.observed!.quantity
  const before = await summary()
  expect(before.holdings[0]!.control).toEqual({ status: 'ASSERTED', source: null, until: null })
  expect(before.byAsset[0]).toMatchObject({
    quantity: held,
    quantityControl: { proven: '0', attested: '0', asserted: held, total: held },
  })
  expect(unproven(before.gaps)).toMatchObject([{ subject: entry.id, effect: 'FLAGGED' }])

  const { id, payload } = await signedBy(1)
  const proven = await summary()
  expect(proven.holdings[0]!.control).toMatchObject({
    ...{ status: 'PROVEN', source: { id } },
    until: new Date(payload.statement.expiresAt).toISOString(),
  })
  expect(proven.byAsset[0]!.quantityControl).toEqual({
    ...{ proven: held, attested: '0', asserted: '0', total: held },
  })
  expect(unproven(proven.gaps)).toEqual([])

  service.clock.advance(minute)
  const ended = await summary()
  expect(ended.holdings[0]!.control.status).toBe('ASSERTED')
  expect(unproven(ended.gaps)).toHaveLength(1)
})

it('what a custodian keeps is attested by its signature', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  // Every Ed25519 key has its one coordinate.
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
  const put = await tell(owner, 'putOperatingSystemProvider', {
    body: {
      payload: {
        ...{ providerId: 'bank', kind: 'CUSTODIAN', displayName: 'Bank' },
        ...{ configuration: {}, publicKeys: [raw] },
      },
      reason,
    },
  })
  expect(put.status).toBe(201)
  const accountReferenceHash = `0x${'ab'.repeat(32)}`
  const statement = statementOf(service, owner, {
    ...{ container: `custodian:bank:${accountReferenceHash}`, controller: 'bank' },
    ...{ relation: 'CUSTODIAN', holdings: [{ assetKey: 'iso4217:USD', quantity: '500' }] },
  })
  const signature = sign(null, custodianBytes(statement), privateKey).toString('base64')
  const { id, resourceType, resourceVersion } = await admit(statement, {
    ...{ scheme: 'ED25519', providerId: 'bank', signature },
  })
  const { status } = await enter({
    asset: 'iso4217:USD',
    container: { kind: 'BANK_ACCOUNT', providerId: 'bank', accountReferenceHash },
    observation: { mode: 'CUSTODY_EVIDENCE', evidence: { id, resourceType, resourceVersion } },
  })
  expect(status).toBe(201)
  const { byAsset } = await summary()
  const dollars = byAsset.find(({ assetKey }) => assetKey === 'iso4217:USD')
  expect(dollars!.quantityControl).toEqual({
    ...{ proven: '0', attested: '500', asserted: '0', total: '500' },
  })
})

it('no contract of an exchange or a lending market is a container', async () => {
  const { contracts } = test.chain
  const { pair, pool } = test.markets
  const { token: reserve } = await deployRebasingToken(test.chain, account(3).address, 1n)
  await test.chain.mine(4)
  const refused: [Address, string][] = [
    [pool.address, 'the market of the venue'],
    [pair.address, 'a pair of Uniswap v2'],
    [contracts.swapRouter, 'a contract of the adapter uniswap-v3-swap-router'],
    [contracts.uniswapV2Router, 'a contract of the adapter uniswap-v2-router'],
    [contracts.uniswapV2Factory, 'a factory of Uniswap v2'],
    [contracts.positionManager, 'a router or a position manager of Uniswap v3'],
    [reserve, 'a reserve of a lending pool of Aave'],
  ]
  for (const [address, words] of refused) {
    const told = await enter(onChain(address, 'CONTRACT'))
    expect([told.status, told.code]).toEqual([422, 'LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL'])
    expect(told.fieldErrors['payload.container.address']).toEqual([
      expect.stringContaining(`must be an account of this organization, got ${words}`),
    ])
  }
  const safe = await createSafe(test.chain, {
    ...{ owners: [account(2).address], threshold: 1, saltNonce: 77n },
  })
  await test.chain.mine(4)
  expect((await enter(onChain(safe, 'SAFE'))).status).toBe(201)
  expect((await enter(onChain(contracts.payer, 'CONTRACT'))).status).toBe(201)
})
