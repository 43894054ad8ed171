// @module-tag postgres

import type { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import {
  createSafe,
  deflatingTokenInitCode,
  deployRebasingToken,
  erc20Abi,
  type SafeTransaction,
  safeExecutionData,
  signSafeTransaction,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, onTestFinished } from 'vitest'
import {
  type Behaviour,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { provenAccount, provenSlot } from '../src/integrations/chain/trie-proof.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, providerBody, type TestChain, validatedPool } from './support/chain.ts'
import { chainTest as it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, serviceForTest, type TestMember } from './support/service.ts'

type Entry = VersionedRecord<contract.TreasuryBucket>

it.beforeAll(async ({ testChain, owner }) => {
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
})

const reason = 'For the test'
const one = 10n ** 18n
const keyOf = (token: Address) => `eip155:31337/erc20:${token.toLowerCase()}`
const accountOf = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!.address

const create = (owner: TestMember, payload: object, by = owner, more: object = {}) =>
  callOperation<Entry>(by, 'createTreasuryEntries', { body: { payload, reason, ...more } })
const refresh = (owner: TestMember, { id, resourceVersion }: Entry, body: object = {}) =>
  callOperation<Entry>(owner, 'refreshTreasuryLedgerEntry', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason, ...body },
  })
const retire = (
  owner: TestMember,
  { id, resourceVersion }: Entry,
  disposition: string,
  more: object = {},
) =>
  callOperation<Entry>(owner, 'retireTreasuryLedgerEntry', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason, disposition, ...more },
  })

async function made(owner: TestMember, payload: object, more: object = {}): Promise<Entry> {
  const response = await create(owner, payload, owner, more)
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

async function newToken(testChain: TestChain, holder: Address, supply: bigint): Promise<Address> {
  const token = await testChain.chain.deployToken({ name: 'Token', symbol: 'T', supply }, holder)
  await testChain.chain.mine(3)
  return token
}

const stored = async (owner: TestMember, { id }: Entry) =>
  (await callOperation<Entry>(owner, 'getTreasuryEntries', { params: { id } })).data

const holding = (token: Address, address: Address, more: object = {}) => ({
  entryKind: 'ASSET',
  label: 'Reserve',
  asset: keyOf(token),
  purpose: 'RUNWAY_RESERVE',
  container: { kind: 'EOA', chainId: 31_337, address },
  ...more,
})

const debt = (token: Address, amount: bigint, more: object = {}) => ({
  entryKind: 'OBLIGATION',
  label: 'Audit',
  asset: keyOf(token),
  purpose: 'OPERATING',
  obligation: {
    obligationKind: 'VENDOR',
    counterparty: 'Auditor',
    reference: `Contract ${token}`,
    amount: `${amount}`,
    certainty: 'EXPECTED',
    schedule: { kind: 'ONE_OFF', at: '2026-01-01T00:00:00Z' },
    ...more,
  },
})

async function pay(
  testChain: TestChain,
  token: Address,
  from: Address,
  to: Address,
  amount: bigint,
) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const mined = await testChain.chain.send({ from, to: token, data })
  await testChain.chain.mine(3)
  const [log] = mined.logs
  return { chainId: 31_337, txHash: log!.transactionHash, logIndex: log!.logIndex }
}

describe('a holding', () => {
  it('of a Safe is read at a final block, and shown to a stranger by its proof', async ({
    testChain,
    owner,
  }) => {
    const owners = [1, 2, 3].map((one) => accountOf(testChain, one))
    const safe = await createSafe(testChain.chain, { owners, threshold: 2, saltNonce: 7n })
    const token = await newToken(testChain, safe, 1000n)
    const container = { kind: 'SAFE', chainId: 31_337, address: safe }
    const restrictions = [
      { kind: 'LEGAL', quantity: '300' },
      { kind: 'LOCKED_UNTIL', quantity: '5000', until: '2020-01-01T00:00:00Z' },
    ]
    const entry = await made(owner, holding(token, safe, { container, restrictions }))
    const { payload } = entry
    expect([entry.status, payload.observed, payload.split]).toMatchObject([
      'ACTIVE',
      { quantity: '1000', containerBalance: '1000', proof: 'MERKLE', legs: [] },
      { unrestricted: '700', restricted: '300', reserved: '0', shortfall: '0' },
    ])
    expect(payload).toMatchObject({
      containerKey: `eip155:31337:${safe.toLowerCase()}`,
      decimals: 18,
      value: null,
      assetClass: 'CRYPTO_OTHER',
      assetClassSource: 'DERIVED',
      tier: 'T3',
      rollForward: null,
    })
    const { snapshot, limitations } = payload.computation
    expect(limitations).toEqual(['SINGLE_RPC_PROVIDER'])
    const { snapshotHash, ...content } = snapshot!
    expect(H('snapshot/v1', content)).toBe(snapshotHash)

    const proof = await evidenceOf(owner, entry)
    const header = await testChain.chain.publicClient.getBlock({ blockHash: proof.blockHash })
    const { storageHash } = provenAccount(header.stateRoot, token, proof.accountProof)
    expect(provenSlot(storageHash, proof.storage.slot, proof.storage.proof)).toBe(1000n)

    const wrong = await create(owner, holding(token, safe))
    expect([wrong.status, wrong.code]).toEqual([409, 'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE'])
    const asKey = await create(
      owner,
      holding(token, safe, { purpose: 'GRANTS', allocation: fixed('1', 1) }),
    )
    expect([asKey.status, asKey.code, asKey.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_CONTAINER_KIND_MISMATCH'],
      { 'payload.container.kind': ['must match the account, a Safe, got EOA'] },
    ])
  })

  it('is rolled forward by the transfers since, to the block and the atom', async ({
    testChain,
    owner,
  }) => {
    const [holder, other] = [accountOf(testChain, 4), accountOf(testChain, 5)]
    const token = await newToken(testChain, holder, 100n)
    const entry = await made(owner, holding(token, holder))
    const same = await refresh(owner, entry)
    expect([same.status, same.code]).toEqual([409, 'LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE'])
    await pay(testChain, token, holder, other, 40n)
    await pay(testChain, token, other, holder, 1n)
    const { status, data } = await refresh(owner, entry)
    expect(status).toBe(200)
    expect(data.payload.rollForward).toMatchObject({
      opening: '100',
      inflow: '1',
      outflow: '40',
      logCount: 2,
      closing: '61',
      residual: '0',
      residualClass: 'NONE',
    })
    expect([data.sequence, data.payload.observed!.quantity]).toEqual([2, '61'])
    const stale = await refresh(owner, entry, { label: 'Late' })
    expect([stale.status, stale.code]).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
  })

  it('moved without a log is unexplained while the supply was constant', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 6)
    const token = await newToken(testChain, holder, 100n)
    const entry = await made(owner, holding(token, holder))
    const { slot } = (await evidenceOf(owner, entry)).storage
    const value = `0x${90n.toString(16).padStart(64, '0')}` as const
    await testChain.chain.testClient.setStorageAt({ address: token, index: slot, value })
    await testChain.chain.mine(3)
    const lost = await refresh(owner, entry)
    expect(lost.data.payload.rollForward).toMatchObject({
      residual: '-10',
      residualClass: 'UNEXPLAINED',
    })
  })

  it('of an Aave token grows by its index, which is reported as a rebase', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 6)
    const { token, setIndex } = await deployRebasingToken(testChain.chain, holder, 1000n)
    await testChain.chain.mine(3)
    const entry = await made(owner, holding(token, holder))
    expect(entry.payload.observed).toMatchObject({ quantity: '1000', proof: 'READ' })
    await setIndex(11n * 10n ** 26n)
    await testChain.chain.mine(3)
    const grown = await refresh(owner, entry)
    expect(grown.data.payload.rollForward).toMatchObject({
      opening: '1000',
      inflow: '0',
      outflow: '0',
      closing: '1100',
      residual: '100',
      residualClass: 'REBASE_OR_FEE',
    })
    // With a transfer its contract logs what has grown since the last one, as if it were minted.
    await setIndex(12n * 10n ** 26n)
    await pay(testChain, token, holder, accountOf(testChain, 5), 100n)
    const paid = await refresh(owner, grown.data)
    expect(paid.data.payload.rollForward).toMatchObject({
      opening: '1100',
      inflow: '200',
      outflow: '100',
      closing: '1100',
      residual: '-100',
      residualClass: 'REBASE_OR_FEE',
    })
  })

  it('of a token that burns a part of each transfer is explained by its logs alone', async ({
    testChain,
    owner,
  }) => {
    const [deployer, holder] = [accountOf(testChain, 0), accountOf(testChain, 7)]
    const token = await testChain.chain.deploy(deflatingTokenInitCode(10_000n))
    await pay(testChain, token, deployer, holder, 1000n)
    const entry = await made(owner, holding(token, holder))
    expect(entry.payload.observed!.quantity).toBe('990')
    await pay(testChain, token, holder, deployer, 500n)
    const { data } = await refresh(owner, entry)
    expect(data.payload.rollForward).toMatchObject({
      opening: '990',
      outflow: '500',
      logCount: 2,
      closing: '490',
      residual: '0',
      residualClass: 'NONE',
    })
  })

  it('never counts twice, whatever the order in which entries of a place come', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 1)
    const token = await newToken(testChain, holder, 100n)
    const all = await made(owner, holding(token, holder))
    const part = await made(
      owner,
      holding(token, holder, { purpose: 'PAYROLL', allocation: fixed('60', 1) }),
    )
    expect(part.payload.observed!.quantity).toBe('60')
    const rest = await stored(owner, all)
    expect([rest.sequence, rest.payload.observed!.quantity]).toEqual([2, '40'])
    // Of equals the elder comes first, whichever is observed.
    const later = await made(
      owner,
      holding(token, holder, { purpose: 'GRANTS', allocation: fixed('50', 1) }),
    )
    expect([later.status, later.payload.observed!.quantity]).toEqual(['PARTIAL', '40'])
    await testChain.chain.mine(3)
    const again = await refresh(owner, await stored(owner, part))
    expect(again.data.payload.observed!.quantity).toBe('60')
    expect((await stored(owner, all)).payload.observed!.quantity).toBe('0')
  })

  it('never counts twice where entries of a place come at once', async ({ testChain, owner }) => {
    const holder = accountOf(testChain, 2)
    const token = await newToken(testChain, holder, 100n)
    const purposes = ['PAYROLL', 'GRANTS', 'COLLATERAL', 'RUNWAY_RESERVE', 'OPERATING']
    const answers = await Promise.all(
      purposes.map((purpose) =>
        create(owner, holding(token, holder, { purpose, allocation: fixed('60', 1) })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(purposes.map(() => 201))
    const kept = await Promise.all(answers.map(({ data }) => stored(owner, data)))
    const quantities = kept.map(({ payload }) => BigInt(payload.observed!.quantity))
    expect(quantities.reduce((sum, one) => sum + one, 0n)).toBe(100n)
  })

  it('below its restricted amount is still observed, with a notice', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 3)
    const token = await newToken(testChain, holder, 100n)
    const restrictions = [{ kind: 'LEGAL', quantity: '80' }]
    const entry = await made(owner, holding(token, holder, { restrictions }))
    await pay(testChain, token, holder, accountOf(testChain, 4), 50n)
    const { data } = await refresh(owner, entry)
    expect([data.status, data.payload.split]).toEqual([
      ...['PARTIAL', { unrestricted: '0', restricted: '50', reserved: '0', shortfall: '0' }],
    ])
    expect(data.payload.computation.gaps).toContainEqual(
      expect.objectContaining({ code: 'OVER_RESTRICTED' }),
    )
    const response = await refresh(owner, data, { restrictions })
    expect([response.status, response.code]).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_RESTRICTION_EXCEEDS_QUANTITY'],
    ])
  })

  it('is split among entries by priority, with a notice of the shortfall', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 7)
    const token = await newToken(testChain, holder, 100n)
    const of = (purpose: string, allocation: object) =>
      made(owner, holding(token, holder, { purpose, allocation }))
    const first = await of('PAYROLL', fixed('80', 2))
    const second = await of('GRANTS', fixed('50', 1))
    const rest = await of('UNALLOCATED', { kind: 'REMAINDER' })
    expect(second.payload.observed!.quantity).toBe('50')
    expect(rest.payload.observed!.quantity).toBe('0')
    await testChain.chain.mine(3)
    const { data } = await refresh(owner, await stored(owner, first))
    expect([data.status, data.payload.observed!.quantity, data.payload.split]).toEqual([
      ...['PARTIAL', '50'],
      { unrestricted: '50', restricted: '0', reserved: '0', shortfall: '30' },
    ])
    expect(data.payload.computation.gaps).toMatchObject([{ code: 'BUCKET_UNDERFUNDED' }])
    const twice = await create(owner, holding(token, holder, { purpose: 'BUYBACK' }))
    expect([twice.status, twice.code]).toEqual([409, 'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE'])
  })

  it('a claim names its underlying assets, and own tokens are never money', async ({
    service,
    testChain,
    owner,
  }) => {
    const member = await newOrganization(service)
    await validatedPool(member, testChain)
    const { pair, pool } = testChain.markets
    const deployer = accountOf(testChain, 0)
    const shares = await create(
      owner,
      holding(pair.address, testChain.chain.contracts.payer, {
        container: { kind: 'CONTRACT', chainId: 31_337, address: testChain.chain.contracts.payer },
      }),
      member,
    )
    expect(shares.status).toBe(201)
    const { observed, assetClass, tier } = shares.data.payload
    // The base of the venue is undeclared, and the other leg counts.
    expect([assetClass, tier]).toEqual(['LP_CLAIM', 'T3'])
    const [held, supply, reserves] = await Promise.all([
      testChain.chain.publicClient.readContract({
        address: pair.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [testChain.chain.contracts.payer],
      }),
      testChain.chain.publicClient.readContract({
        address: pair.address,
        abi: erc20Abi,
        functionName: 'totalSupply',
      }),
      Promise.all(
        [pair.token0, pair.token1].map((token) =>
          testChain.chain.publicClient.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [pair.address],
          }),
        ),
      ),
    ])
    expect(observed!.legs).toEqual(
      [pair.token0, pair.token1].map((token, index) => ({
        asset: keyOf(token),
        tier: token === pool.token0 ? 'T4' : 'T3',
        quantity: `${(held * reserves[index]!) / supply}`,
      })),
    )
    const own = await create(
      owner,
      holding(pool.token0, deployer, { assetClass: 'STABLE' }),
      member,
    )
    expect([own.status, own.code]).toEqual([422, 'LIQUIDITY_TREASURY_ENTRY_INCONSISTENT'])
    const kept = await create(owner, holding(pool.token0, deployer), member)
    expect(kept.data.payload).toMatchObject({ assetClass: 'CRYPTO_OTHER', tier: 'T4' })
    const coin = await create(
      owner,
      { ...holding(pool.token0, deployer), asset: 'eip155:31337/slip44:60' },
      member,
    )
    expect(coin.data.payload).toMatchObject({
      assetClass: 'CRYPTO_MAJOR',
      tier: 'T2',
      decimals: 18,
      observed: { proof: 'MERKLE' },
    })
  })

  it('is valued at one in itself, and not at all without a price', async ({ testChain, owner }) => {
    const holder = accountOf(testChain, 8)
    const token = await newToken(testChain, holder, 5n * one)
    const valuation = { quoteKey: keyOf(token), oracleProviderId: 'nobody' }
    const entry = await made(owner, holding(token, holder, { valuation, assetClass: 'STABLE' }))
    expect(entry.payload).toMatchObject({
      value: { quoteKey: keyOf(token), amount: `${5n * one}` },
      tier: 'T1',
      assetClassSource: 'DECLARED',
    })
    const inMoney = { quoteKey: 'iso4217:USD', oracleProviderId: 'nobody' }
    const { data } = await refresh(owner, entry, { valuation: inMoney })
    expect([data.status, data.payload.value]).toEqual(['PARTIAL', null])
    expect(data.payload.computation.gaps).toMatchObject([
      { code: 'PRICE_UNAVAILABLE', subject: keyOf(token), effect: 'EXCLUDED' },
    ])
    const pinned = { ...valuation, oracleGeneration: `0x${'1'.repeat(64)}` }
    const stale = await refresh(owner, data, { valuation: pinned })
    expect([stale.status, stale.code]).toEqual([409, 'LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE'])
    expect(stale.fieldErrors['valuation.oracleGeneration']![0]).toContain(
      entry.payload.computation.prices[0]!.generation,
    )
  })

  it('is rejected if it contradicts itself, the chain or known records', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 9)
    const token = await newToken(testChain, holder, 10n)
    const refused = async (payload: object) => {
      const { status, code, fieldErrors } = await create(owner, payload)
      return [status, code, Object.keys(fieldErrors)]
    }
    expect(await refused(holding(accountOf(testChain, 1), holder))).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_ASSET_UNREADABLE', ['payload.asset']],
    ])
    const restrictions = [{ kind: 'LEGAL', quantity: '11' }]
    expect(await refused(holding(token, holder, { restrictions }))).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_RESTRICTION_EXCEEDS_QUANTITY', ['payload.restrictions']],
    ])
    const elsewhere = { kind: 'EOA', chainId: 5, address: holder }
    expect(await refused(holding(token, holder, { container: elsewhere }))).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_ENTRY_INCONSISTENT', ['payload.container.chainId']],
    ])
    const custodian = {
      kind: 'CUSTODIAN_ACCOUNT',
      providerId: 'bank',
      accountReferenceHash: `0x${'2'.repeat(64)}`,
    }
    expect(await refused(holding(token, holder, { container: custodian }))).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE', ['payload.observation']],
    ])
    const typed = await create(owner, { ...holding(token, holder), observed: { quantity: '1' } })
    expect(typed.status).toBe(400)
  })
})

const fixed = (quantity: string, priority: number) => ({ kind: 'FIXED', quantity, priority })

async function evidenceOf(owner: TestMember, { payload }: Entry) {
  const contentHash = payload.observed!.evidenceHash!
  const { body } = await owner.client.downloadArtifact({ params: { contentHash } })
  return JSON.parse(Buffer.from(body as never).toString()) as {
    blockHash: Hex
    accountProof: Hex[]
    storage: { slot: Hex; proof: Hex[] }
  }
}

describe('where one of two providers lies', () => {
  it('no payment is made up, and no transfer hidden', async ({ testChain, owner }) => {
    let behave: Behaviour = (_call, forward) => forward()
    const { rpcUrl } = testChain.chain
    const proxy = await startProviderProxy(rpcUrl, (call, forward) => behave(call, forward))
    onTestFinished(() => proxy.stop())
    const lying = await serviceForTest({ OUTBOUND_ALLOW: hostOf(rpcUrl, proxy.url) })
    const desk = await newOrganization(lying)
    // The liar is asked first.
    await desk.client.putOperatingSystemProvider({ body: providerBody(proxy.url, 'a-liar') })
    await desk.client.putOperatingSystemProvider({ body: providerBody(rpcUrl, 'honest') })
    const holder = accountOf(testChain, 6)
    const token = await newToken(testChain, holder, 100n)
    const entry = (await create(owner, holding(token, holder), desk)).data
    const owed = (await create(owner, debt(token, 40n), desk)).data
    const place = await pay(testChain, token, holder, accountOf(testChain, 9), 1n)
    behave = async ({ method }, forward) => {
      const answer = (await forward()) as { result?: { logs?: { data: string }[] } & object[] }
      if (method === 'eth_getTransactionReceipt') {
        for (const log of answer.result?.logs ?? []) log.data = `0x${'28'.padStart(64, '0')}`
      }
      return method === 'eth_getLogs' ? { ...answer, result: [] } : answer
    }
    const sendRequest = (id: string, version: string, more: object) =>
      callOperation<Entry>(desk, 'refreshTreasuryLedgerEntry', {
        params: { id },
        ifMatch: version,
        body: { reason, ...more },
      })
    const settled = await sendRequest(owed.id, owed.resourceVersion, { settlements: [place] })
    const rolled = await sendRequest(entry.id, entry.resourceVersion, {})
    for (const { status, code } of [settled, rolled]) {
      expect([status, code]).toEqual([503, 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE'])
    }
  })
})

describe('an obligation', () => {
  it('falls by exactly the finalized transfers out of a container, each of which pays', async ({
    testChain,
    owner,
  }) => {
    const owners = [1, 2].map((one) => accountOf(testChain, one))
    const safe = await createSafe(testChain.chain, { owners, threshold: 2, saltNonce: 8n })
    const token = await newToken(testChain, safe, 100n)
    const container = { kind: 'SAFE', chainId: 31_337, address: safe }
    await made(owner, holding(token, safe, { container }))
    const owed = await made(owner, debt(token, 50n))
    expect(owed.payload).toMatchObject({
      total: '50',
      settled: '0',
      remaining: '50',
      overdue: '50',
      observed: null,
      tier: 'T3',
    })
    const transaction: SafeTransaction = {
      to: token,
      value: 0n,
      operation: 0,
      nonce: 0n,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [accountOf(testChain, 9), 30n],
      }),
    }
    const signers = [testChain.chain.accounts[1]!, testChain.chain.accounts[2]!]
    const signatures = await signSafeTransaction(31_337, safe, transaction, signers)
    const data = safeExecutionData(transaction, signatures)
    const mined = await testChain.chain.send({ from: accountOf(testChain, 8), to: safe, data })
    const log = mined.logs.find(({ address }) => address.toLowerCase() === token.toLowerCase())!
    const place = { chainId: 31_337, txHash: log.transactionHash, logIndex: log.logIndex }
    const early = await refresh(owner, owed, { settlements: [place] })
    expect([early.status, early.code]).toEqual([422, 'LIQUIDITY_TREASURY_SETTLEMENT_UNPROVEN'])
    await testChain.chain.mine(3)
    const paid = await refresh(owner, owed, { settlements: [place] })
    expect([paid.status, paid.data.payload]).toMatchObject([
      200,
      {
        settled: '30',
        remaining: '20',
        overdue: '20',
        settlements: [{ place, amount: '30', container: `eip155:31337:${safe.toLowerCase()}` }],
      },
    ])
    const again = await refresh(owner, paid.data, { settlements: [place] })
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE'])
    const early2 = await retire(owner, paid.data, 'PAID')
    expect([early2.status, early2.code]).toEqual([422, 'LIQUIDITY_TREASURY_DISPOSITION_REFUSED'])
    const foreign = await pay(
      testChain,
      token,
      accountOf(testChain, 9),
      accountOf(testChain, 8),
      20n,
    )
    const other = await refresh(owner, paid.data, { settlements: [foreign] })
    expect(other.fieldErrors['settlements.0']![0]).toMatch(/must be sent from a container of an e/)
  })

  it('accepts at most the open amount, and is retired as paid when no amount remains', async ({
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 2)
    const token = await newToken(testChain, holder, 100n)
    await made(owner, holding(token, holder))
    const owed = await made(owner, debt(token, 50n))
    await made(owner, holding(token, accountOf(testChain, 5), { purpose: 'GRANTS' }))
    const within = await pay(testChain, token, holder, accountOf(testChain, 5), 1n)
    const kept = await refresh(owner, owed, { settlements: [within] })
    expect(kept.fieldErrors['settlements.0']![0]).toMatch(/must be sent outside the organization/)
    const much = await pay(testChain, token, holder, accountOf(testChain, 9), 51n)
    const over = await refresh(owner, owed, { settlements: [much] })
    expect([over.status, over.code, over.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_SETTLEMENT_EXCEEDS_REMAINING'],
      { settlements: ['must sum to at most 50, got 51'] },
    ])
    // The log of the token itself is one; the second settles in one request.
    await pay(testChain, token, accountOf(testChain, 9), holder, 51n)
    const parts = [
      await pay(testChain, token, holder, accountOf(testChain, 9), 20n),
      await pay(testChain, token, holder, accountOf(testChain, 9), 30n),
    ]
    const { data } = await refresh(owner, owed, { settlements: parts })
    expect(data.payload).toMatchObject({ remaining: '0', overdue: '0' })
    const ended = await retire(owner, data, 'PAID')
    expect([ended.status, ended.data.status, ended.data.payload.disposition]).toEqual([
      ...[200, 'RETIRED', 'PAID'],
    ])
    const after = await refresh(owner, ended.data, { label: 'Again' })
    expect([after.status, after.code]).toEqual([409, 'LIQUIDITY_TREASURY_ENTRY_RETIRED'])
    // What paid stays paid; the obligation may be owed anew.
    const next = await made(owner, debt(token, 50n))
    const reused = await refresh(owner, next, { settlements: [parts[0]!] })
    expect(reused.code).toBe('LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE')
  })

  it('in bank money is paid by the evidence of the issuer, which proves no payment', async ({
    testChain,
    owner,
  }) => {
    const [token, reference] = [
      await newToken(testChain, accountOf(testChain, 9), 1n),
      'Rent of the office',
    ]
    const owed = await made(owner, { ...debt(token, 7n, { reference }), asset: 'iso4217:EUR' })
    const bare = await retire(owner, owed, 'PAID')
    expect([bare.status, bare.fieldErrors.disposition]).toEqual([
      422,
      [expect.stringMatching(/^must not be PAID without evidenceHashes/)],
    ])
    const evidenceHashes = [`0x${'4'.repeat(64)}`]
    const { status, data } = await retire(owner, owed, 'PAID', { evidenceHashes })
    expect([status, data]).toMatchObject([
      200,
      { status: 'RETIRED', evidenceHashes, payload: { settled: '0', remaining: '7' } },
    ])
  })

  it('a committed one names its evidence, an endless one has no total, and a duplicate is rejected', async ({
    testChain,
    owner,
  }) => {
    const token = await newToken(testChain, accountOf(testChain, 9), 1n)
    const committed = { certainty: 'COMMITTED' }
    const bare = await create(owner, debt(token, 5n, committed))
    expect([bare.status, Object.keys(bare.fieldErrors)]).toEqual([
      ...[422, ['payload.obligation.certainty']],
    ])
    const evidenceHashes = [`0x${'3'.repeat(64)}`]
    await made(owner, debt(token, 5n, committed), { evidenceHashes })
    const twice = await create(owner, debt(token, 6n))
    expect([twice.status, twice.code]).toEqual([409, 'LIQUIDITY_TREASURY_OBLIGATION_DUPLICATE'])
    const racing = debt(token, 5n, { reference: 'Racing' })
    const responses = await Promise.all([1, 2, 3].map(() => create(owner, racing)))
    expect(responses.map(({ status, code }) => `${status} ${code}`).sort()).toEqual([
      '201 ',
      ...['1', '2'].map(() => '409 LIQUIDITY_TREASURY_OBLIGATION_DUPLICATE'),
    ])
    const [loser] = responses.filter(({ status }) => status === 409)
    expect(Object.keys(loser!.fieldErrors)).toEqual(['payload.obligation.reference'])
    const schedule = { kind: 'RECURRING', firstAt: '2025-12-31T00:00:00Z', every: 'MONTH' }
    const endless = await made(owner, debt(token, 5n, { reference: 'Salaries', schedule }))
    // The clock of the service stands at 2026-01-05.
    expect(endless.payload).toMatchObject({ total: null, remaining: null, overdue: '5' })
    const wrong = { kind: 'RECURRING', firstAt: '2026-01-31T00:00:00Z', every: 'MONTH' }
    const refused = await create(
      owner,
      debt(token, 5n, { reference: 'X', schedule: { ...wrong, until: '2025-01-01T00:00:00Z' } }),
    )
    expect([refused.status, refused.code]).toEqual([422, 'LIQUIDITY_TREASURY_SCHEDULE_INVALID'])
  })
})

describe('the ledger', () => {
  it('loses none of fifty writers at once, and one container has one entry', async ({
    service,
    testChain,
    owner,
  }) => {
    const member = await newOrganization(service)
    await member.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
    const token = await newToken(testChain, accountOf(testChain, 3), 100n)
    const writers = Array.from({ length: 50 }, (_, index) =>
      create(
        owner,
        index % 5 === 0
          ? holding(token, accountOf(testChain, 3))
          : debt(token, 5n, { reference: `Invoice ${index}` }),
        member,
      ),
    )
    const responses = await Promise.all(writers)
    const created = responses.filter(({ status }) => status === 201)
    expect(created).toHaveLength(41)
    expect(
      responses.filter(({ code }) => code !== '').map(({ status, code }) => [status, code]),
    ).toEqual(Array.from({ length: 9 }, () => [409, 'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE']))
    const { body } = await member.client.listTreasuryEntries({ query: { limit: 100 } } as never)
    expect(body.data).toHaveLength(41)
  })

  it('belongs to one organization only', async ({ owner, stranger }) => {
    const { body } = await stranger.client.listTreasuryEntries()
    expect(body.data).toEqual([])
    const entry = (await owner.client.listTreasuryEntries()).body.data[0]!
    const read = await callOperation(stranger, 'getTreasuryEntries', { params: { id: entry.id } })
    expect([read.status, read.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  it('holds together as a whole', async ({ service, owner }) => {
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
