// @covers apps/server/src/families/operate/decision-packs apps/server/src/families/plan/treasury-projections

import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { expect } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { hostOf, providerBody } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, type TestMember, type TestService } from './support/service.ts'

type Pack = VersionedRecord<contract.DecisionPack>
type Projection = VersionedRecord<contract.TreasuryProjection>
type Reconciliation = VersionedRecord<contract.TreasuryLedgerReconciliation>

const it = test
  .extend('chain', { scope: 'file' }, started(startLocalchain))
  .extend('settings', { scope: 'file' }, ({ chain }) => ({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) }))
  .extend('token', { scope: 'file', auto: true }, async ({ owner, chain }) => {
    await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
    return chain.deployToken({ name: 'Token', symbol: 'T', supply: 1_000n }, accountOf(chain, 3))
  })

it.beforeAll(async ({ chain }) => {
  await chain.mine(3)
})

const reason = 'For the test'
const accountOf = (chain: Localchain, index: number) => chain.accounts[index]!.address
const asset = (token: Address) => `eip155:31337/erc20:${token.toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})

async function made<T>(owner: TestMember, operation: string, body: object, by = owner): Promise<T> {
  const response = await callOperation<T>(by, operation, { body: { reason, ...body } })
  // The same evidence again is the record that exists.
  expect([201, 200]).toContain(response.status)
  expect(response.fieldErrors).toEqual({})
  return response.data
}

const hold = (owner: TestMember, token: Address, label: string, address: Address) =>
  made<VersionedRecord>(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label,
      asset: asset(token),
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address },
      valuation: { quoteKey: asset(token), oracleProviderId: 'none' },
    },
  })

async function project(
  service: TestService,
  owner: TestMember,
  token: Address,
): Promise<Projection> {
  const startMonth = new Date(service.clock.read()).toISOString().slice(0, 7)
  const assumptions = await made<VersionedRecord>(
    owner,
    'createTreasuryAssumptions',
    input({
      quoteKey: asset(token),
      startMonth,
      lines: [line({ assetKey: asset(token) })],
      scenarios: [scenario()],
    }),
  )
  const body = { assumptions: refOf(assumptions) }
  return (await made<{ projection: Projection }>(owner, 'createTreasuryProjection', body))
    .projection
}

async function reconcile(
  owner: TestMember,
  scope: object = { kind: 'ALL_ACTIVE' },
): Promise<Reconciliation> {
  const { data: seen } = await callOperation<Reconciliation['payload']>(
    owner,
    'previewTreasuryReconciliation',
    { body: { scope } },
  )
  const asOf = seen.computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  return made<Reconciliation>(owner, 'createTreasuryReconciliation', {
    request: { scope, asOf },
    expectedReconciliationHash: seen.reconciliationHash,
  })
}

const option = (optionId: string, metrics: object[]) => ({
  optionId,
  label: optionId,
  statusQuo: metrics.length === 0,
  summary: '',
  metrics,
  risks: [],
  reversibility: 'COSTLY',
  requires: [],
})

/** A pack whose one figure stands at this pointer of a record. */
function packWith(
  service: TestService,
  owner: TestMember,
  source: VersionedRecord,
  pointer: string,
  value: unknown,
): Promise<Pack> {
  const decisionBy = new Date(service.clock.read() + 30 * dayMilliseconds).toISOString()
  const metric = { metricId: 'figure', value, source: refOf(source), pointer }
  return made<Pack>(owner, 'createDecisionPack', {
    payload: {
      question: 'Do we go on?',
      options: [option('nothing', []), option('go', [metric])],
      evidence: [{ source: refOf(source), maximumAgeSeconds: 2_592_000 }],
      decisionBy,
    },
  })
}

const packOf = (service: TestService, owner: TestMember, projection: Projection) =>
  packWith(
    service,
    owner,
    projection,
    '/payload/scenarios/0/controlledTrough/cashQuote',
    projection.payload.scenarios[0]!.controlledTrough!.cashQuote,
  )

const submit = (owner: TestMember, pack: Pack) =>
  callOperation<{ pack: Pack }>(owner, 'applyDecisionPackCommand', {
    params: { packId: pack.id },
    ifMatch: pack.resourceVersion,
    body: { command: 'SUBMIT', reason },
  })

/** The words of a refusal, one after the other. */
async function refused(owner: TestMember, pack: Pack): Promise<string[]> {
  const { status, code, fieldErrors } = await submit(owner, pack)
  expect([status, code]).toEqual([409, 'LIQUIDITY_DECISION_PACK_BOOKS_DIFFER'])
  return fieldErrors.command!
}

it('takes figures of the treasury to a decision only while the books agree', async ({
  service,
  owner,
  chain,
  token,
}) => {
  const reserve = await hold(owner, token, 'Reserve', accountOf(chain, 3))
  const pack = await packOf(service, owner, await project(service, owner, token))
  expect(await refused(owner, pack)).toEqual([
    'SUBMIT requires reconciled treasury data for figure. No reconciliation covers the 1 active holdings. Reconcile all of them.',
    'Create a reconciliation of ALL_ACTIVE. If required, have a second person acknowledge it. Then submit again.',
  ])
  // One of named entries is not of the whole treasury.
  await reconcile(owner, { kind: 'ENTRIES', entries: [refOf(reserve)] })
  expect((await refused(owner, pack))[0]).toContain('No reconciliation covers')
  await reconcile(owner)
  const open = await submit(owner, pack)
  expect([open.status, open.data.pack.status]).toEqual([200, 'VALIDATED'])

  // 40 leave without an entry: the newest reconciliation says where.
  const other = await packOf(service, owner, await project(service, owner, token))
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [accountOf(chain, 4), 40n],
  })
  await chain.send({ from: accountOf(chain, 3), to: token, data })
  await chain.mine(3)
  await reconcile(owner)
  const [why, account, remedy] = await refused(owner, other)
  expect(why).toMatch(/is DIFFERENCES and \d days old/)
  expect(account).toBe(
    `Reserve (eip155:31337:${accountOf(chain, 3).toLowerCase()}): ledger 1000, chain 960 of ${asset(token)}, LEDGER_STALE`,
  )
  expect(remedy).toContain('Refresh or correct the entries of these accounts.')

  const refreshed = await callOperation(owner, 'refreshTreasuryLedgerEntry', {
    params: { id: reserve.id },
    ifMatch: reserve.resourceVersion,
    body: { reason },
  })
  expect([refreshed.status, refreshed.fieldErrors]).toEqual([200, {}])
  await reconcile(owner)
  expect(
    (await submit(owner, await packOf(service, owner, await project(service, owner, token))))
      .status,
  ).toBe(200)
})

it('requires a recent reconciliation of every holding, acknowledged by a second person', async ({
  service,
  owner,
  token,
}) => {
  const whole = await reconcile(owner)
  const projection = await project(service, owner, token)
  const settings = await callOperation<contract.TreasurySettingsView>(owner, 'getTreasurySettings')
  const response = await callOperation(owner, 'putTreasurySettings', {
    ifMatch: settings.data.resourceVersion,
    body: {
      settings: { ...settings.data.settings, reconciliation: { requireSecondPerson: true } },
      reason,
    },
  })
  expect(response.status).toBe(200)
  const pack = await packOf(service, owner, projection)
  expect((await refused(owner, pack))[0]).toContain('A second person has not acknowledged it')
  const second = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const seen = await callOperation(second, 'acknowledgeTreasuryReconciliation', {
    params: { id: whole.id },
    ifMatch: whole.resourceVersion,
    body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
  })
  expect(seen.status).toBe(200)
  service.clock.advance(8 * dayMilliseconds)
  await service.database.global([
    sql`update sessions set authenticated_at = ${service.clock.read()}, expires_at = ${service.clock.read() + dayMilliseconds} where user_id = ${owner.userId}`,
  ])
  expect((await refused(owner, pack))[0]).toMatch(/\d\d days old; the limit is 7 days/)
})

it('requires no reconciliation for figures without holdings', async ({ service, owner }) => {
  const { payload } = contract.createCapitalRequirements.example.body
  const study = await made<VersionedRecord<contract.CapitalRequirementStudy>>(
    owner,
    'createCapitalRequirements',
    { payload },
  )
  const pack = await packWith(
    service,
    owner,
    study,
    '/payload/base/quote',
    study.payload.base!.quote,
  )
  expect((await submit(owner, pack)).status).toBe(200)

  // What is missing of a study counts what the ledger holds.
  const { sealed, change } = recordsOf(service, owner).create('CapitalRequirementStudy', {
    status: 'COMPLETED',
    payload: { ...study.payload, gap: { token: '5', quote: '7' } },
    reason,
    event: 'capital_requirement.computed',
  })
  await service.services.committer.commit(change)
  const short = await packWith(service, owner, sealed.record, '/payload/gap/quote', '7')
  expect((await refused(owner, short))[0]).toContain(
    'SUBMIT requires reconciled treasury data for figure.',
  )
})
