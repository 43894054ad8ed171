import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { input, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { dayMilliseconds } from '../src/units.ts'
import { type TestChain, validatedPool } from './support/chain.ts'
import { chainTest as it } from './support/fixtures.ts'
import { shownGate } from './support/launch-gates.ts'
import { callOperation } from './support/requests.ts'
import { signInAgain, type TestMember, type TestService } from './support/service.ts'

type Named = VersionedRecord<contract.TreasuryLedgerReconciliation>

it.beforeAll(async ({ testChain, owner }) => {
  await validatedPool(owner, testChain)
})

const reason = 'For the test'
const assetOf = (testChain: TestChain, place: 0 | 1) =>
  `eip155:31337/erc20:${testChain.markets.tokens[place].toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})

async function made<T>(owner: TestMember, operation: string, body: object): Promise<T> {
  const response = await callOperation<T>(owner, operation, { body: { reason, ...body } })
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

async function reconciled(testChain: TestChain, owner: TestMember): Promise<Named> {
  const container = { kind: 'EOA', chainId: 31_337, address: testChain.chain.accounts[3]!.address }
  await made(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: 'Reserve',
      asset: assetOf(testChain, 1),
      purpose: 'RUNWAY_RESERVE',
      container,
    },
  })
  const scope = { kind: 'ALL_ACTIVE' }
  const { data: seen } = await callOperation<contract.TreasuryLedgerReconciliation>(
    ...([owner, 'previewTreasuryReconciliation', { body: { scope } }] as const),
  )
  const asOf = seen.computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  return made(owner, 'createTreasuryReconciliation', {
    request: { scope, asOf },
    expectedReconciliationHash: seen.reconciliationHash,
  })
}

async function acknowledged(owner: TestMember, { id, resourceVersion }: Named): Promise<Named> {
  const response = await callOperation<Named>(owner, 'acknowledgeTreasuryReconciliation', {
    params: { id },
    ifMatch: resourceVersion,
    body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
  })
  expect(response.status).toBe(200)
  return response.data
}

/** What a gate of a launch says that asks for books that agree. */
const gateOfBooks = (service: TestService, testChain: TestChain, owner: TestMember) =>
  shownGate(service, owner, {
    gate: { kind: 'RECONCILIATION_AGREED' },
    token: assetOf(testChain, 0),
    quote: assetOf(testChain, 1),
  })

it('a reconciliation is as old as its blocks, for any later acknowledgment', async ({
  service,
  testChain,
  owner,
}) => {
  const first = await reconciled(testChain, owner)
  const readAt = Date.parse(first.payload.computation.snapshot!.asOf)
  const toAge = async (days: number) => {
    service.clock.advance(readAt + days * dayMilliseconds - service.clock.read())
    await signInAgain(service, owner)
  }
  const gateText = (days: number) =>
    `The newest reconciliation of all 1 active holdings is AGREED and ${days} days old; the limit is 7 days.`
  await toAge(7)
  expect(await gateOfBooks(service, testChain, owner)).toMatchObject({
    result: 'SATISFIED',
    detail: gateText(7),
  })
  await toAge(8)
  expect(await gateOfBooks(service, testChain, owner)).toMatchObject({
    result: 'OPEN',
    detail: gateText(8),
  })
  await toAge(32)
  const later = await acknowledged(owner, first)
  const startMonth = new Date(service.clock.read()).toISOString().slice(0, 7)
  const set = {
    quoteKey: assetOf(testChain, 1),
    startMonth,
    horizonMonths: 12,
    minimumCashQuote: '0',
  }
  const assumptions = await made<VersionedRecord>(
    owner,
    'createTreasuryAssumptions',
    input({ ...set, lines: [], scenarios: [scenario()] }),
  )
  const body = { assumptions: refOf(assumptions), reconciliation: refOf(later), reason }
  const projected = await callOperation(owner, 'createTreasuryProjection', { body })
  expect([projected.status, projected.code, Object.keys(projected.fieldErrors)]).toEqual([
    ...[412, 'LIQUIDITY_PROJECTION_SOURCE_CHANGED', ['reconciliation']],
  ])
  expect(await gateOfBooks(service, testChain, owner)).toMatchObject({
    result: 'OPEN',
    detail: gateText(32),
  })
})
