// @module-tag long
// @module-tag postgres
// @covers apps/server/src/families/platform/inbox apps/server/src/families/platform/address-labels

import type { contract } from '@liquidity-os/contract'
import { expect } from 'vitest'
import { notices } from '../src/families/intelligence/alerts/records.ts'
import { scores } from '../src/families/intelligence/scores/records.ts'
import { venues } from '../src/families/intelligence/venues/records.ts'
import { decisionPacks } from '../src/families/operate/decision-packs/records.ts'
import { proposals } from '../src/families/operate/proposals/records.ts'
import { treasuryEntries } from '../src/families/plan/treasury-entries/records.ts'
import { passports } from '../src/families/prove/passports/records.ts'
import { vaults } from '../src/families/prove/vaults/records.ts'
import type { Change } from '../src/store/records/change.ts'
import { dayMilliseconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { test as it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { watchStatements } from './support/sent-statements.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

const inboxOf = async (by: TestMember) => {
  const { status, data } = await callOperation<contract.Inbox>(by, 'listInbox')
  expect(status).toBe(200)
  return data
}
const kindsOf = async (by: TestMember) =>
  (await inboxOf(by)).items.map(({ kind, title }) => `${kind} ${title}`).toSorted()

const isoIn = (service: TestService, days: number) =>
  new Date(service.clock.read() + days * dayMilliseconds).toISOString()

/** Stores the first version of a record with the members that an inbox reads. */
async function stored(
  service: TestService,
  by: TestMember,
  family: {
    first: (
      records: never,
      version: never,
    ) => { sealed: { record: { id: string } }; change: Change }
  },
  status: string,
  payload: object,
  event: string,
) {
  const version = { status, payload, reason: 'For the test', event }
  const { sealed, change } = family.first(recordsOf(service, by) as never, version as never)
  await service.services.committer.commit(change)
  return sealed.record
}

const proposal = (service: TestService, preparedBy: TestMember, change: object = {}) => ({
  title: 'A fourth owner',
  vaultId: `vault_${'0'.repeat(32)}`,
  phase: 'OPEN',
  preparedBy: { userId: preparedBy.userId },
  review: { required: 1, expiresAt: isoIn(service, 2) },
  approvals: [],
  packets: [],
  ...change,
})

it('lists what a member can complete in their role, and no own proposal that needs others', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const [reviewer, analyst, viewer] = await Promise.all(
    (['REVIEWER', 'ANALYST', 'VIEWER'] as const).map((role) =>
      newMember(service, owner.organizationId, role),
    ),
  )
  const alone = { title: 'Own, one approval' }
  const together = { review: { required: 2, expiresAt: isoIn(service, 2) } }
  for (const change of [alone, together]) {
    const payload = proposal(service, owner, change)
    await stored(service, owner, proposals, 'VALIDATED', payload, 'proposal.created')
  }
  const others = {
    review: { required: 1, expiresAt: isoIn(service, 2), reviewers: [owner.userId] },
  }
  await stored(
    service,
    owner,
    proposals,
    'VALIDATED',
    proposal(service, reviewer!, { title: 'Of the reviewer', ...others }),
    'proposal.created',
  )
  await stored(
    service,
    owner,
    proposals,
    'ACTIVE',
    proposal(service, owner, { title: 'Approved', phase: 'APPROVED' }),
    'proposal.created',
  )
  const pack = {
    question: 'Which range?',
    expiresAt: isoIn(service, 20),
    authors: [analyst!.userId],
    approvals: [],
  }
  const decided = { ...pack, approvals: [{ actor: { kind: 'SESSION', id: owner.userId } }] }
  await stored(
    service,
    owner,
    decisionPacks,
    'VALIDATED',
    { ...decided, question: 'Decided by the owner', authors: [reviewer!.userId] },
    'decision_pack.created',
  )
  await stored(service, owner, decisionPacks, 'VALIDATED', pack, 'decision_pack.created')
  const passport = { slug: 'ens-weth', vaultId: 'vault_1', validUntil: isoIn(service, 0.5) }
  await stored(service, owner, passports, 'ACTIVE', passport, 'passport.published')
  const later = { slug: 'later', vaultId: 'vault_2', validUntil: isoIn(service, 15) }
  await stored(service, owner, passports, 'ACTIVE', later, 'passport.published')
  const notice = (kind: string, change: object = {}) => ({
    alertId: `${kind}:venue_1`,
    kind,
    severity: 'WARNING',
    title: `${kind} opened`,
    acknowledged: null,
    mutedUntil: null,
    ...change,
  })
  for (const payload of [
    notice('VENUE_STALE'),
    notice('JOB_FAILED'),
    notice('FEED_STALE', { mutedUntil: isoIn(service, 1) }),
    notice('PROVIDER_DOWN', { acknowledged: { at: isoIn(service, 0), severity: 'WARNING' } }),
    notice('SCHEDULE_OVERDUE', {
      severity: 'CRITICAL',
      acknowledged: { at: isoIn(service, 0), severity: 'WARNING' },
    }),
  ]) {
    await stored(service, owner, notices, 'ACTIVE', payload, 'alert.opened')
  }
  const expiresAt = isoIn(service, 5)
  const created = await callOperation(owner, 'createDeveloperCredentials', {
    body: {
      label: 'Bot',
      kind: 'API_KEY',
      scopes: ['studies:read'],
      expiresAt,
      reason: 'For the test',
    },
  })
  expect(created.status).toBe(201)

  // An acknowledgment ends with a higher severity.
  const alerts = ['ACKNOWLEDGE SCHEDULE_OVERDUE opened', 'ACKNOWLEDGE VENUE_STALE opened']
  expect(await kindsOf(owner)).toEqual([
    ...alerts,
    'APPROVE Of the reviewer',
    'APPROVE Own, one approval',
    'DECIDE Which range?',
    'EXPIRES Credential Bot expires',
    'EXPIRES Passport ens-weth expires',
    'FAILED JOB_FAILED opened',
    'IMPORT Approved',
  ])
  expect(await kindsOf(reviewer!)).toEqual([
    ...alerts,
    'APPROVE A fourth owner',
    'APPROVE Own, one approval',
    'DECIDE Which range?',
  ])
  expect(await kindsOf(analyst!)).toEqual(alerts)
  expect(await inboxOf(viewer!)).toEqual({ items: [], total: 0 })
  const { items, total } = await inboxOf(owner)
  expect([total, items[0]]).toMatchObject([
    9,
    { kind: 'EXPIRES', severity: 'CRITICAL', operationId: 'publishLiquidityPassport' },
  ])
  expect(items.find(({ kind }) => kind === 'ACKNOWLEDGE')).toMatchObject({
    alertId: 'SCHEDULE_OVERDUE:venue_1',
    operationId: 'acknowledgeAlert',
  })
  expect(await inboxOf(await newOrganization(service))).toEqual({ items: [], total: 0 })
  service.clock.advance(3 * dayMilliseconds)
})

it('reads indexes only, with 300,000 records', async ({ service }) => {
  const owner = await newOrganization(service)
  const { organizationId } = owner
  const { pool } = service.database
  const hash = `0x${'a'.repeat(64)}`
  await pool.query(`insert into record_heads (organization_id, id, sequence, resource_version, status)
    select '${organizationId}', 'study_' || lpad(to_hex(n), 32, '0'), 1, '${hash}', 'COMPLETED'
    from generate_series(1, 300000) as n`)
  await pool.query(`insert into names (organization_id, kind, name, record_id)
    select '${organizationId}', 'treasury-due-notice', 'notice ' || n, 'study_' || lpad(to_hex(n), 32, '0')
    from generate_series(1, 300000) as n`)
  await stored(
    service,
    owner,
    proposals,
    'ACTIVE',
    proposal(service, owner, { phase: 'APPROVED' }),
    'proposal.created',
  )
  await pool.query('analyze record_heads')
  await pool.query('analyze names')
  const sent = watchStatements(service.database)
  expect((await inboxOf(owner)).items).toHaveLength(1)
  const statements = sent().filter(({ senders }) =>
    [...senders].some((sender) => sender.includes('families/platform/inbox')),
  )
  expect(statements.length).toBeGreaterThan(3)
  for (const { text } of statements) {
    const { rows } = await pool.query(`explain ${text}`)
    const plan = rows.map((row: object) => Object.values(row)[0]).join('\n')
    expect(plan).not.toMatch(/Seq Scan on (names|record_heads|records)/)
  }
})

it('names the market of a score that expires by its venue, or by short addresses', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const [base, quote] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`)
  const pair = { chainId: 1, base, quote, baseDecimals: 18, quoteDecimals: 18 }
  const address = `0x${'3'.repeat(40)}`
  const profile = { name: 'ENS / WETH 0.30 %', kind: 'UNISWAP_V3', address, pair }
  const venue = await stored(service, owner, venues, 'VALIDATED', profile, 'venue.created')
  const requests = [
    { pair, venues: [{ id: venue.id }] },
    { pair: { ...pair, base: quote, quote: base }, venues: [{ id: `venue_${'0'.repeat(32)}` }] },
  ]
  for (const request of requests) {
    const score = { validUntil: isoIn(service, 2), request }
    await stored(service, owner, scores, 'ACTIVE', score, 'score.activated')
  }
  expect(await kindsOf(owner)).toEqual([
    'EXPIRES Market quality score of 0x2222…2222/0x1111…1111 expires',
    'EXPIRES Market quality score of ENS/WETH expires',
  ])
})

it('names addresses of the treasury, vaults, makers, venues and known contracts', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const [safe, wallet, token] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`)
  const entry = (address: string, label: string) => ({
    entryKind: 'ASSET',
    label,
    asset: `eip155:1/erc20:${token}`,
    purpose: 'OPERATING',
    container: { kind: 'EOA', chainId: 1, address },
  })
  await stored(
    service,
    owner,
    treasuryEntries,
    'ACTIVE',
    entry(safe!, 'Treasury Safe'),
    'treasury.entry.created',
  )
  await stored(
    service,
    owner,
    treasuryEntries,
    'ACTIVE',
    entry(wallet!, 'Payroll'),
    'treasury.entry.created',
  )
  const pair = { chainId: 1, base: token, quote: wallet, baseDecimals: 18, quoteDecimals: 18 }
  await stored(
    service,
    owner,
    vaults,
    'ACTIVE',
    { chainId: 1, safeAddress: safe, pair },
    'vault.snapshot',
  )
  const labels = (by: TestMember, ...addresses: (string | undefined)[]) =>
    callOperation<contract.AddressLabel[]>(by, 'listAddressLabels', {
      query: { addresses: addresses.join(',') } as never,
    })
  const { status, data, fieldErrors } = await labels(owner, wallet, token, safe)
  expect([status, fieldErrors]).toEqual([200, {}])
  expect(data).toEqual([
    { address: wallet, name: 'Payroll', source: 'WALLET' },
    { address: safe, name: 'Treasury Safe', source: 'VAULT' },
  ])
  expect((await labels(await newOrganization(service), wallet)).data).toEqual([])
  const many = await labels(owner, ...Array.from({ length: 101 }, () => wallet))
  expect([many.status, Object.keys(many.fieldErrors)]).toEqual([400, ['query.addresses']])
})
