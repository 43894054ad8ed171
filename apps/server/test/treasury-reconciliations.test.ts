// @module-tag postgres

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { deployRebasingToken, erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { expect } from 'vitest'
import { comparePlace } from '../src/families/operate/treasury-reconciliations/compare-place.ts'
import type { HoldingRecord } from '../src/families/operate/treasury-reconciliations/places.ts'
import { takeSnapshot } from '../src/market/treasury/treasury-snapshot.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { providerBody, type TestChain } from './support/chain.ts'
import { chainTest as it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

type Entry = VersionedRecord<contract.TreasuryBucket>
type Result = contract.TreasuryLedgerReconciliation
type Kept = VersionedRecord<Result>

const reason = 'For the test'
const keyOf = (token: Address) => `eip155:31337/erc20:${token.toLowerCase()}`
const accountOf = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!.address
const containerOf = (address: Address) => `eip155:31337:${address.toLowerCase()}`

async function newDesk(service: TestService, testChain: TestChain): Promise<TestMember> {
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
  return owner
}

async function newToken(testChain: TestChain, holder: Address, supply: bigint): Promise<Address> {
  const token = await testChain.chain.deployToken({ name: 'Token', symbol: 'T', supply }, holder)
  await testChain.chain.mine(3)
  return token
}

async function hold(by: TestMember, token: Address, address: Address, more: object = {}) {
  const payload = {
    entryKind: 'ASSET',
    label: 'Reserve',
    asset: keyOf(token),
    purpose: 'RUNWAY_RESERVE',
    container: { kind: 'EOA', chainId: 31_337, address },
    ...more,
  }
  const response = await callOperation<Entry>(by, 'createTreasuryEntries', {
    body: { payload, reason },
  })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data
}

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
  return mined
}

const all = { scope: { kind: 'ALL_ACTIVE' } }
const preview = (by: TestMember, body: object = all) =>
  callOperation<Result>(by, 'previewTreasuryReconciliation', { body })
const pinsOf = ({ computation }: Result) =>
  computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
const create = (
  by: TestMember,
  result: Result,
  more: object = {},
  request: object = all,
  ifMatch?: string,
) =>
  callOperation<Kept>(by, 'createTreasuryReconciliation', {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    body: {
      request: { ...request, asOf: pinsOf(result) },
      expectedReconciliationHash: result.reconciliationHash,
      reason,
      ...more,
    },
  })

async function previewed(by: TestMember, body: object = all): Promise<Result> {
  const { status, data, fieldErrors, headers } = await preview(by, body)
  expect([status, fieldErrors]).toEqual([200, {}])
  expect(headers.get('etag')).toBe(`"${data.reconciliationHash}"`)
  return data
}

async function kept(by: TestMember, result: Result, more: object = {}): Promise<Kept> {
  const response = await create(by, result, more)
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data
}

it('finds the exact amount and transaction of an unrecorded transfer, and adds no balancing entry', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const [holder, other] = [accountOf(testChain, 3), accountOf(testChain, 4)]
  const token = await newToken(testChain, holder, 100n)
  const entry = await hold(owner, token, holder)
  expect(await previewed(owner)).toMatchObject({
    agreement: 'AGREED',
    lines: [
      { cause: 'AGREED', sides: 2, ledger: '100', chain: '100', custody: null, breakId: null },
    ],
    totals: [{ assetKey: keyOf(token), ledger: '100', chain: '100', difference: '0' }],
    coverage: { custodyOfLinesPips: 0, containersWithoutEvidence: [containerOf(holder)] },
  })
  const gone = await pay(testChain, token, holder, other, 40n)
  const result = await previewed(owner)
  expect(result).toMatchObject({ agreement: 'DIFFERENCES', totals: [{ difference: '40' }] })
  const [line] = result.lines
  expect(line).toMatchObject({
    cause: 'LEDGER_STALE',
    ledger: '100',
    chain: '60',
    chainProof: 'MERKLE',
    ageDays: 0,
    differences: { ledgerMinusChain: '40', custodyMinusChain: null, ledgerMinusCustody: null },
    explained: { inflow: '0', outflow: '40', residual: '0', logs: 1 },
    sources: [
      { resourceType: 'TreasuryBucket', id: entry.id, resourceVersion: entry.resourceVersion },
    ],
  })
  expect(line!.explained!.transfers).toEqual([
    expect.objectContaining({
      direction: 'OUT',
      counterparty: other,
      amount: '40',
      transactionHash: gone.logs[0]!.transactionHash,
    }),
  ])
  // The same blocks give the same bytes.
  const again = await previewed(owner, { ...all, asOf: pinsOf(result) })
  expect(again.reconciliationHash).toBe(result.reconciliationHash)
  // Booked, it agrees.
  const refreshed = await callOperation<Entry>(owner, 'refreshTreasuryLedgerEntry', {
    params: { id: entry.id },
    ifMatch: entry.resourceVersion,
    body: { reason },
  })
  expect(refreshed.data.payload.rollForward).toMatchObject({ outflow: '40', residual: '0' })
  expect((await previewed(owner)).agreement).toBe('AGREED')
})

it('finds an unrecorded balance, and ignores assets of no entry', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const [first, second] = [accountOf(testChain, 5), accountOf(testChain, 6)]
  const token = await newToken(testChain, first, 100n)
  const dust = await newToken(testChain, second, 7n)
  await hold(owner, token, first)
  const other = await newToken(testChain, second, 9n)
  await hold(owner, other, second)
  await pay(testChain, token, first, second, 30n)
  const { lines, agreement } = await previewed(owner)
  expect(agreement).toBe('DIFFERENCES')
  const rows = lines.map(({ container, assetKey, cause, chain }) => [
    container,
    assetKey,
    cause,
    chain,
  ])
  expect(rows).toHaveLength(3)
  expect(rows).toEqual(
    expect.arrayContaining([
      [containerOf(first), keyOf(token), 'LEDGER_STALE', '70'],
      [containerOf(second), keyOf(token), 'MISSING_LEDGER', '30'],
      [containerOf(second), keyOf(other), 'AGREED', '9'],
    ]),
  )
  expect(rows.some(([, assetKey]) => assetKey === keyOf(dust))).toBe(false)
  const totals = (await previewed(owner)).totals.find(({ assetKey }) => assetKey === keyOf(token))
  // What left the one container came to the other.
  expect(totals).toMatchObject({ ledger: '100', chain: '100', difference: '0' })
})

it('sums transfers only if every entry of the place was observed', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 7)
  const token = await newToken(testChain, holder, 100n)
  const entry = (await hold(owner, token, holder)) as HoldingRecord
  await pay(testChain, token, holder, accountOf(testChain, 9), 40n)
  const records = recordsOf(service, owner)
  const snapshot = await takeSnapshot(records, service.services, [31_337], 'chainId')
  const place = { container: containerOf(holder), assetKey: keyOf(token), statements: [] }
  const compared = (entries: readonly HoldingRecord[]) =>
    comparePlace({ ...place, isMapped: false, entries }, snapshot)
  expect(await compared([entry])).toMatchObject({
    cause: 'LEDGER_STALE',
    explained: { outflow: '40' },
  })
  const unobserved = { ...entry, id: 'other', payload: { ...entry.payload, observed: null } }
  expect(await compared([entry, unobserved])).toMatchObject({
    cause: 'UNEXPLAINED',
    explained: null,
  })
})

it('reports a part without an entry', async ({ service, testChain }) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 7)
  const token = await newToken(testChain, holder, 100n)
  await hold(owner, token, holder, {
    allocation: { kind: 'FIXED', quantity: '60', priority: 1 },
  })
  expect((await previewed(owner)).lines).toMatchObject([
    { cause: 'MISSING_LEDGER', differences: { ledgerMinusChain: '-40' } },
  ])
})

it('reports the growth of an Aave token by its index', async ({ service, testChain }) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 7)
  const { token, setIndex } = await deployRebasingToken(testChain.chain, holder, 100n)
  await testChain.chain.mine(3)
  await hold(owner, token, holder)
  await setIndex(11n * 10n ** 26n)
  await testChain.chain.mine(3)
  expect((await previewed(owner)).lines).toMatchObject([
    {
      cause: 'REBASE_OR_FEE',
      differences: { ledgerMinusChain: '-10' },
      explained: { residual: '10' },
    },
  ])
})

it('is kept at the blocks that were reviewed, once, and a break ages over its versions', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 8)
  const token = await newToken(testChain, holder, 100n)
  const entry = await hold(owner, token, holder)
  await pay(testChain, token, holder, accountOf(testChain, 9), 40n)
  const result = await previewed(owner)
  const unpinned = await callOperation<Kept>(owner, 'createTreasuryReconciliation', {
    body: { request: all, expectedReconciliationHash: result.reconciliationHash, reason },
  })
  expect([unpinned.status, Object.keys(unpinned.fieldErrors)]).toEqual([422, ['request.asOf']])
  const first = await kept(owner, result)
  expect([first.status, first.sequence]).toEqual(['COMPLETED', 1])
  expect(first.id).toMatch(/^reconciliation_[0-9a-f]{32}$/)
  const same = await create(owner, result)
  expect([same.status, same.data.id, same.data.sequence]).toEqual([200, first.id, 1])
  // The same hash with another request, or by another rule, is not what is kept.
  const stricter = await create(owner, result, { requireSecondPerson: true })
  const other = await create(owner, result, {}, { ...all, period: '2001-01' })
  expect(
    [stricter, other].map(({ status, code, fieldErrors }) => [
      status,
      code,
      Object.keys(fieldErrors),
    ]),
  ).toEqual([
    [409, 'LIQUIDITY_RECONCILIATION_ALREADY_KEPT', ['requireSecondPerson']],
    [409, 'LIQUIDITY_RECONCILIATION_ALREADY_KEPT', ['request']],
  ])
  const altered = await create(owner, { ...result, reconciliationHash: `0x${'4'.repeat(64)}` })
  expect([altered.status, altered.code]).toEqual([412, 'LIQUIDITY_RECONCILIATION_SOURCE_CHANGED'])

  await pay(testChain, token, holder, accountOf(testChain, 9), 1n)
  const later = await previewed(owner)
  const { breakId, firstSeenAt } = result.lines[0]!
  // Another cause or amount is the same break.
  expect(later.lines[0]).toMatchObject({
    breakId,
    firstSeenAt,
    differences: { ledgerMinusChain: '41' },
  })
  const named = { reconciliationId: first.id }
  expect((await create(owner, later, named)).status).toBe(428)
  const second = await kept(owner, later, { ...named, resourceVersion: first.resourceVersion })
  expect([second.id, second.sequence]).toEqual([first.id, 2])
  const stale = await create(owner, later, { ...named, resourceVersion: first.resourceVersion })
  expect(stale.status).toBe(412)
  const versions = await callOperation<Kept[]>(owner, 'listTreasuryReconciliationVersions', {
    params: { id: first.id },
  })
  expect(versions.data.map(({ sequence }) => sequence)).toEqual([2, 1])
  const one = await callOperation<Kept>(owner, 'getTreasuryReconciliationVersion', {
    params: { id: first.id, sequence: 1 },
  })
  expect(one.data.payload.reconciliationHash).toBe(result.reconciliationHash)
  // Booked, the break closes; each of both is told once.
  await callOperation<Entry>(owner, 'refreshTreasuryLedgerEntry', {
    params: { id: entry.id },
    ifMatch: entry.resourceVersion,
    body: { reason },
  })
  await kept(owner, await previewed(owner), { ...named, resourceVersion: second.resourceVersion })
  const events = await recordsOf(service, owner).events(first.id)
  expect(events.map(({ kind }) => kind.replace('treasury.reconciliation.', ''))).toEqual([
    ...['created', 'break_opened', 'repeated', 'repeated', 'break_closed'],
  ])
  const breaks = events.filter(({ kind }) => kind.includes('break')).map(({ payload }) => payload)
  expect(breaks).toMatchObject([
    { count: 1, breaks: [{ breakId, cause: 'LEDGER_STALE' }] },
    { count: 1, breaks: [{ breakId, cause: 'AGREED' }] },
  ])
})

it('is acknowledged line by line, by a second person if required, without a change of figures', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 2)
  const token = await newToken(testChain, holder, 100n)
  await hold(owner, token, holder)
  const record = await kept(owner, await previewed(owner), { requireSecondPerson: true })
  const acknowledge = (by: TestMember, { id, resourceVersion }: Kept, lineKeys: unknown) =>
    callOperation<Kept>(by, 'acknowledgeTreasuryReconciliation', {
      params: { id },
      ifMatch: resourceVersion,
      body: { lineKeys, assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
    })
  const own = await acknowledge(owner, record, 'ALL')
  expect([own.status, own.code]).toEqual([409, 'LIQUIDITY_RECONCILIATION_SELF_ACKNOWLEDGEMENT'])
  const treasurer = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const wrong = await acknowledge(treasurer, record, [`0x${'5'.repeat(64)}`])
  expect([wrong.status, wrong.code]).toEqual([422, 'LIQUIDITY_RECONCILIATION_LINE_UNKNOWN'])
  const { status, data } = await acknowledge(treasurer, record, 'ALL')
  expect([status, data.sequence]).toEqual([200, 2])
  const { acknowledgements, ...numbers } = data.payload
  expect(acknowledgements).toMatchObject([
    { selfAcknowledged: false, lineKeys: [record.payload.lines[0]!.lineKey], note: 'Looked at it' },
  ])
  const { acknowledgements: _, ...before } = record.payload
  expect(numbers).toEqual(before)
  const operator = await newMember(service, owner.organizationId, 'OPERATOR')
  const refused = await preview(operator)
  expect([refused.status, refused.code]).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
})

it('keeps a second person required, whatever an author says later', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 5)
  const token = await newToken(testChain, holder, 100n)
  await hold(owner, token, holder)
  const treasurer = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const acknowledge = (by: TestMember, { id, resourceVersion }: Kept) =>
    callOperation<Kept>(by, 'acknowledgeTreasuryReconciliation', {
      params: { id },
      ifMatch: resourceVersion,
      body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
    })
  /** A later version, of which the reviewed one is named by If-Match. */
  const repeat = async (by: TestMember, { id, resourceVersion }: Kept, more = {}) => {
    await pay(testChain, token, holder, accountOf(testChain, 9), 1n)
    const result = await previewed(by)
    return create(by, result, { reconciliationId: id, ...more }, all, resourceVersion)
  }
  const first = await kept(owner, await previewed(owner), { requireSecondPerson: true })
  const waived = await repeat(owner, first, { requireSecondPerson: false })
  expect([waived.status, waived.code, Object.keys(waived.fieldErrors)]).toEqual([
    ...[422, 'LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', ['requireSecondPerson']],
  ])
  const second = await repeat(owner, first)
  expect([second.status, second.data.payload.requireSecondPerson]).toEqual([201, true])
  const refusal = [409, 'LIQUIDITY_RECONCILIATION_SELF_ACKNOWLEDGEMENT']
  const own = await acknowledge(owner, second.data)
  expect([own.status, own.code]).toEqual(refusal)

  // Whoever wrote an earlier version that nobody acknowledged is an author of the later one, too.
  const third = await repeat(treasurer, second.data)
  for (const author of [owner, treasurer]) {
    const { status, code } = await acknowledge(author, third.data)
    expect([status, code]).toEqual(refusal)
  }
  const other = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const agreed = await acknowledge(other, third.data)
  expect(agreed.data.payload.acknowledgements).toMatchObject([{ selfAcknowledged: false }])
  const fourth = await repeat(treasurer, agreed.data)
  expect((await acknowledge(owner, fourth.data)).status).toBe(200)
})

it('needs a second person wherever the settings of the organization require one', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 6)
  const token = await newToken(testChain, holder, 100n)
  await hold(owner, token, holder)
  const before = await kept(owner, await previewed(owner))
  expect(before.payload.requireSecondPerson).toBe(false)
  const settings = await callOperation<contract.TreasurySettingsView>(owner, 'getTreasurySettings')
  await callOperation(owner, 'putTreasurySettings', {
    ifMatch: settings.data.resourceVersion,
    body: {
      settings: { ...settings.data.settings, reconciliation: { requireSecondPerson: true } },
      reason,
    },
  })
  const own = await callOperation(owner, 'acknowledgeTreasuryReconciliation', {
    params: { id: before.id },
    ifMatch: before.resourceVersion,
    body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
  })
  expect([own.status, own.code]).toEqual([409, 'LIQUIDITY_RECONCILIATION_SELF_ACKNOWLEDGEMENT'])
  await pay(testChain, token, holder, accountOf(testChain, 9), 1n)
  const after = await kept(owner, await previewed(owner))
  expect(after.payload.requireSecondPerson).toBe(true)
})

it('compares a container whole where the request names one entry of it', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 7)
  const token = await newToken(testChain, holder, 100n)
  const part = { allocation: { kind: 'FIXED', quantity: '30', priority: 1 } }
  await hold(owner, token, holder, { allocation: { kind: 'REMAINDER' } })
  const fixed = await hold(owner, token, holder, { ...part, purpose: 'OPERATING' })
  const { resourceType, id, resourceVersion } = fixed
  const scope = { kind: 'ENTRIES', entries: [{ resourceType, id, resourceVersion }] }
  expect((await previewed(owner, { scope })).lines).toMatchObject([
    { cause: 'AGREED', ledger: '100', chain: '100', sources: [{}, {}] },
  ])
})

it('rejects contradictions, and belongs to one organization only', async ({
  service,
  testChain,
}) => {
  const owner = await newDesk(service, testChain)
  const holder = accountOf(testChain, 1)
  const token = await newToken(testChain, holder, 100n)
  const entry = await hold(owner, token, holder)
  const ref = (resourceVersion: string) => ({
    scope: {
      kind: 'ENTRIES',
      entries: [{ resourceType: 'TreasuryBucket', id: entry.id, resourceVersion }],
    },
  })
  expect((await previewed(owner, ref(entry.resourceVersion))).agreement).toBe('AGREED')
  const changed = await preview(owner, ref(`0x${'6'.repeat(64)}`))
  expect([changed.status, changed.code]).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
  const foreignDesk = await newDesk(service, testChain)
  const foreign = await preview(foreignDesk, ref(entry.resourceVersion))
  expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  expect(await previewed(foreignDesk)).toMatchObject({
    agreement: 'AGREED',
    lines: [],
    computation: { completeness: 'ABSTAINED' },
  })
  const mapping = { entryIds: [entry.id], container: containerOf(holder), assetKey: keyOf(token) }
  const twice = await preview(owner, { ...all, mappings: [mapping, mapping] })
  expect([twice.status, twice.code]).toEqual([422, 'LIQUIDITY_RECONCILIATION_MAPPING_OVERLAP'])
  const elsewhere = { ...mapping, assetKey: keyOf(token).replace('eip155:31337', 'eip155:1') }
  const impossible = await preview(owner, { ...all, mappings: [elsewhere] })
  expect([impossible.status, Object.keys(impossible.fieldErrors)]).toEqual([
    422,
    ['mappings.0.assetKey'],
  ])
  const mapped = await previewed(owner, { ...all, mappings: [mapping] })
  expect(mapped.lines).toMatchObject([{ mappingAsserted: true, cause: 'AGREED' }])
  const [pin] = pinsOf(mapped)
  const early = await preview(owner, {
    ...all,
    asOf: [{ ...pin, blockNumber: pin!.blockNumber + 2 }],
  })
  expect([early.status, early.code]).toEqual([422, 'LIQUIDITY_RECONCILIATION_BLOCK_TOO_OLD'])
  const forked = await preview(owner, {
    ...all,
    asOf: [{ ...pin, blockHash: `0x${'7'.repeat(64)}` }],
  })
  expect([forked.status, Object.keys(forked.fieldErrors)]).toEqual([422, ['asOf.0.blockHash']])
  const material = await preview(owner, { ...all, materialityQuote: '5' })
  expect([material.status, Object.keys(material.fieldErrors)]).toEqual([422, ['valuation']])
  const { database, services } = service
  const report = await verifyHistory(database, owner.organizationId, services.artifacts)
  expect(report.faults).toEqual([])
})
