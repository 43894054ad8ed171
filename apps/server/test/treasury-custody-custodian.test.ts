import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import { importPublicKey, type VersionedRecord, verify } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { describe, expect } from 'vitest'
import { checkAuthorities } from '../src/families/prove/treasury-custody/authority-check.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { providerBody, type TestChain } from './support/chain.ts'
import { catchUp, custodianBytes, statementOf, wholeSeconds } from './support/custody.ts'
import { chainTest } from './support/fixtures.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import type { TestMember, TestService } from './support/service.ts'

type Statement = contract.CustodyStatement
type Written = {
  evidence: VersionedRecord<contract.TreasuryCustodyEvidence>
  receipt: contract.CustodyReceipt
}
type Entry = VersionedRecord<contract.TreasuryHolding>

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const raw = (key: KeyObject) =>
  // Every Ed25519 key has its one coordinate.
  Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

const it = chainTest.extend(
  'provider',
  { scope: 'file', auto: true },
  async ({ service, testChain, owner }) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    await catchUp(testChain.chain, service)
    const answer = await put(owner, [raw(publicKey)])
    expect(answer.status).toBe(201)
    const provider = answer.data
    return provider
  },
)

const reason = 'For the test'
const dollars = 'iso4217:USD'
const accountReferenceHash = `0x${'ab'.repeat(32)}`
const container = `custodian:custodian:${accountReferenceHash}`
const account = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!
const keyOf = (address: Address) => `eip155:31337/erc20:${address.toLowerCase()}`
const one = (quantity: string, assetKey: string) => [{ assetKey, quantity }]
const summarize = <Data>({ status, code, fieldErrors }: TestResponse<Data>) => [
  ...[status, code, Object.keys(fieldErrors)],
]

const put = (owner: TestMember, publicKeys: string[], ifMatch?: string, more: object = {}) =>
  callOperation<VersionedRecord>(owner, 'putOperatingSystemProvider', {
    body: {
      payload: {
        providerId: 'custodian',
        kind: 'CUSTODIAN',
        displayName: 'Custodian',
        configuration: {},
        publicKeys,
        ...more,
      },
      reason,
    },
    ...(ifMatch ? { ifMatch } : {}),
  })
const statementFor = (service: TestService, owner: TestMember, more: Partial<Statement> = {}) =>
  statementOf(service, owner, {
    container,
    controller: 'custodian',
    relation: 'CUSTODIAN',
    holdings: one('125000000', dollars),
    ...more,
  })
const signed = (owner: TestMember, statement: Statement, key = privateKey, more: object = {}) =>
  callOperation<Written>(owner, 'admitTreasuryCustodyEvidence', {
    body: {
      statement,
      reason,
      signature: {
        scheme: 'ED25519',
        providerId: 'custodian',
        ...more,
        signature: sign(null, custodianBytes(statement), key).toString('base64'),
      },
    },
  })
const refOf = ({ resourceType, id, resourceVersion }: VersionedRecord) => ({
  resourceType,
  id,
  resourceVersion,
})

describe('evidence of a custodian', () => {
  it('is its word alone, and says so', async ({ service, owner, provider }) => {
    const statement = statementFor(service, owner)
    const { status, data } = await signed(owner, statement, privateKey, {
      providerKeyResourceVersion: provider.resourceVersion,
    })
    expect(status).toBe(201)
    expect(data.receipt).toMatchObject({
      assurance: 'SIGNATURE_ONLY',
      snapshot: null,
      statementBlock: null,
      signedDigest: null,
      observed: [{ assetKey: 'iso4217:USD', quantity: '125000000', proof: 'SIGNED' }],
      authority: { kind: 'CUSTODIAN', publicKey: raw(publicKey) },
    })
    expect(data.receipt.limitations).toContain('CUSTODIAN_WORD_ONLY')
    const { serviceSignature, ...receipt } = data.receipt
    const key = importPublicKey(receipt.servicePublicKey)
    expect(verify(key, 'custody-receipt/v1', receipt, serviceSignature)).toBe(true)
    const other = generateKeyPairSync('ed25519').privateKey
    expect(summarize(await signed(owner, statementFor(service, owner), other))[1]).toBe(
      'LIQUIDITY_CUSTODY_SIGNATURE_INVALID',
    )
  })

  it('with deposit addresses is compared with their sum', async ({ service, testChain, owner }) => {
    const [a, b] = [account(testChain, 6), account(testChain, 7)]
    const own = await testChain.chain.deployToken(
      { name: 'D', symbol: 'D', supply: 100n },
      a.address,
    )
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [b.address, 30n],
    })
    await testChain.chain.send({ from: a.address, to: own, data })
    await testChain.chain.mine(4)
    const { number, hash } = await testChain.chain.publicClient.getBlock({ blockTag: 'finalized' })
    const at = { chainId: 31_337, blockNumber: Number(number), blockHash: hash }
    const with_ = (addresses: Address[], quantity = '100') =>
      statementFor(service, owner, { ...at, addresses, holdings: one(quantity, keyOf(own)) })
    const both = await signed(owner, with_([a.address, b.address]))
    expect(summarize(both)).toEqual([201, '', []])
    expect(both.data.receipt).toMatchObject({
      assurance: 'CHAIN_PROVEN',
      observed: [{ quantity: '100', proof: 'MERKLE' }],
    })
    expect(both.data.receipt.observed[0]!.evidenceHashes).toHaveLength(2)
    const short = await signed(owner, with_([a.address]))
    expect(short.fieldErrors['statement.holdings.0.quantity']![0]).toContain(
      'claimed 100, observed 70',
    )
    const { chainId } = at
    expect(
      summarize(
        await signed(
          owner,
          statementFor(service, owner, { chainId, holdings: one('1', keyOf(own)) }),
        ),
      ),
    ).toEqual([...[422, 'LIQUIDITY_CUSTODY_STATEMENT_INVALID', ['statement.chainId']]])
  })

  it('lapses with the keys of its provider', async ({ service, owner, provider }) => {
    const next = generateKeyPairSync('ed25519')
    const { data } = await put(owner, [raw(next.publicKey)], provider.resourceVersion)
    const bound = { providerKeyResourceVersion: provider.resourceVersion }
    expect(
      summarize(await signed(owner, statementFor(service, owner), next.privateKey, bound)),
    ).toEqual([
      ...[412, 'LIQUIDITY_CUSTODY_AUTHORITY_CHANGED', ['signature.providerKeyResourceVersion']],
    ])
    expect(summarize(await signed(owner, statementFor(service, owner)))[1]).toBe(
      'LIQUIDITY_CUSTODY_SIGNATURE_INVALID',
    )
    expect((await signed(owner, statementFor(service, owner), next.privateKey)).status).toBe(201)
    // What the key signed that was taken away holds no more; what the other signed stands.
    const ofNext = (await owner.client.listTreasuryCustodyEvidence({ query: { limit: 1 } })).body
    await checkAuthorities(service.services)
    const { body } = await owner.client.listTreasuryCustodyEvidence({ query: { limit: 20 } })
    const [stands, ...revoked] = body.data
    expect([stands?.id, stands?.status]).toEqual([ofNext.data[0]?.id, 'ACTIVE'])
    expect(new Set(revoked.map(({ status }) => status))).toEqual(new Set(['REVOKED']))
    expect(revoked[0]?.payload.lapse?.detail).toMatch(
      /^The provider custodian no longer has the key .+/,
    )
    // The tests that follow use the provider as it was.
    Object.assign(provider, (await put(owner, [raw(publicKey)], data.resourceVersion)).data)
    const unknownParty = {
      controller: 'nobody',
      container: container.replace(':custodian:', ':nobody:'),
    }
    const unknown = await signed(owner, statementFor(service, owner, unknownParty), privateKey, {
      providerId: 'nobody',
    })
    expect(summarize(unknown)).toEqual([
      ...[404, 'LIQUIDITY_PROVIDER_UNKNOWN', ['statement.controller']],
    ])
  })
})

describe('a custodian as a provider', () => {
  it('is known by its keys, and is not queried', async ({ owner }) => {
    const refused = async (publicKeys: string[], more: object) =>
      summarize(await put(owner, publicKeys, undefined, { providerId: 'another', ...more }))
    const invalid = (member: string) => [
      ...[422, 'LIQUIDITY_PROVIDER_CONFIGURATION_INVALID', [`payload.${member}`]],
    ]
    expect(await refused([], {})).toEqual(invalid('publicKeys'))
    expect(await refused(['AAAA'], {})).toEqual(invalid('publicKeys.0'))
    const keys = [raw(publicKey)]
    const endpoint = 'https://custodian.example.com/'
    expect(await refused(keys, { endpoint })).toEqual(invalid('endpoint'))
    expect(await refused(keys, { configuration: { url: endpoint } })).toEqual(
      invalid('configuration.url'),
    )
  })
})

describe('a holding that a custodian keeps', () => {
  const holding = (evidence: object | null, more: object = {}) => ({
    entryKind: 'ASSET',
    label: 'Reserve',
    asset: dollars,
    purpose: 'RUNWAY_RESERVE',
    container: { kind: 'CUSTODIAN_ACCOUNT', providerId: 'custodian', accountReferenceHash },
    ...(evidence ? { observation: { mode: 'CUSTODY_EVIDENCE', evidence } } : {}),
    ...more,
  })
  const create = (owner: TestMember, payload: object) =>
    callOperation<Entry>(owner, 'createTreasuryEntries', { body: { payload, reason } })
  const step = (
    owner: TestMember,
    { id, resourceVersion }: Entry,
    operation: string,
    body: object = {},
  ) =>
    callOperation<Entry>(owner, operation, {
      params: { id },
      ifMatch: resourceVersion,
      body: { reason, ...body },
    })
  const evidenceOf = async (
    service: TestService,
    owner: TestMember,
    quantity: string,
    more: Partial<Statement> = {},
  ) =>
    (
      await signed(
        owner,
        statementFor(service, owner, { holdings: one(quantity, dollars), ...more }),
      )
    ).data.evidence
  const needs = (member: string) => [
    ...[422, 'LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE', [`${member}`]],
  ]

  it('is what live evidence says, observed again by later evidence, and closed by evidence of nothing', async ({
    service,
    owner,
    provider,
  }) => {
    const first = await evidenceOf(service, owner, '1000')
    expect(summarize(await create(owner, holding(null)))).toEqual(needs('payload.observation'))
    const at = 'payload.observation.evidence'
    const ofOther = holding(refOf(first), { asset: 'iso4217:EUR' })
    expect(summarize(await create(owner, ofOther))).toEqual(needs(at))
    expect(summarize(await create(owner, holding(refOf(provider))))).toEqual(needs(at))
    const stale = { ...refOf(first), resourceVersion: `0x${'1'.repeat(64)}` }
    expect(summarize(await create(owner, holding(stale)))).toEqual([
      ...[412, 'LIQUIDITY_SOURCE_VERSION_CHANGED', [at]],
    ])
    const restrictions = [{ kind: 'LEGAL', quantity: '300' }]
    const made = await create(owner, holding(refOf(first), { restrictions }))
    expect(summarize(made)).toEqual([201, '', []])
    expect(made.data.payload).toMatchObject({
      containerKey: container,
      assetClass: 'FIAT',
      tier: 'T0',
      decimals: 2,
      observed: { quantity: '1000', containerBalance: '1000', proof: 'SIGNED' },
      split: { unrestricted: '700', restricted: '300', reserved: '0', shortfall: '0' },
      computation: {
        snapshot: null,
        sources: [refOf(first)],
        limitations: ['CUSTODIAN_WORD_ONLY'],
      },
    })
    const same = await step(owner, made.data, 'refreshTreasuryLedgerEntry')
    expect([same.status, same.code]).toEqual([409, 'LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE'])
    const second = await evidenceOf(service, owner, '900')
    const next = await step(owner, made.data, 'refreshTreasuryLedgerEntry')
    expect(next.data.payload).toMatchObject({
      observed: { quantity: '900', proof: 'SIGNED' },
      observation: { mode: 'CUSTODY_EVIDENCE', evidence: refOf(second) },
    })
    const closed = { disposition: 'CLOSED' }
    const full = await step(owner, next.data, 'retireTreasuryLedgerEntry', closed)
    expect([full.status, full.code]).toEqual([422, 'LIQUIDITY_TREASURY_DISPOSITION_REFUSED'])
    await evidenceOf(service, owner, '0')
    const retired = await step(owner, next.data, 'retireTreasuryLedgerEntry', closed)
    expect([retired.status, retired.data.status]).toEqual([200, 'RETIRED'])
  })

  it('is compared with later signed statements', async ({ service, owner, provider }) => {
    const asset = 'iso4217:CHF'
    const of = (quantity: string) =>
      evidenceOf(service, owner, quantity, { holdings: one(quantity, asset) })
    const made = await create(owner, holding(refOf(await of('50')), { asset }))
    const later = await of('40')
    const preview = await callOperation<contract.TreasuryLedgerReconciliation>(
      owner,
      'previewTreasuryReconciliation',
      {
        body: {
          scope: { kind: 'ENTRIES', entries: [refOf(made.data)] },
          evidence: [refOf(later)],
        },
      },
    )
    expect(summarize(preview)).toEqual([200, '', []])
    expect(preview.data.lines).toMatchObject([
      {
        container,
        assetKey: asset,
        cause: 'CUSTODY_DIFFERS',
        ledger: '50',
        custody: '40',
        differences: { ledgerMinusCustody: '10' },
      },
    ])
    const unknown = await callOperation(owner, 'previewTreasuryReconciliation', {
      body: {
        scope: { kind: 'ENTRIES', entries: [refOf(made.data)] },
        evidence: [refOf(provider)],
      },
    })
    expect(summarize(unknown)).toEqual([
      ...[404, 'LIQUIDITY_RECONCILIATION_EVIDENCE_UNAVAILABLE', ['evidence.0']],
    ])
  })

  it('is stale in the summary until each container that had evidence has some again', async ({
    service,
    owner,
  }) => {
    const other = `custodian:custodian:0x${'cd'.repeat(32)}`
    const begin = service.clock.read()
    const admit = async (more: Partial<Statement>) => {
      const answer = await signed(
        owner,
        statementFor(service, owner, { holdings: one('7', 'iso4217:NOK'), ...more }),
      )
      expect(summarize(answer)).toEqual([201, '', []])
      return answer.data.evidence
    }
    const custody = async () => {
      const { latest, freshness, asOf } = (await owner.client.getTreasurySummary()).body.data
      return { latest: latest.custody, told: freshness[4]!, asOf }
    }
    const short = { container: other, expiresAt: wholeSeconds(begin + 120_000) }
    await admit({ ...short, issuedAt: wholeSeconds(begin - 600_000) })
    const { told: before, asOf } = await custody()
    expect(before).toMatchObject({ family: 'CUSTODY', stale: false })
    const issued = Date.parse(wholeSeconds(begin - 600_000))
    expect(before.ageSeconds).toBeGreaterThanOrEqual((Date.parse(asOf) - issued) / 1000 - 1)
    // Evidence of another container is newer, and says nothing of this one.
    const newest = await admit({})
    // Of an earlier moment, though admitted later.
    await admit({
      container: other,
      issuedAt: wholeSeconds(begin - 900_000),
      expiresAt: short.expiresAt,
    })
    expect((await custody()).latest.source).toEqual(refOf(newest))
    service.clock.advance(120_000)
    const over = await custody()
    expect([over.latest.status, over.told.stale]).toEqual(['ACTIVE', true])
    await admit({ container: other })
    expect((await custody()).told.stale).toBe(false)
  })

  it('is not observed by expired evidence, and is no cash then', async ({ service, owner }) => {
    const asset = 'iso4217:JPY'
    const expiresAt = wholeSeconds(service.clock.read() + 3_600_000)
    const evidence = await evidenceOf(service, owner, '5', { holdings: one('5', asset), expiresAt })
    const other = await evidenceOf(service, owner, '5', {
      holdings: one('5', 'iso4217:SEK'),
      expiresAt,
    })
    const entry = (await create(owner, holding(refOf(evidence), { asset }))).data
    const summary = async () => (await owner.client.getTreasurySummary()).body.data
    const quantities = ({ byAsset }: contract.TreasurySummary) =>
      byAsset.flatMap(({ assetKey, quantity }) => (assetKey === asset ? [quantity] : []))
    expect(quantities(await summary())).toEqual(['5'])
    service.clock.advance(3_600_000)
    const over = await summary()
    expect(quantities(over)).toEqual([])
    expect(over.latest.custody.status).toBe('EXPIRED')
    expect(over.gaps).toContainEqual(
      expect.objectContaining({ code: 'CUSTODY_NOT_LIVE', subject: entry.id, effect: 'EXCLUDED' }),
    )
    expect(summarize(await create(owner, holding(refOf(other), { asset: 'iso4217:SEK' })))).toEqual(
      needs('payload.observation.evidence'),
    )
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
