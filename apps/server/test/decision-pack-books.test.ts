// @covers apps/server/src/families/operate/decision-packs apps/server/src/families/plan/treasury-projections
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { hostOf, providerBody } from './support/chain.ts'
import { tell } from './support/requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Pack = VersionedRecord<contract.DecisionPack>
type Projection = VersionedRecord<contract.TreasuryProjection>
type Reconciliation = VersionedRecord<contract.TreasuryLedgerReconciliation>

let chain: Localchain
let service: TestService
let owner: TestMember
let token: Address
beforeAll(async () => {
  chain = await startLocalchain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) })
  owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
  token = await chain.deployToken({ name: 'Token', symbol: 'T', supply: 1_000n }, accountOf(3))
  await chain.mine(3)
})
afterAll(async () => {
  await service.stop()
  await chain.stop()
})

const reason = 'For the test'
const accountOf = (index: number) => chain.accounts[index]!.address
const asset = () => `eip155:31337/erc20:${token.toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})

async function made<T>(operation: string, body: object, by = owner): Promise<T> {
  const told = await tell<T>(by, operation, { body: { reason, ...body } })
  // The same evidence again is the record that exists.
  expect([201, 200]).toContain(told.status)
  expect(told.fieldErrors).toEqual({})
  return told.data
}

const hold = (label: string, address: Address) =>
  made<VersionedRecord>('createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label,
      asset: asset(),
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address },
      valuation: { quoteKey: asset(), oracleProviderId: 'none' },
    },
  })

async function project(): Promise<Projection> {
  const startMonth = new Date(service.clock.read()).toISOString().slice(0, 7)
  const assumptions = await made<VersionedRecord>(
    'createTreasuryAssumptions',
    input({
      quoteKey: asset(),
      startMonth,
      lines: [line({ assetKey: asset() })],
      scenarios: [scenario()],
    }),
  )
  const body = { assumptions: refOf(assumptions) }
  return (await made<{ projection: Projection }>('createTreasuryProjection', body)).projection
}

async function reconcile(scope: object = { kind: 'ALL_ACTIVE' }): Promise<Reconciliation> {
  const { data: seen } = await tell<Reconciliation['payload']>(
    owner,
    'previewTreasuryReconciliation',
    { body: { scope } },
  )
  const asOf = seen.computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  return made<Reconciliation>('createTreasuryReconciliation', {
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
function packWith(source: VersionedRecord, pointer: string, value: unknown): Promise<Pack> {
  const decisionBy = new Date(service.clock.read() + 30 * dayMilliseconds).toISOString()
  const metric = { metricId: 'figure', value, source: refOf(source), pointer }
  return made<Pack>('createDecisionPack', {
    payload: {
      question: 'Do we go on?',
      options: [option('nothing', []), option('go', [metric])],
      evidence: [{ source: refOf(source), maximumAgeSeconds: 2_592_000 }],
      decisionBy,
    },
  })
}

const packOf = (projection: Projection) =>
  packWith(
    projection,
    '/payload/scenarios/0/controlledTrough/cashQuote',
    projection.payload.scenarios[0]!.controlledTrough!.cashQuote,
  )

const submit = (pack: Pack) =>
  tell<{ pack: Pack }>(owner, 'applyDecisionPackCommand', {
    params: { packId: pack.id },
    ifMatch: pack.resourceVersion,
    body: { command: 'SUBMIT', reason },
  })

/** The words of a refusal, one after the other. */
async function refused(pack: Pack): Promise<string[]> {
  const { status, code, fieldErrors } = await submit(pack)
  expect([status, code]).toEqual([409, 'LIQUIDITY_DECISION_PACK_BOOKS_DIFFER'])
  return fieldErrors.command!
}

it('takes figures of the treasury to a decision only while the books agree', async () => {
  const reserve = await hold('Reserve', accountOf(3))
  const pack = await packOf(await project())
  expect(await refused(pack)).toEqual([
    'SUBMIT needs agreed books for figure. No reconciliation compares the 1 holdings that are active now: reconcile everything.',
    'Create a reconciliation of ALL_ACTIVE, have a second person acknowledge it if that is required, and submit again.',
  ])
  // One of named entries is not of the whole treasury.
  await reconcile({ kind: 'ENTRIES', entries: [refOf(reserve)] })
  expect((await refused(pack))[0]).toContain('No reconciliation compares')
  await reconcile()
  const open = await submit(pack)
  expect([open.status, open.data.pack.status]).toEqual([200, 'VALIDATED'])

  // 40 leave without an entry: the newest reconciliation says where.
  const other = await packOf(await project())
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [accountOf(4), 40n],
  })
  await chain.send({ from: accountOf(3), to: token, data })
  await chain.mine(3)
  await reconcile()
  const [why, account, remedy] = await refused(other)
  expect(why).toMatch(/is DIFFERENCES, \d days old/)
  expect(account).toBe(
    `Reserve (eip155:31337:${accountOf(3).toLowerCase()}): ledger 1000, chain 960 of ${asset()}, LEDGER_STALE`,
  )
  expect(remedy).toContain('Refresh or correct the entries of these accounts.')

  const refreshed = await tell(owner, 'refreshTreasuryLedgerEntry', {
    params: { id: reserve.id },
    ifMatch: reserve.resourceVersion,
    body: { reason },
  })
  expect([refreshed.status, refreshed.fieldErrors]).toEqual([200, {}])
  await reconcile()
  expect((await submit(await packOf(await project()))).status).toBe(200)
})

it('asks for a reconciliation that is young and seen by a second person, of every holding', async () => {
  const whole = await reconcile()
  const projection = await project()
  const settings = await tell<contract.TreasurySettingsView>(owner, 'getTreasurySettings')
  const told = await tell(owner, 'putTreasurySettings', {
    ifMatch: settings.data.resourceVersion,
    body: {
      settings: { ...settings.data.settings, reconciliation: { requireSecondPerson: true } },
      reason,
    },
  })
  expect(told.status).toBe(200)
  const pack = await packOf(projection)
  expect((await refused(pack))[0]).toContain('not acknowledged by a second person')
  const second = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const seen = await tell(second, 'acknowledgeTreasuryReconciliation', {
    params: { id: whole.id },
    ifMatch: whole.resourceVersion,
    body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
  })
  expect(seen.status).toBe(200)
  service.clock.advance(8 * dayMilliseconds)
  await service.database.global([
    sql`update sessions set authenticated_at = ${service.clock.read()}, expires_at = ${service.clock.read() + dayMilliseconds} where user_id = ${owner.userId}`,
  ])
  expect((await refused(pack))[0]).toMatch(/\d\d days old; at most 7 are allowed/)
})

it('asks nothing of the books for figures that count no holding', async () => {
  const { payload } = contract.createCapitalRequirements.example.body
  const study = await made<VersionedRecord<contract.CapitalRequirementStudy>>(
    'createCapitalRequirements',
    { payload },
  )
  const pack = await packWith(study, '/payload/base/quote', study.payload.base!.quote)
  expect((await submit(pack)).status).toBe(200)

  // What is missing of a study counts what the ledger holds.
  const { sealed, change } = recordsOf(service, owner).create('CapitalRequirementStudy', {
    status: 'COMPLETED',
    payload: { ...study.payload, gap: { token: '5', quote: '7' } },
    reason,
    event: 'capital_requirement.computed',
  })
  await service.services.committer.commit(change)
  const short = await packWith(sealed.record, '/payload/gap/quote', '7')
  expect((await refused(short))[0]).toContain('SUBMIT needs agreed books for figure.')
})
