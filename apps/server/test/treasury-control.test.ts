// @covers apps/server/src/families/plan/treasury-entries apps/server/src/families/plan/treasury-projections apps/server/src/market/treasury

import { generateKeyPairSync, sign } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { createSafe, deployRebasingToken } from '@liquidity-os/localchain'
import type { Address } from 'viem'
import { expect } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { minuteMilliseconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { type TestChain, validatedPool } from './support/chain.ts'
import {
  accountStatement,
  catchUp,
  custodianBytes,
  statementOf,
  typedData,
  wholeSeconds,
} from './support/custody.ts'
import { chainTest } from './support/fixtures.ts'
import { shownGate } from './support/launch-gates.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'

type Evidence = { evidence: VersionedRecord<contract.TreasuryCustodyEvidence> }

const it = chainTest.extend('asset', { scope: 'file' }, async ({ service, testChain, owner }) => {
  await validatedPool(owner, testChain)
  await catchUp(testChain.chain, service)
  return keyOf(testChain.markets.tokens[1])
})

const reason = 'For the test'
/** Milliseconds. */
const keyOf = (token: Address) => `eip155:31337/erc20:${token.toLowerCase()}`
const account = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!

const enter = (owner: TestMember, asset: string, payload: object, by = owner) =>
  callOperation<VersionedRecord<contract.TreasuryHolding>>(by, 'createTreasuryEntries', {
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Reserve',
        purpose: 'RUNWAY_RESERVE',
        asset,
        ...payload,
      },
      reason,
    },
  })
const onChain = (address: Address, kind = 'EOA') => ({
  container: { kind, chainId: 31_337, address },
})
const admit = async (
  owner: TestMember,
  statement: contract.CustodyStatement,
  signature: object,
  by = owner,
) => {
  const response = await callOperation<Evidence>(by, 'admitTreasuryCustodyEvidence', {
    body: { statement, signature, reason },
  })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data.evidence
}
/** Evidence of an account by its key, for a minute, of one asset of which it holds nothing. */
async function signedBy(
  service: TestService,
  testChain: TestChain,
  owner: TestMember,
  index: number,
  by = owner,
) {
  const token = await testChain.chain.deployToken(
    { name: 'T', symbol: 'T', supply: 1n },
    account(testChain, 9).address,
  )
  await testChain.chain.mine(4)
  const statement = await accountStatement(service, by, testChain.chain, {
    account: account(testChain, index).address,
    holdings: [{ assetKey: keyOf(token), quantity: '0' }],
    expiresAt: wholeSeconds(service.clock.read() + minuteMilliseconds),
  })
  const signature = await account(testChain, index).signTypedData(typedData(statement) as never)
  return admit(owner, statement, { scheme: 'EIP712_EOA', signature }, by)
}
const summary = async (owner: TestMember, by = owner) =>
  (await callOperation<contract.TreasurySummary>(by, 'getTreasurySummary')).data
const unproven = (gaps: contract.TreasurySummary['gaps']) =>
  gaps.filter(({ code }) => code === 'CONTROL_UNPROVEN')

it('an account without a signature is asserted until its key signs, and again after that ends', async ({
  service,
  testChain,
  owner,
  asset,
}) => {
  const { data: entry } = await enter(owner, asset, onChain(account(testChain, 1).address))
  const held = entry.payload.observed!.quantity
  const before = await summary(owner)
  expect(before.holdings[0]!.control).toEqual({ status: 'ASSERTED', source: null, until: null })
  expect(before.byAsset[0]).toMatchObject({
    quantity: held,
    quantityControl: { proven: '0', attested: '0', asserted: held, total: held },
  })
  expect(unproven(before.gaps)).toMatchObject([{ subject: entry.id, effect: 'FLAGGED' }])

  const { id, payload } = await signedBy(service, testChain, owner, 1)
  const proven = await summary(owner)
  expect(proven.holdings[0]!.control).toMatchObject({
    status: 'PROVEN',
    source: { id },
    until: new Date(payload.statement.expiresAt).toISOString(),
  })
  expect(proven.byAsset[0]!.quantityControl).toEqual({
    proven: held,
    attested: '0',
    asserted: '0',
    total: held,
  })
  expect(unproven(proven.gaps)).toEqual([])

  service.clock.advance(minuteMilliseconds)
  const ended = await summary(owner)
  expect(ended.holdings[0]!.control.status).toBe('ASSERTED')
  expect(unproven(ended.gaps)).toHaveLength(1)
})

it('holdings at a custodian are attested by its signature', async ({ service, owner, asset }) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  // Every Ed25519 key has its one coordinate.
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
  const put = await callOperation(owner, 'putOperatingSystemProvider', {
    body: {
      payload: {
        providerId: 'bank',
        kind: 'CUSTODIAN',
        displayName: 'Bank',
        configuration: {},
        publicKeys: [raw],
      },
      reason,
    },
  })
  expect(put.status).toBe(201)
  const accountReferenceHash = `0x${'ab'.repeat(32)}`
  const statement = statementOf(service, owner, {
    container: `custodian:bank:${accountReferenceHash}`,
    controller: 'bank',
    relation: 'CUSTODIAN',
    holdings: [{ assetKey: 'iso4217:USD', quantity: '500' }],
  })
  const signature = sign(null, custodianBytes(statement), privateKey).toString('base64')
  const { id, resourceType, resourceVersion } = await admit(owner, statement, {
    scheme: 'ED25519',
    providerId: 'bank',
    signature,
  })
  const { status } = await enter(owner, asset, {
    asset: 'iso4217:USD',
    container: { kind: 'BANK_ACCOUNT', providerId: 'bank', accountReferenceHash },
    observation: { mode: 'CUSTODY_EVIDENCE', evidence: { id, resourceType, resourceVersion } },
  })
  expect(status).toBe(201)
  const { byAsset } = await summary(owner)
  const dollars = byAsset.find(({ assetKey }) => assetKey === 'iso4217:USD')
  expect(dollars!.quantityControl).toEqual({
    proven: '0',
    attested: '500',
    asserted: '0',
    total: '500',
  })
})

it('no contract of an exchange or a lending market is a container', async ({
  testChain,
  owner,
  asset,
}) => {
  const { contracts } = testChain.chain
  const { pair, pool } = testChain.markets
  const { token: reserve } = await deployRebasingToken(
    testChain.chain,
    account(testChain, 3).address,
    1n,
  )
  await testChain.chain.mine(4)
  const refused: [Address, string][] = [
    [pool.address, 'the market of the venue'],
    [pair.address, 'a pair of Uniswap v2'],
    [contracts.swapRouter, 'a contract of the adapter uniswap-v3-swap-router'],
    [contracts.uniswapV2Router, 'a contract of the adapter uniswap-v2-router'],
    [contracts.uniswapV2Factory, 'a Uniswap v2 factory'],
    [contracts.positionManager, 'a contract of the adapter uniswap-v3-positions'],
    [reserve, 'a reserve of an Aave lending pool'],
  ]
  for (const [address, words] of refused) {
    const response = await enter(owner, asset, onChain(address, 'CONTRACT'))
    expect([response.status, response.code]).toEqual([
      422,
      'LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL',
    ])
    expect(response.fieldErrors['payload.container.address']).toEqual([
      expect.stringContaining(`must be an account of this organization, got ${words}`),
    ])
  }
  const safe = await createSafe(testChain.chain, {
    owners: [account(testChain, 2).address],
    threshold: 1,
    saltNonce: 77n,
  })
  await testChain.chain.mine(4)
  expect((await enter(owner, asset, onChain(safe, 'SAFE'))).status).toBe(201)
  expect((await enter(owner, asset, onChain(contracts.payer, 'CONTRACT'))).status).toBe(201)
})

/** A desk with one account, a payroll of a twentieth of it a month, and what is computed of them. */
async function newDesk(
  service: TestService,
  testChain: TestChain,
  owner: TestMember,
  asset: string,
) {
  const by = await newOrganization(service)
  await validatedPool(by, testChain)
  const { data: entry } = await enter(
    owner,
    asset,
    { ...onChain(account(testChain, 0).address), assetClass: 'STABLE' },
    by,
  )
  const held = entry.payload.observed!.quantity
  const { timestamp } = await testChain.chain.publicClient.getBlock()
  const startMonth = new Date(Number(timestamp) * 1000).toISOString().slice(0, 7)
  const payroll = line({
    assetKey: asset,
    amount: `${BigInt(held) / 20n}`,
    growthAnnualPips: 0,
    schedule: { kind: 'RECURRING', firstAt: '2020-01-28T00:00:00.000Z', every: 'MONTH' },
  })
  const made = async <T>(operation: string, body: object) => {
    const response = await callOperation<T>(by, operation as never, { body: { reason, ...body } })
    expect([response.status, response.fieldErrors]).toEqual([201, {}])
    return response.data
  }
  const { id, resourceType, resourceVersion } = await made<VersionedRecord>(
    'createTreasuryAssumptions',
    input({
      quoteKey: asset,
      startMonth,
      horizonMonths: 12,
      minimumCashQuote: '1',
      lines: [payroll],
      scenarios: [scenario()],
    }),
  )
  const assumptions = { id, resourceType, resourceVersion }
  const project = async () => {
    const { projection } = await made<{
      projection: VersionedRecord<contract.TreasuryProjection>
    }>('createTreasuryProjection', { assumptions, monteCarlo: { paths: 500, seed: '1' } })
    return projection
  }
  const stress = () =>
    made<VersionedRecord<contract.TreasuryStressStudy>>('createTreasuryStressTests', {
      payload: {
        label: 'Test',
        portfolio: { scope: 'ALL_ACTIVE' },
        quoteKey: asset,
        assumptions,
        scenarios: [
          {
            scenarioId: 'stuck',
            label: 'The signers are away for a day',
            legs: [
              {
                kind: 'FREEZE',
                days: 1,
                containers: [`eip155:31337:${account(testChain, 0).address.toLowerCase()}`],
              },
            ],
          },
        ],
        limits: [{ metric: 'REALISABLE_QUOTE', threshold: '1' }],
        reverse: [{ metric: 'REALISABLE_QUOTE', threshold: '1', scenarioId: 'stuck' }],
      },
    })
  const shown = (gate: contract.LaunchGate) =>
    shownGate(service, by, { gate, token: keyOf(testChain.markets.tokens[0]), quote: asset })
  const events = async (id: string, kind: string) =>
    (await recordsOf(service, by).events(id)).filter((one) => one.kind === kind)
  return { by, held, project, stress, shown, events, made, payroll }
}

const nothing = { p05: '0', p25: '0', p50: '0', p75: '0', p95: '0' }
const runwayGate = { kind: 'RUNWAY_AT_LEAST', months: 6 } as const
const stressGate = { kind: 'STRESS_WITHIN_LIMITS' } as const

it('no headline counts the money of a stranger, until its owner signs, nor once that ends', async ({
  service,
  testChain,
  owner,
  asset,
}) => {
  const { by, held, project, stress, shown, events, made, payroll } = await newDesk(
    service,
    testChain,
    owner,
    asset,
  )
  const foreignProjection = await project()
  const [base] = foreignProjection.payload.scenarios
  expect(base!.runway.cash.net.beyondHorizon).toBe(true)
  expect(base!.controlledRunway!.cash.net).toMatchObject({ beyondHorizon: false })
  expect(base!.controlledRunway!.cash.net.monthsX3).toBeLessThan(1000)
  expect(base!.controlledCashQuote).toEqual(Array.from({ length: 12 }, () => '0'))
  expect([
    foreignProjection.status,
    unproven(foreignProjection.payload.computation.gaps),
  ]).toMatchObject([...['COMPLETED', [{ effect: 'FLAGGED' }]]])
  expect(await shown(runwayGate)).toMatchObject({
    result: 'OPEN',
    detail: expect.stringContaining('proven and attested holdings less 0 lasts 0 months in base'),
  })
  const unsigned = await stress()
  expect(unproven(unsigned.payload.computation.gaps)).toHaveLength(1)
  expect(unsigned.payload.before).toMatchObject({
    counted: { realisableQuote: held },
    breaches: [],
    controlled: { realisableQuote: '0', breaches: [{ metric: 'REALISABLE_QUOTE', value: '0' }] },
  })
  expect(await shown(stressGate)).toMatchObject({
    result: 'OPEN',
    detail: expect.stringContaining('proven and attested holdings alone breach 1 limits'),
  })
  // All holdings keep the floor and the limit; what is asserted silences neither event.
  const startMonth = foreignProjection.payload.startMonth
  expect(base).toMatchObject({ belowFloorMonth: null, controlledBelowFloorMonth: startMonth })
  expect(base).toMatchObject({ depletionMonth: null, controlledDepletionMonth: startMonth })
  expect(foreignProjection.payload.monteCarlo).toMatchObject({
    beyondHorizonPips: 1_000_000,
    controlled: { beyondHorizonPips: 0, cashQuote: base!.controlledCashQuote!.map(() => nothing) },
  })
  const crossed = 'treasury.projection.threshold_crossed'
  expect(await events(foreignProjection.id, crossed)).toMatchObject([
    {
      payload: {
        scenarios: [
          {
            isBelow: true,
            belowFloorMonth: startMonth,
            depletionMonth: startMonth,
            allHoldings: { isBelow: false, belowFloorMonth: null, depletionMonth: null },
          },
        ],
      },
    },
  ])
  const broken = await events(unsigned.id, 'treasury.stress.limit_breached')
  expect(broken.map(({ payload }) => payload)).toMatchObject([
    { scenarioId: null, value: '0', allHoldings: { value: held, isBroken: false } },
    { scenarioId: 'stuck', value: '0', allHoldings: { value: held, isBroken: false } },
  ])
  expect(unsigned.payload.reverse).toMatchObject([
    { reached: false, controlled: { reached: true, severityX6: 0, value: '0' } },
  ])

  const evidence = await signedBy(service, testChain, owner, 0, by)
  // What was computed before says nothing of what is controlled now.
  expect((await shown(runwayGate)).result).toBe('OPEN')
  const ours = await project()
  const [proven] = ours.payload.scenarios
  expect(proven!.controlledRunway).toEqual(proven!.runway)
  expect(proven!.controlledCashQuote).toEqual(proven!.months.map(({ cashQuote }) => cashQuote))
  expect(unproven(ours.payload.computation.gaps)).toEqual([])
  expect(await events(ours.id, crossed)).toMatchObject([
    {
      payload: {
        before: foreignProjection.id,
        scenarios: [{ isBelow: false, belowFloorMonth: null }],
      },
    },
  ])
  const { controlled: drawn, ...all } = ours.payload.monteCarlo!
  expect(all).toMatchObject(drawn!)
  expect(ours.payload.computation.sources.map(({ id }) => id)).toContain(evidence.id)
  expect(await shown(runwayGate)).toMatchObject({ result: 'SATISFIED' })
  const { id: studyId, payload: study } = await stress()
  const { before, reverse } = study
  expect(await events(studyId, 'treasury.stress.limit_breached')).toEqual([])
  expect(reverse[0]!.controlled).toMatchObject({ reached: false })
  expect(before!.controlled).toMatchObject({ realisableQuote: held, breaches: [] })
  expect(await shown(stressGate)).toMatchObject({ result: 'SATISFIED' })
  const headline = async () => (await summary(owner, by)).latest.runways[0]!
  expect((await headline()).controlledRunway).toEqual(proven!.runway)

  const { id, resourceType, resourceVersion } = ours
  const pack = (more: object) =>
    callOperation<{ payload: contract.DecisionPack }>(by, 'createDecisionPackFromTreasury', {
      body: {
        question: 'Is there enough?',
        decisionBy: '2027-01-31T00:00:00Z',
        reason: 'Test',
        projection: { id, resourceType, resourceVersion },
        ...more,
      },
    })
  const spending = await pack({ actions: [{ label: 'Spend all of it', spendQuote: held }] })
  expect([spending.status, spending.fieldErrors]).toEqual([201, {}])
  const [quiet, spent] = spending.data.payload.options.map(({ metrics }) =>
    metrics.filter(({ afterSpend }) => afterSpend !== undefined),
  )
  expect([quiet, spent]).toMatchObject([
    [{ metricId: 'runway-after-base', value: 12_000, afterSpend: '0' }],
    [{ metricId: 'runway-after-base', value: 0, afterSpend: held }],
  ])

  const plan = await made<VersionedRecord>(
    'createTreasuryAssumptions',
    input({
      quoteKey: asset,
      startMonth,
      horizonMonths: 12,
      lines: [payroll],
      scenarios: [scenario(), scenario({ scenarioId: 'winter', outflowMultiplierPips: 1_200_000 })],
    }),
  )
  const { projection } = await made<{ projection: VersionedRecord }>('createTreasuryProjection', {
    assumptions: {
      id: plan.id,
      resourceType: plan.resourceType,
      resourceVersion: plan.resourceVersion,
    },
  })
  const ofBoth = {
    projection: {
      id: projection.id,
      resourceType: projection.resourceType,
      resourceVersion: projection.resourceVersion,
    },
  }
  const compared = await pack(ofBoth)
  expect([compared.status, compared.fieldErrors]).toEqual([201, {}])
  expect(compared.data.payload.options.map(({ optionId }) => optionId)).toEqual([
    'status-quo',
    'scenario-winter',
  ])
  const recommended = await pack({
    ...ofBoth,
    recommendation: { optionId: 'scenario-winter', rationale: 'It is warmer', by: 'HUMAN' },
  })
  expect([recommended.status, Object.keys(recommended.fieldErrors)]).toEqual([
    422,
    ['recommendation.optionId'],
  ])

  service.clock.advance(minuteMilliseconds)
  expect(await headline()).toMatchObject({ controlledRunway: null, runway: proven!.runway })
  for (const gate of [runwayGate, stressGate]) {
    expect(await shown(gate)).toMatchObject({
      result: 'OPEN',
      detail: expect.stringContaining('custody evidence has ended'),
    })
  }
  const late = await pack({})
  expect([late.status, late.code, Object.keys(late.fieldErrors)]).toEqual([
    ...[422, 'LIQUIDITY_DECISION_PACK_INVALID', ['projection']],
  ])
})
