// @covers apps/server/src/families/plan/treasury-settings

import type { contract } from '@liquidity-os/contract'
import { expect } from 'vitest'
import { listMembers } from '../src/access/administration.ts'
import notifyMembers from '../src/families/plan/treasury-settings/settings-notice-job.ts'
import { settleSettings } from '../src/families/plan/treasury-settings/settings-sweep.ts'
import type { JobRun } from '../src/jobs/job-run.ts'
import { startWorkers } from '../src/service.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { started, test } from './support/fixtures.ts'
import { type Mailbox, startMailbox } from './support/mailbox.ts'
import { reservePort } from './support/ports.ts'
import { callOperation } from './support/requests.ts'
import {
  newMember,
  newOrganization,
  serviceForTest,
  signIn,
  type TestMember,
  type TestService,
} from './support/service.ts'

type View = contract.TreasurySettingsView

const it = test
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ mailbox }) => ({ SMTP_URL: mailbox.url }))

const settingsOf = async (by: TestMember) =>
  (await callOperation<View>(by, 'getTreasurySettings')).data

async function change(by: TestMember, wanted: Partial<View['settings']>, ifMatch?: string) {
  const { settings, resourceVersion } = await settingsOf(by)
  return callOperation<View>(by, 'putTreasurySettings', {
    ifMatch: ifMatch ?? resourceVersion,
    body: { settings: { ...settings, ...wanted }, reason: 'For the test' },
  })
}

const put = (by: TestMember, requireSecondPerson: boolean, ifMatch?: string) =>
  change(by, { reconciliation: { requireSecondPerson } }, ifMatch)

const confirm = async (by: TestMember) =>
  callOperation<View>(by, 'confirmTreasurySettings', {
    ifMatch: (await settingsOf(by)).resourceVersion,
    body: { reason: 'Agreed' },
  })

const isRequired = async (by: TestMember) =>
  (await settingsOf(by)).settings.reconciliation.requireSecondPerson

/** An organization that requires a second person. */
async function guarded(service: TestService): Promise<TestMember> {
  const owner = await newOrganization(service)
  expect((await put(owner, true)).data.settings.reconciliation.requireSecondPerson).toBe(true)
  return owner
}

async function emailOf(
  service: TestService,
  { organizationId, userId }: TestMember,
): Promise<string> {
  const members = await listMembers(service.database, organizationId)
  return members.find((member) => member.userId === userId)!.email
}

/** The same member in a new session, once the clock has passed the end of the old one. */
const signedInAgain = async (service: TestService, member: TestMember) =>
  signIn(service, member.organizationId, await emailOf(service, member))

/** The subjects of all mails to a member, once there are so many. */
async function subjectsTo(
  service: TestService,
  mailbox: Mailbox,
  member: TestMember,
  count: number,
): Promise<(string | undefined)[]> {
  const email = await emailOf(service, member)
  const workers = await startWorkers(service.services)
  await mailbox.mailTo(email, count - 1)
  await workers.stop()
  return mailbox.mails
    .filter(({ to }) => to?.some(({ address }) => address === email))
    .map(({ subject }) => subject)
}

it('protects more at once, and names the version that was reviewed', async ({ service }) => {
  const owner = await newOrganization(service)
  const before = await settingsOf(owner)
  expect(before).toMatchObject({
    settings: { reconciliation: { requireSecondPerson: false } },
    pending: null,
  })
  const treasurer = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const changed = await put(treasurer, true)
  expect([changed.status, changed.data.pending]).toEqual([200, null])
  expect(changed.data.resourceVersion).not.toBe(before.resourceVersion)
  const late = await put(owner, false, before.resourceVersion)
  expect([late.status, late.code]).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
  const analyst = await newMember(service, owner.organizationId, 'ANALYST')
  expect(await isRequired(analyst)).toBe(true)
  expect((await put(analyst, true)).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  const foreign = await newOrganization(service)
  expect(await isRequired(foreign)).toBe(false)
})

it('protects less once another owner confirms it, and mails every member', async ({
  service,
  mailbox,
}) => {
  const owner = await guarded(service)
  const other = await newMember(service, owner.organizationId, 'OWNER')
  const viewer = await newMember(service, owner.organizationId, 'VIEWER')
  const treasurer = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  const refused = await put(treasurer, false)
  expect([refused.code, Object.keys(refused.fieldErrors)]).toEqual([
    'LIQUIDITY_ROLE_REQUIRED',
    ['settings.reconciliation.requireSecondPerson'],
  ])
  expect((await confirm(other)).code).toBe('LIQUIDITY_TREASURY_SETTINGS_NOTHING_PENDING')
  const response = await put(owner, false)
  expect(response.data).toMatchObject({
    settings: { reconciliation: { requireSecondPerson: true } },
    pending: {
      loosens: ['reconciliation.requireSecondPerson'],
      requestedBy: { id: owner.userId },
      effectiveAt: null,
      expiresAt: new Date(service.clock.read() + 7 * dayMilliseconds).toISOString(),
    },
  })
  // Asking again neither confirms it nor lengthens its time.
  expect((await put(owner, false)).data).toEqual(response.data)
  expect((await put(other, false)).data).toEqual(response.data)
  expect((await confirm(owner)).code).toBe('LIQUIDITY_TREASURY_SETTINGS_SECOND_OWNER_REQUIRED')
  expect((await confirm(treasurer)).code).toBe('LIQUIDITY_ROLE_REQUIRED')
  expect(await isRequired(owner)).toBe(true)
  expect((await confirm(other)).data).toMatchObject({
    settings: { reconciliation: { requireSecondPerson: false } },
    pending: null,
  })
  for (const member of [owner, other, viewer, treasurer]) {
    expect((await subjectsTo(service, mailbox, member, 2)).toSorted()).toEqual([
      'A treasury setting now reduces protection',
      'A treasury setting will soon reduce protection',
    ])
  }
  const { database, artifacts } = service.services
  expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
})

it('holds what protects less and keeps what protects more of one change', async ({ service }) => {
  const owner = await newOrganization(service)
  const [runway, coverage] = [
    { metric: 'RUNWAY_MONTHS_X3', threshold: '12000' },
    { metric: 'COVERAGE_PIPS', threshold: '2000000' },
  ] as const
  await change(owner, { requiredLimits: [runway], minimumCoveragePips: 900_000 })
  const mixed = await change(owner, {
    requiredLimits: [coverage, { ...runway, threshold: '11999' }],
    minimumCoveragePips: 950_000,
  })
  expect(mixed.data).toMatchObject({
    settings: { requiredLimits: [coverage, runway], minimumCoveragePips: 950_000 },
    pending: { loosens: ['requiredLimits'] },
  })
  expect((await change(owner, { minimumCoveragePips: 1 })).data.pending).toMatchObject({
    loosens: ['minimumCoveragePips'],
  })
  const unknown = `treasury_assumptions_${'0'.repeat(32)}`
  for (const [wanted, field] of [
    [{ requiredLimits: [runway, runway] }, 'settings.requiredLimits.1.metric'],
    [{ primaryAssumptions: unknown }, 'settings.primaryAssumptions'],
  ] as const) {
    const { status, code, fieldErrors } = await change(owner, wanted as never)
    expect([status, code, Object.keys(fieldErrors)]).toEqual([
      ...[422, 'LIQUIDITY_TREASURY_SETTINGS_INVALID', [field]],
    ])
  }
})

it('ends a request without confirmation in a week, or after a withdrawal', async ({
  service,
  mailbox,
}) => {
  const owner = await guarded(service)
  const other = await newMember(service, owner.organizationId, 'OWNER')
  const treasurer = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
  await put(owner, false)
  expect((await put(treasurer, true)).data.pending).toBe(null)
  await put(owner, false)
  service.clock.advance(7 * dayMilliseconds)
  const later = await signedInAgain(service, owner)
  expect(await settingsOf(later)).toMatchObject({ pending: null })
  await settleSettings(service.services)
  expect(await isRequired(later)).toBe(true)
  expect(await subjectsTo(service, mailbox, other, 4)).toContain(
    'A change of the treasury settings has expired',
  )
})

it('makes the only owner wait for 72 hours, in which any treasury user may withdraw it', async ({
  service,
}) => {
  const owner = await guarded(service)
  const response = await put(owner, false)
  const effectiveAt = new Date(service.clock.read() + 72 * hourMilliseconds).toISOString()
  expect(response.data.pending).toMatchObject({ effectiveAt })
  service.clock.advance(72 * hourMilliseconds - 1)
  const later = await signedInAgain(service, owner)
  await settleSettings(service.services)
  expect(await isRequired(later)).toBe(true)
  service.clock.advance(1)
  // It counts from its moment on, swept or not.
  expect(await isRequired(later)).toBe(false)
  await settleSettings(service.services)
  expect(await settingsOf(later)).toMatchObject({ pending: null })
  const kinds = (
    await callOperation<{ events: { kind: string }[] }>(later, 'listEvents')
  ).data.events.map(({ kind }) => kind)
  expect(kinds).toContain('treasury.settings.loosened')
})

it('does not let an owner take the time of being alone where another has joined since', async ({
  service,
}) => {
  const owner = await guarded(service)
  await put(owner, false)
  const other = await newMember(service, owner.organizationId, 'OWNER')
  service.clock.advance(72 * hourMilliseconds)
  const [first, second] = await Promise.all(
    [owner, other].map((one) => signedInAgain(service, one)),
  )
  await settleSettings(service.services)
  expect(await isRequired(first!)).toBe(true)
  expect((await confirm(first!)).code).toBe('LIQUIDITY_TREASURY_SETTINGS_SECOND_OWNER_REQUIRED')
  expect((await confirm(second!)).data).toMatchObject({
    settings: { reconciliation: { requireSecondPerson: false } },
    pending: null,
  })
})

it('writes down what took effect before it changes again', async ({ service }) => {
  const owner = await guarded(service)
  await put(owner, false)
  service.clock.advance(72 * hourMilliseconds)
  const later = await signedInAgain(service, owner)
  const { resourceVersion } = await settingsOf(later)
  expect((await put(later, true, resourceVersion)).code).toBe('LIQUIDITY_PRECONDITION_FAILED')
  expect((await put(later, true)).status).toBe(200)
  const kinds = (
    await callOperation<{ events: { kind: string }[] }>(later, 'listEvents')
  ).data.events.map(({ kind }) => kind)
  expect(kinds).toContain('treasury.settings.loosened')
})

it('fails the notice, to be tried again, while the mail server is away', async () => {
  const away = await serviceForTest({ SMTP_URL: `smtp://127.0.0.1:${await reservePort()}` })
  const owner = await newOrganization(away)
  await put(owner, true)
  await put(owner, false)
  const { rows } = await away.database.pool.query(
    `select id, input from jobs where kind = 'TREASURY_SETTINGS_NOTICE'`,
  )
  const notification = notifyMembers({
    organizationId: owner.organizationId,
    jobId: rows[0].id,
    services: away.services,
    input: JSON.parse(rows[0].input),
    records: recordsOf(away, owner),
  } as JobRun)
  await expect(notification).rejects.toMatchObject({
    code: 'LIQUIDITY_NOTICE_NOT_MAILED',
    retryable: true,
  })
})
