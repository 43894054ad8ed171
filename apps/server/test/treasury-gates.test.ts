// @module-tag long
// @covers apps/server/src/families/plan/launch-plans/gates apps/server/src/market/treasury

import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { dayMilliseconds } from '../src/units.ts'
import { type TestChain, validatedPool } from './support/chain.ts'
import { chainTest as it } from './support/fixtures.ts'
import { shownGate } from './support/launch-gates.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

type Gate = contract.LaunchGate
type Reconciliation = contract.TreasuryLedgerReconciliation
type Summary = contract.TreasurySummary

const reason = 'For the test'
const assetOf = (testChain: TestChain, place: 0 | 1) =>
  `eip155:31337/erc20:${testChain.markets.tokens[place].toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})

async function newDesk(service: TestService, testChain: TestChain): Promise<TestMember> {
  const owner = await newOrganization(service)
  await validatedPool(owner, testChain)
  return owner
}

async function made<T>(by: TestMember, operation: string, body: object): Promise<T> {
  const response = await callOperation<T>(by, operation, { body: { reason, ...body } })
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

/** A holding of the quote in the account of this place. */
const hold = (testChain: TestChain, by: TestMember, account: number) =>
  made<VersionedRecord>(by, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: `Account ${account}`,
      asset: assetOf(testChain, 1),

      purpose: 'RUNWAY_RESERVE',
      valuation: { quoteKey: assetOf(testChain, 1), oracleProviderId: 'none' },
      container: {
        kind: 'EOA',
        chainId: 31_337,
        address: testChain.chain.accounts[account]!.address,
      },
    },
  })

async function reconcile(by: TestMember, scope: object) {
  const { data: seen } = await callOperation<Reconciliation>(
    ...([by, 'previewTreasuryReconciliation', { body: { scope } }] as const),
  )
  const asOf = seen.computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  return made<VersionedRecord<Reconciliation>>(by, 'createTreasuryReconciliation', {
    request: { scope, asOf },
    expectedReconciliationHash: seen.reconciliationHash,
  })
}

const shown = (
  service: TestService,
  testChain: TestChain,
  by: TestMember,
  gate: Gate,
  more: object = {},
) =>
  shownGate(service, by, {
    gate,
    token: assetOf(testChain, 0),
    quote: assetOf(testChain, 1),
    ...more,
  })

const summaryOf = async (by: TestMember) =>
  (await callOperation<Summary>(by, 'getTreasurySummary')).data

async function change(by: TestMember, wanted: Partial<contract.TreasurySettings>) {
  const { data } = await callOperation<contract.TreasurySettingsView>(by, 'getTreasurySettings')
  const response = await callOperation(by, 'putTreasurySettings', {
    ifMatch: data.resourceVersion,
    body: { settings: { ...data.settings, ...wanted }, reason },
  })
  expect(response.status).toBe(200)
}

it('a narrower reconciliation never hides or replaces the result of the whole one', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const agreed = { kind: 'RECONCILIATION_AGREED' } as const
  expect((await shown(service, testChain, owner, agreed)).detail).toContain(
    'No active holdings to reconcile',
  )
  const first = await hold(testChain, owner, 3)
  await reconcile(owner, { kind: 'ENTRIES', entries: [refOf(first)] })
  expect(await shown(service, testChain, owner, agreed)).toMatchObject({
    result: 'OPEN',
    detail: 'No reconciliation covers the 1 active holdings. Reconcile all of them.',
  })
  const whole = await reconcile(owner, { kind: 'ALL_ACTIVE' })
  expect(await shown(service, testChain, owner, agreed)).toMatchObject({
    result: 'SATISFIED',
    sources: [{ id: whole.id }],
  })
  expect((await summaryOf(owner)).latest.reconciliation).toMatchObject({
    source: { id: whole.id },
    agreement: 'AGREED',
  })

  // What is added later was compared with nothing.
  const second = await hold(testChain, owner, 4)
  expect((await shown(service, testChain, owner, agreed)).detail).toContain('the 2 active holdings')
  await reconcile(owner, { kind: 'ENTRIES', entries: [refOf(second)] })
  expect((await shown(service, testChain, owner, agreed)).result).toBe('OPEN')
  expect((await summaryOf(owner)).latest.reconciliation).toMatchObject({
    availability: 'NONE',
    agreement: null,
  })

  // Where a second person is required, agreement alone does not open it.
  const both = await reconcile(owner, { kind: 'ALL_ACTIVE' })
  expect((await shown(service, testChain, owner, agreed)).result).toBe('SATISFIED')
  const acknowledge = (by: TestMember, { id, resourceVersion }: VersionedRecord) =>
    callOperation<VersionedRecord>(by, 'acknowledgeTreasuryReconciliation', {
      params: { id },
      ifMatch: resourceVersion,
      body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
    })
  const own = await acknowledge(owner, both)
  expect(own.status).toBe(200)
  await change(owner, { reconciliation: { requireSecondPerson: true } })
  expect(await shown(service, testChain, owner, agreed)).toMatchObject({
    result: 'OPEN',
    sources: [{ id: both.id }],
    detail: expect.stringContaining('A second person has not acknowledged it'),
  })
  const other = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  expect((await acknowledge(other, own.data)).status).toBe(200)
  expect((await shown(service, testChain, owner, agreed)).result).toBe('SATISFIED')
})

it('capital is reserved for the study of the plan, with custody evidence for the reserved holdings', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const entry = await hold(testChain, owner, 0)
  const { payload } = contract.createCapitalRequirements.example.body
  const study = () =>
    made<VersionedRecord<contract.CapitalRequirementStudy>>(owner, 'createCapitalRequirements', {
      payload: { ...payload, token: assetOf(testChain, 0), quote: assetOf(testChain, 1) },
    })
  const [ours, another] = [await study(), await study()]
  const reserved = { kind: 'CAPITAL_RESERVED' } as const
  const plan = { capitalRequirement: refOf(ours) }
  const current = async ({ id }: VersionedRecord) =>
    (await callOperation<VersionedRecord>(owner, 'getTreasuryEntries', { params: { id } })).data
  const reserve = async (of: VersionedRecord) =>
    callOperation(owner, 'reserveTreasuryFromCapitalStudy', {
      params: { id: of.id },
      body: {
        studyResourceVersion: of.resourceVersion,
        purpose: 'Liquidity',
        reason,
        reservations: [
          {
            entry: refOf(await current(entry)),
            quantity: '1000',
            expiresAt: new Date(service.clock.read() + 30 * dayMilliseconds).toISOString(),
          },
        ],
      },
    })
  expect((await reserve(another)).status).toBe(201)
  // What was reserved for another study is not there for this one.
  expect((await shown(service, testChain, owner, reserved, plan)).detail).toMatch(
    /cover 0 of \d+ tokens and 0 of/,
  )
  const custody = { kind: 'CUSTODY_CURRENT' } as const
  expect((await shown(service, testChain, owner, custody, plan)).detail).toBe(
    'The plan has no reservations yet.',
  )
  expect((await reserve(ours)).status).toBe(201)
  expect((await shown(service, testChain, owner, reserved, plan)).detail).toContain('and 1000 of')
  expect(await shown(service, testChain, owner, custody, plan)).toMatchObject({
    result: 'OPEN',
    detail: expect.stringContaining('no live custody evidence: Account 0'),
  })
})

it('a stress study counts of everything, with the limits that are required', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const entry = await hold(testChain, owner, 3)
  const gate = { kind: 'STRESS_WITHIN_LIMITS' } as const
  const stress = (more: object) =>
    made<VersionedRecord<contract.TreasuryStressStudy>>(owner, 'createTreasuryStressTests', {
      payload: {
        label: 'Test',
        portfolio: { scope: 'ALL_ACTIVE' },
        quoteKey: assetOf(testChain, 1),
        templates: ['CUSTODIAN_FROZEN'],
        ...more,
      },
    })
  const limits = [{ metric: 'COVERAGE_PIPS', threshold: '1000000' }] as const
  await stress({})
  await stress({ limits, portfolio: { entries: [refOf(entry)] } })
  expect(await shown(service, testChain, owner, gate)).toMatchObject({
    result: 'OPEN',
    detail: 'No stress study of all active entries has the required limits: at least one.',
  })
  const whole = await stress({ limits })
  expect((await shown(service, testChain, owner, gate)).sources).toMatchObject([{ id: whole.id }])
  expect((await shown(service, testChain, owner, gate)).result).toBe(
    whole.status === 'COMPLETED' ? 'SATISFIED' : 'OPEN',
  )
  await change(owner, { requiredLimits: [{ metric: 'COVERAGE_PIPS', threshold: '1500000' }] })
  expect((await shown(service, testChain, owner, gate)).detail).toContain(
    'COVERAGE_PIPS at 1500000',
  )
})

it('a runway is that of the base, unless the gate names another scenario', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const entry = await hold(testChain, owner, 0)
  const startMonth = new Date(service.clock.read()).toISOString().slice(0, 7)
  const set = {
    quoteKey: assetOf(testChain, 1),
    startMonth,
    horizonMonths: 12,
    minimumCashQuote: '0',
  }
  const held = (entry.payload as { observed: { quantity: string } }).observed.quantity
  const payroll = line({
    assetKey: assetOf(testChain, 1),
    amount: `${BigInt(held) / 4n}`,
    schedule: { kind: 'RECURRING', firstAt: `${startMonth}-28T00:00:00.000Z`, every: 'MONTH' },
  })
  const assumptions = await made<VersionedRecord>(
    ...([owner, 'createTreasuryAssumptions'] as const),
    input({
      ...set,
      lines: [payroll],
      // Alphabetically first, and without any cost.
      scenarios: [scenario(), scenario({ scenarioId: 'a-dream', outflowMultiplierPips: 0 })],
    }),
  )
  const project = (more: object = {}) =>
    made<{ projection: VersionedRecord<contract.TreasuryProjection> }>(
      ...([owner, 'createTreasuryProjection'] as const),
      { assumptions: refOf(assumptions), ...more },
    )
  const gate = (more: object = {}): Gate => ({ kind: 'RUNWAY_AT_LEAST', months: 6, ...more })
  await project({ entries: [refOf(entry)] })
  expect((await shown(service, testChain, owner, gate())).detail).toBe(
    'No projection covers all active entries without sales of the own token.',
  )
  const { projection } = await project()
  expect(await shown(service, testChain, owner, gate())).toMatchObject({
    result: 'OPEN',
    sources: [{ id: projection.id }],
    detail: expect.stringMatching(/lasts [0-5] months in base; 6 are required/),
  })
  expect((await shown(service, testChain, owner, gate({ scenarioId: 'a-dream' }))).result).toBe(
    'SATISFIED',
  )
  expect((await shown(service, testChain, owner, gate({ scenarioId: 'none' }))).detail).toContain(
    'no scenario none',
  )
  // One of fewer entries does not take its place.
  await project({ entries: [refOf(entry)] })
  expect((await summaryOf(owner)).latest.projection).toMatchObject({
    source: { id: projection.id },
  })
  const other = await made<VersionedRecord>(
    ...([owner, 'createTreasuryAssumptions'] as const),
    input({ ...set, lines: [], scenarios: [scenario()] }),
  )
  await change(owner, { primaryAssumptions: other.id })
  expect((await shown(service, testChain, owner, gate())).detail).toContain(
    'with the primary assumptions',
  )
})
