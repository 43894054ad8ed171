import { addMember } from '../../src/access/administration.ts'
import { linkIn, type Mailbox } from './mailbox.ts'
import { newOrganization, signIn, type TestMember, type TestService } from './service.ts'

const origin = 'http://127.0.0.1:8080'
let number = 0

export function newAddress(): string {
  number += 1
  return `invited-${number}-${process.pid}@example.org`
}

export function membersThrough(service: TestService, mailbox: Mailbox) {
  async function send(cookie: string, method: string, path: string, body?: object) {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        cookie,
        origin,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    const json = text.startsWith('{') ? JSON.parse(text) : null
    return {
      status: answer.status,
      data: json?.data,
      error: json?.error,
      cookies: answer.headers.getSetCookie(),
      wait: answer.headers.get('retry-after'),
    }
  }

  const cookieOf = ({ cookie }: TestMember) => `${service.config.sessionCookie}=${cookie}`
  const pathOf = ({ organizationId }: TestMember) => `/auth/organizations/${organizationId}/members`
  const invite = (by: TestMember, email: string, role = 'VIEWER') =>
    send(cookieOf(by), 'POST', pathOf(by), { email, role })
  const remove = (by: TestMember, email: string) =>
    send(cookieOf(by), 'DELETE', `${pathOf(by)}/${email}`)
  const list = async (by: TestMember) => (await send(cookieOf(by), 'GET', pathOf(by))).data
  const rolesIn = async (by: TestMember): Promise<string[][]> =>
    (await list(by)).map((one: { email: string; role: string; status: string }) => [
      ...[one.email, one.role, one.status],
    ])

  async function emailOf({ userId }: TestMember): Promise<string> {
    const text = `select email from users where id = '${userId}'`
    const [rows] = await service.database.global([{ text }])
    return rows![0]!.email!
  }
  async function isUser(email: string): Promise<boolean> {
    const text = `select id from users where email = '${email}'`
    const [rows = []] = await service.database.global([{ text }])
    return rows.length > 0
  }

  const mailsTo = (email: string) =>
    mailbox.mails.filter(({ to }) => to?.some(({ address }) => address === email))

  /** Sends one more mail, so that every mail before it has arrived. */
  async function settleMails(): Promise<void> {
    const email = await emailOf(await newOrganization(service))
    await send('', 'POST', '/auth/email-links', { email })
    await mailbox.mailTo(email)
  }

  async function signInByMail(email: string) {
    await settleMails()
    const before = mailsTo(email).length
    const request = await send('', 'POST', '/auth/email-links', { email })
    const browser = request.cookies.map((line) => line.split(';')[0]).join('; ')
    const { token } = linkIn(await mailbox.mailTo(email, before))
    const redeemed = await send(browser, 'POST', '/auth/email-links/redeem', { token })
    const session = redeemed.cookies.find((line) => line.startsWith('service_session='))
    return { status: redeemed.status, cookie: session?.split(';')[0] ?? '' }
  }
  const sessionOf = async (cookie: string) => (await send(cookie, 'GET', '/auth/session')).data

  /** The same member with a new, recent session. */
  const again = async (member: TestMember) =>
    signIn(service, member.organizationId, await emailOf(member))

  /** The same user as an owner of another organization. */
  async function ownerAlsoOf(member: TestMember, { organizationId }: TestMember) {
    const email = await emailOf(member)
    const now = service.clock.read()
    await addMember(service.database, { organizationId, email, role: 'OWNER' }, now)
    return { ...member, organizationId }
  }

  return {
    send,
    cookieOf,
    pathOf,
    invite,
    remove,
    list,
    rolesIn,
    emailOf,
    isUser,
    mailsTo,
    settleMails,
    signInByMail,
    sessionOf,
    again,
    ownerAlsoOf,
  }
}
