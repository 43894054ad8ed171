// @module-tag postgres

import { expect } from 'vitest'
import { purge } from '../src/jobs/purge.ts'
import { limits } from '../src/limits.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { started, test } from './support/fixtures.ts'
import { membersThrough, newAddress } from './support/invited.ts'
import { startMailbox } from './support/mailbox.ts'
import { newMember, newOrganization } from './support/service.ts'
import { until } from './support/until.ts'

const it = test
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ mailbox }) => ({ SMTP_URL: mailbox.url }))
  .extend('through', { scope: 'file' }, ({ service, mailbox }) => membersThrough(service, mailbox))

// Limits count by the hour and the day, so every test has a day of its own.
it.beforeEach(({ service }) => service.clock.advance(dayMilliseconds))

it('mails one address once, however often the same invitation is sent', async ({
  service,
  through,
}) => {
  const { invite, mailsTo, settleMails } = through
  const owner = await newOrganization(service)
  const email = newAddress()
  const answers = await Promise.all(Array.from({ length: 150 }, () => invite(owner, email)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  await settleMails()
  expect(mailsTo(email)).toHaveLength(1)
})

it('sends at most 5 emails an hour to one address, for any changes and inviters', async ({
  service,
  through,
}) => {
  const { invite, remove, rolesIn, mailsTo, settleMails, again } = through
  const [owner, other] = [await newOrganization(service), await newOrganization(service)]
  const email = newAddress()
  const roles = ['VIEWER', 'ANALYST']
  for (let index = 0; index < 8; index += 1) {
    const changed = await invite(owner, email, roles[index % 2])
    expect([changed.status, changed.data.role]).toEqual([201, roles[index % 2]])
  }
  const refused = await invite(other, email)
  expect([refused.status, refused.error.code]).toEqual([429, 'LIQUIDITY_RATE_LIMITED'])
  expect(refused.error.message).toBe(
    'This address reached the limit of 5 invitation emails per hour.',
  )
  expect(Number(refused.wait)).toBeGreaterThan(0)
  expect(Number(refused.wait)).toBeLessThanOrEqual(3600)
  expect(await rolesIn(other)).toHaveLength(1)
  // Withdrawing and inviting again is no way around the limit.
  await remove(owner, email)
  expect((await invite(owner, email)).status).toBe(429)
  await settleMails()
  expect(mailsTo(email)).toHaveLength(limits.invitationsPerAddressPerHour)
  service.clock.advance(hourMilliseconds)
  expect((await invite(await again(other), email)).status).toBe(201)
})

it('limits the mails of an organization and of an owner', async ({ service, through }) => {
  const { invite, rolesIn, emailOf, mailsTo, ownerAlsoOf } = through
  const owner = await newOrganization(service)
  const colleague = await newMember(service, owner.organizationId, 'OWNER')
  const addresses = Array.from({ length: 300 }, newAddress)
  const answers = await Promise.all(
    addresses.map((email, index) => invite(index % 2 === 0 ? owner : colleague, email)),
  )
  const allowed = answers.filter(({ status }) => status === 201)
  expect(allowed).toHaveLength(limits.invitationsPerOrganizationPerHour)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(300 - allowed.length)
  expect(refused.at(-1)?.error.message).toMatch(
    /^(This organization|You) reached the limit of 20 invitation emails per hour\.$/,
  )
  expect(await rolesIn(owner)).toHaveLength(2 + allowed.length)
  const mailed = () => addresses.filter((email) => mailsTo(email).length > 0)
  await until('the mails', () => mailed().length === allowed.length)
  // The owner has used up turns, also in an organization that has not.
  const there = await ownerAlsoOf(owner, await newOrganization(service))
  const more = await invite(there, newAddress())
  expect([more.status, more.error.message]).toEqual([
    429,
    'You reached the limit of 20 invitation emails per hour.',
  ])
  // A role changes for all that: a demotion must not wait.
  const demoted = await invite(owner, await emailOf(colleague), 'VIEWER')
  expect([demoted.status, demoted.data.status]).toEqual([201, 'ACTIVE'])
  expect(await rolesIn(owner)).toContainEqual([await emailOf(colleague), 'VIEWER', 'ACTIVE'])
})

it('limits the mails of an organization by the day', async ({ service, through }) => {
  const { invite, again } = through
  const day = Math.ceil(service.clock.read() / dayMilliseconds) * dayMilliseconds
  service.clock.advance(day - service.clock.read())
  const owner = await newOrganization(service)
  expect((await invite(owner, newAddress())).status).toBe(201)
  // As if the other mails of the day had gone out too.
  const bucket = `invitations|${owner.organizationId}|day`
  const [counted] = await service.database.global([
    sql`update rate_windows set used = used + ${limits.invitationsPerOrganizationPerDay - 1}
      where bucket = ${bucket} returning used`,
  ])
  expect(counted).toEqual([{ used: `${limits.invitationsPerOrganizationPerDay}` }])
  service.clock.advance(20 * hourMilliseconds)
  // The purge keeps the count of the day.
  await purge(service.services)
  const refused = await invite(await again(owner), newAddress())
  expect([refused.status, refused.error.message]).toEqual([
    429,
    'This organization reached the limit of 100 invitation emails per day.',
  ])
  expect(Number(refused.wait)).toBe(4 * 3600)
  service.clock.advance(4 * hourMilliseconds)
  expect((await invite(await again(owner), newAddress())).status).toBe(201)
})
