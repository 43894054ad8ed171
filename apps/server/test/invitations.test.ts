// @module-tag postgres

import { expect } from 'vitest'
import { createSignInLink } from '../src/access/administration.ts'
import { purge } from '../src/jobs/purge.ts'
import { dayMilliseconds } from '../src/units.ts'
import { started, test } from './support/fixtures.ts'
import { membersThrough, newAddress } from './support/invited.ts'
import { startMailbox } from './support/mailbox.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

const origin = 'http://127.0.0.1:8080'
const it = test
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ mailbox }) => ({ SMTP_URL: mailbox.url }))
  .extend('through', { scope: 'file' }, ({ service, mailbox }) => membersThrough(service, mailbox))

// Limits count by the hour and the day, so every test has a day of its own.
it.beforeEach(({ service }) => service.clock.advance(dayMilliseconds))

it('creates no user and no member until the person signs in', async ({
  service,
  mailbox,
  through,
}) => {
  const { invite, remove, list, rolesIn, emailOf, isUser, signInByMail, sessionOf } = through
  const owner = await newOrganization(service)
  const email = newAddress()
  const invited = await invite(owner, email.toUpperCase(), 'ANALYST')
  const expiresAt = new Date(service.clock.read() + 7 * dayMilliseconds).toISOString()
  expect(invited.status).toBe(201)
  expect(invited.data).toEqual({ email, role: 'ANALYST', status: 'PENDING', expiresAt })
  const mail = await mailbox.mailTo(email)
  expect(mail.subject).toBe('Invitation to Org')
  expect(mail.text).toContain(`${origin}\n`)
  expect(await isUser(email)).toBe(false)
  expect(await list(owner)).toEqual([
    { userId: owner.userId, email: await emailOf(owner), role: 'OWNER', status: 'ACTIVE' },
    {
      email,
      role: 'ANALYST',
      status: 'PENDING',
      invitedBy: owner.userId,
      expiresAt,
      invitedAt: new Date(service.clock.read()).toISOString(),
    },
  ])
  const { status, cookie } = await signInByMail(email)
  expect(status).toBe(200)
  expect((await sessionOf(cookie)).organizations).toEqual([
    { id: owner.organizationId, name: 'Org', role: 'ANALYST' },
  ])
  expect(await rolesIn(owner)).toContainEqual([email, 'ANALYST', 'ACTIVE'])
  // Accepted once: the row is gone, and a removed member does not return by signing in.
  await remove(owner, email)
  const later = await signInByMail(email)
  expect((await sessionOf(later.cookie)).organizations).toEqual([])
})

it('accepts a link of the operator for an address that is only invited', async ({
  service,
  through,
}) => {
  const { send, invite, rolesIn } = through
  const owner = await newOrganization(service)
  const email = newAddress()
  await invite(owner, email)
  const { link } = await createSignInLink(
    service.database,
    { email, baseUrl: origin },
    service.clock.read(),
  )
  const token = new URL(link).hash.slice(1)
  expect((await send('', 'POST', '/auth/email-links/redeem', { token })).status).toBe(200)
  expect(await rolesIn(owner)).toContainEqual([email, 'VIEWER', 'ACTIVE'])
})

it('lets a member of another organization accept or decline each invitation', async ({
  service,
  through,
}) => {
  const { send, cookieOf, invite, emailOf, signInByMail, sessionOf } = through
  const [owner, other] = [await newOrganization(service), await newOrganization(service)]
  const member = await newMember(service, (await newOrganization(service)).organizationId, 'VIEWER')
  const email = await emailOf(member)
  await invite(owner, email, 'ANALYST')
  await invite(other, email)
  // Signing in joins no further organization.
  const { cookie } = await signInByMail(email)
  const before = (await sessionOf(cookie)).organizations
  expect(before).toHaveLength(1)
  const received = (await send(cookie, 'GET', '/auth/invitations')).data
  expect(received.map((one: { organizationId: string }) => one.organizationId)).toEqual([
    ...[owner.organizationId, other.organizationId].sort(),
  ])
  const of = ({ organizationId }: TestMember) => `/auth/invitations/${organizationId}`
  // Another person's session accepts nothing.
  const foreignResponse = await send(cookieOf(other), 'POST', `${of(owner)}/acceptance`)
  expect(foreignResponse.status).toBe(404)
  const accepted = await send(cookie, 'POST', `${of(owner)}/acceptance`)
  const { organizationId } = owner
  expect(accepted.data).toEqual({ organizationId, role: 'ANALYST', mustSignInAgain: false })
  expect((await send(cookie, 'DELETE', of(other))).status).toBe(204)
  expect((await send(cookie, 'POST', `${of(other)}/acceptance`)).status).toBe(404)
  expect((await sessionOf(cookie)).organizations).toHaveLength(2)
})

it('changes the role of a member, mails the reason, and keeps the last owner', async ({
  service,
  mailbox,
  through,
}) => {
  const owner = await newOrganization(service)
  const member = await newMember(service, owner.organizationId, 'ANALYST')
  const [first, second] = [await through.emailOf(owner), await through.emailOf(member)]
  const path = `/auth/organizations/${owner.organizationId}/members`
  const setRole = (by: TestMember, email: string, role: string, reason?: string) =>
    through.send(through.cookieOf(by), 'POST', path, {
      email,
      role,
      ...(reason ? { reason } : {}),
    })
  const refused = await setRole(owner, first, 'VIEWER')
  expect([refused.status, refused.error.code]).toEqual([409, 'LIQUIDITY_MEMBERSHIP_REFUSED'])
  expect(refused.error.message).toBe('The last owner cannot give up the owner role.')
  const removed = await through.remove(owner, first)
  expect([removed.status, removed.error.message]).toEqual([409, 'The last owner cannot leave.'])
  expect((await setRole(owner, second, 'OWNER', 'Takes over the desk')).status).toBe(201)
  const mail = await mailbox.mailTo(second)
  expect(mail.text).toContain('is now OWNER. Reason: Takes over the desk\n')
  expect((await setRole(member, first, 'VIEWER')).status).toBe(201)
  // Members that joined at the same instant have no order.
  expect(new Set(await through.rolesIn(member))).toEqual(
    new Set([
      [first, 'VIEWER', 'ACTIVE'],
      [second, 'OWNER', 'ACTIVE'],
    ]),
  )
})

it('requires a removed member to sign in again', async ({ service, through }) => {
  const { send, cookieOf, invite, remove, emailOf, again } = through
  const owner = await newOrganization(service)
  const member = await newMember(service, owner.organizationId, 'VIEWER')
  const email = await emailOf(member)
  await remove(owner, email)
  await invite(owner, email)
  const path = `/auth/invitations/${owner.organizationId}/acceptance`
  const accepted = await send(cookieOf(member), 'POST', path)
  expect(accepted.data).toMatchObject({ mustSignInAgain: true })
  await expect(member.client.listStudies()).rejects.toMatchObject({ status: 403 })
  const fresh = await again(member)
  expect((await fresh.client.listStudies()).status).toBe(200)
})

it('ends a withdrawn invitation and one that expired', async ({ service, mailbox, through }) => {
  const { send, invite, remove, rolesIn, isUser, mailsTo, settleMails, again } = through
  const owner = await newOrganization(service)
  const [withdrawn, expired] = [newAddress(), newAddress()]
  await invite(owner, withdrawn)
  await invite(owner, expired)
  const removed = await remove(owner, withdrawn)
  expect(removed.data).toEqual({
    userId: null,
    email: withdrawn,
    paused: [],
    unchanged: [],
    revoked: [{ resourceType: 'Invitation', id: withdrawn, title: 'VIEWER' }],
  })
  const none = await remove(owner, withdrawn)
  expect([none.status, none.error.code]).toEqual([409, 'LIQUIDITY_MEMBERSHIP_REFUSED'])
  service.clock.advance(7 * dayMilliseconds)
  const fresh = await again(owner)
  expect(await rolesIn(fresh)).toHaveLength(1)
  for (const email of [withdrawn, expired]) {
    const request = await send('', 'POST', '/auth/email-links', { email })
    expect(request.status).toBe(202)
  }
  await settleMails()
  // Each got the invitation and no link.
  expect([mailsTo(withdrawn).length, mailsTo(expired).length]).toEqual([1, 1])
  expect(await isUser(expired)).toBe(false)
  await purge(service.services)
  expect((await invite(fresh, expired)).data).toMatchObject({ status: 'PENDING' })
  expect((await mailbox.mailTo(expired, 1)).subject).toBe('Invitation to Org')
})

it('withdraws the invitations that a removed owner sent', async ({ service, through }) => {
  const { invite, remove, rolesIn, emailOf } = through
  const owner = await newOrganization(service)
  const other = await newMember(service, owner.organizationId, 'OWNER')
  const email = newAddress()
  await invite(other, email, 'OWNER')
  const { data } = await remove(owner, await emailOf(other))
  expect(data.revoked).toEqual([{ resourceType: 'Invitation', id: email, title: 'OWNER' }])
  expect(await rolesIn(owner)).toHaveLength(1)
})
