// @module-tag postgres

import { describe, expect } from 'vitest'
import { createSignInLink } from '../src/access/administration.ts'
import { ConfigurationError, readConfig } from '../src/config.ts'
import { dayMilliseconds, minuteMilliseconds } from '../src/units.ts'
import { keyBody } from './support/bodies.ts'
import { started, test } from './support/fixtures.ts'
import { linkIn, type Mailbox, startMailbox, startSilentServer } from './support/mailbox.ts'
import {
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const origin = 'http://127.0.0.1:8080'
const it = test
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ mailbox }) => ({
    SMTP_URL: mailbox.url,
    TRUSTED_PROXY_HOPS: '1',
  }))

// Links are limited by the hour; every test begins in one of its own.
it.beforeEach(({ service }) => service.clock.advance(60 * minuteMilliseconds))

/** A browser as far as signing in needs one: it keeps cookies and says where it is. */
class Browser {
  readonly #baseUrl: string
  readonly #address: string
  readonly cookies = new Map<string, string>()

  constructor({ baseUrl }: Pick<TestService, 'baseUrl'>, address = '198.51.100.1') {
    this.#baseUrl = baseUrl
    this.#address = address
  }

  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        'x-forwarded-for': this.#address,
        ...(cookie ? { cookie } : {}),
        ...(method === 'GET' ? {} : { origin }),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await answer.text()
    const json = text.startsWith('{') ? JSON.parse(text) : null
    return { status: answer.status, headers: answer.headers, text, json, code: json?.error?.code }
  }

  ask(email: string) {
    return this.send('POST', '/auth/email-links', { email })
  }

  redeem(token: string) {
    return this.send('POST', '/auth/email-links/redeem', { token })
  }

  session() {
    return this.send('GET', '/auth/session')
  }
}

async function emailOf(
  service: TestService,
  { userId }: TestMember,
  of = service,
): Promise<string> {
  const [rows] = await of.database.global([
    { text: `select email from users where id = '${userId}'` },
  ])
  return rows![0]!.email!
}

async function known(service: TestService): Promise<{ member: TestMember; email: string }> {
  const member = await newOrganization(service)
  return { member, email: await emailOf(service, member) }
}

const mailsTo = (mailbox: Mailbox, email: string) =>
  mailbox.mails.filter(({ to }) => to?.some(({ address }) => address === email)).length

describe('a sign-in link', () => {
  it('arrives by mail, signs in once, and shows who is signed in', async ({ service, mailbox }) => {
    const { member, email } = await known(service)
    const browser = new Browser(service)
    const request = await browser.ask(email.toUpperCase())
    expect([request.status, request.json]).toEqual([202, { data: { accepted: true } }])
    const mail = await mailbox.mailTo(email)
    expect(mail.from?.address).toBe('no-reply@localhost')
    const { url, token } = linkIn(mail)
    expect(url.startsWith(`${origin}/auth/sign-in#`)).toBe(true)
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const redeemed = await browser.redeem(token)
    expect([redeemed.status, redeemed.json.data.userId]).toEqual([200, member.userId])
    const cookie = redeemed.headers
      .getSetCookie()
      .find((line) => line.startsWith('service_session='))
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
    expect(redeemed.text).not.toContain(browser.cookies.get('service_session'))
    const session = await browser.session()
    expect(session.headers.get('cache-control')).toBe('private, no-store')
    expect(session.json.data).toMatchObject({
      userId: member.userId,
      email,
      organizations: [{ id: member.organizationId, role: 'OWNER' }],
    })
    const again = await browser.redeem(token)
    expect([again.status, again.code]).toEqual([400, 'LIQUIDITY_SIGN_IN_LINK_INVALID'])
  })

  it('is not spent by opening it: the page is the same for every visitor', async ({
    service,
    mailbox,
  }) => {
    const { email } = await known(service)
    const browser = new Browser(service)
    await browser.ask(email)
    const { token } = linkIn(await mailbox.mailTo(email))
    for (const scanner of [new Browser(service), new Browser(service), browser]) {
      const page = await scanner.send('GET', '/auth/sign-in')
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect((await browser.redeem(token)).status).toBe(200)
  })

  it('works only in the browser that requested it', async ({ service, mailbox }) => {
    const { email } = await known(service)
    const browser = new Browser(service)
    await browser.ask(email)
    const { token } = linkIn(await mailbox.mailTo(email))
    const thief = new Browser(service)
    expect((await thief.redeem(token)).code).toBe('LIQUIDITY_SIGN_IN_LINK_INVALID')
    await thief.ask('someone-else@example.org')
    expect((await thief.redeem(token)).code).toBe('LIQUIDITY_SIGN_IN_LINK_INVALID')
    expect((await browser.redeem(token)).status).toBe(200)
  })

  it('is redeemed once, also by twenty tabs at once', async ({ service, mailbox }) => {
    const { email } = await known(service)
    const browser = new Browser(service)
    await browser.ask(email)
    const { token } = linkIn(await mailbox.mailTo(email))
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.redeem(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('expires after a quarter of an hour', async ({ service, mailbox }) => {
    const { email } = await known(service)
    const browser = new Browser(service)
    await browser.ask(email)
    const first = linkIn(await mailbox.mailTo(email))
    service.clock.advance(15 * minuteMilliseconds)
    expect((await browser.redeem(first.token)).code).toBe('LIQUIDITY_SIGN_IN_LINK_INVALID')
    await browser.ask(email)
    const second = linkIn(await mailbox.mailTo(email, 1))
    service.clock.advance(15 * minuteMilliseconds - 1)
    expect((await browser.redeem(second.token)).status).toBe(200)
  })

  it('returns the same for an unknown address, and sends no email', async ({
    service,
    mailbox,
  }) => {
    const { email } = await known(service)
    const [one, other] = [
      await new Browser(service).ask(email),
      await new Browser(service).ask('no@example.org'),
    ]
    expect([other.status, other.text]).toEqual([one.status, one.text])
    expect(other.headers.getSetCookie()).toHaveLength(1)
    const names = (answer: typeof one) => [...answer.headers.keys()].sort()
    expect(names(other)).toEqual(names(one))
    await mailbox.mailTo(email)
    expect(mailsTo(mailbox, 'no@example.org')).toBe(0)
  })

  it('is sent at most five times an hour per client', async ({ service, mailbox }) => {
    const { email } = await known(service)
    for (let mail = 1; mail <= 5; mail += 1) {
      expect((await new Browser(service).ask(email)).status).toBe(202)
    }
    const refused = await new Browser(service).ask(email)
    expect([refused.status, refused.code]).toEqual([429, 'LIQUIDITY_RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    service.clock.advance(60 * minuteMilliseconds)
    expect((await new Browser(service).ask(email)).status).toBe(202)
    await mailbox.mailTo(email, 5)
    expect(mailsTo(mailbox, email)).toBe(6)
  })

  it('cannot be used up by strangers: neither for another place nor for a browser that is known', async ({
    service,
    mailbox,
  }) => {
    const { email } = await known(service)
    const own = await signedIn(service, mailbox, email)
    // Two dozen places ask twice each, the place of the owner among them.
    const clientIps = Array.from({ length: 24 }, (_, index) => `198.51.100.${index + 1}`)
    const answered = await Promise.all(
      clientIps.map(async (address) => {
        const statuses: number[] = []
        for (let ask = 0; ask < 2; ask += 1) {
          statuses.push((await new Browser(service, address).ask(email)).status)
        }
        return statuses.filter((status) => status === 202).length
      }),
    )
    // After twenty of strangers each further place has one mail.
    expect(answered.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(20 + clientIps.length)
    expect(Math.min(...answered)).toBe(1)
    const elsewhere = new Browser(service, '203.0.113.7')
    expect((await elsewhere.ask(email)).status).toBe(202)
    for (let ask = 0; ask < 5; ask += 1) expect((await own.ask(email)).status).toBe(202)
    expect((await own.ask(email)).status).toBe(429)
  })

  it('is requested at most twenty times an hour per client', async ({ service }) => {
    const browser = new Browser(service, '198.51.100.99')
    for (let link = 1; link <= 20; link += 1) {
      expect((await browser.ask(`someone${link}@example.org`)).status).toBe(202)
    }
    expect((await browser.ask('someone21@example.org')).status).toBe(429)
    expect((await new Browser(service, '198.51.100.98').ask('a@example.org')).status).toBe(202)
  })

  it('is rejected for an invalid address, with the reason', async ({ service }) => {
    const browser = new Browser(service)
    for (const email of ['', 'nobody', 'a@b@c', 'a b@example.org', `${'a'.repeat(250)}@e.org`]) {
      const refused = await browser.ask(email)
      expect([email, refused.status]).toEqual([email, 400])
      expect(refused.json.error.fieldErrors.email).toHaveLength(1)
    }
    const extra = await browser.send('POST', '/auth/email-links', { email: 'a@b.org', admin: true })
    expect(extra.json.error.fieldErrors.admin).toEqual(['is not a field of this object'])
    const typed = await browser.send('POST', '/auth/email-links', { email: 7 })
    expect(typed.status).toBe(400)
    const form = await browser.send('POST', '/auth/email-links', undefined, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(form.code).toBe('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED')
  })

  it('made at the terminal works in any browser, once', async ({ service }) => {
    const { email } = await known(service)
    const { link } = await createSignInLink(
      service.database,
      { email, baseUrl: origin },
      service.clock.read(),
    )
    const token = new URL(link).hash.slice(1)
    expect((await new Browser(service).redeem(token)).status).toBe(200)
    expect((await new Browser(service).redeem(token)).status).toBe(400)
  })

  it('leaves no secret in the database', async ({ service, mailbox }) => {
    const { email } = await known(service)
    const browser = new Browser(service)
    await browser.ask(email)
    const { token } = linkIn(await mailbox.mailTo(email))
    await browser.redeem(token)
    const secrets = [token, ...browser.cookies.values()]
    for (const table of ['sign_in_links', 'sessions']) {
      for (const secret of secrets) {
        const { rows } = await service.database.pool.query(
          `select count(*) as found from ${table} t where t::text like '%' || $1 || '%'`,
          [secret],
        )
        expect([table, rows[0].found]).toEqual([table, '0'])
      }
    }
  })
})

/** A browser that is signed in. */
async function signedIn(service: TestService, mailbox: Mailbox, email: string): Promise<Browser> {
  const browser = new Browser(service)
  const before = mailsTo(mailbox, email)
  await browser.ask(email)
  await browser.redeem(linkIn(await mailbox.mailTo(email, before)).token)
  return browser
}

const asMember = (browser: Browser, member: TestMember) => ({
  issue: () =>
    browser.send(
      'POST',
      '/api/liquidity-studio/v2/developer-credentials',
      keyBody(['studies:read']),
      {
        'x-service-organization-id': member.organizationId,
        'idempotency-key': crypto.randomUUID(),
      },
    ),
})

describe('a session', () => {
  it('ends with logout, on the server too', async ({ service, mailbox }) => {
    const { email } = await known(service)
    const browser = await signedIn(service, mailbox, email)
    const kept = browser.cookies.get('service_session')!
    const out = await browser.send('POST', '/auth/logout')
    expect(out.status).toBe(204)
    expect(browser.cookies.has('service_session')).toBe(false)
    browser.cookies.set('service_session', kept)
    expect((await browser.session()).code).toBe('LIQUIDITY_AUTHENTICATION_REQUIRED')
  })

  it('is not ended by another site', async ({ service, mailbox }) => {
    const { email } = await known(service)
    const browser = await signedIn(service, mailbox, email)
    for (const foreign of ['https://evil.example', 'null']) {
      for (const path of ['/auth/logout', '/auth/reauthentications']) {
        const refused = await browser.send('POST', path, undefined, { origin: foreign })
        expect(refused.code).toBe('LIQUIDITY_ORIGIN_NOT_ALLOWED')
      }
    }
    expect((await browser.session()).status).toBe(200)
  })

  it('is made recent again by a second link, in the same session', async ({ service, mailbox }) => {
    const { member, email } = await known(service)
    const browser = await signedIn(service, mailbox, email)
    const { issue } = asMember(browser, member)
    expect((await issue()).status).toBe(201)
    service.clock.advance(11 * minuteMilliseconds)
    expect((await issue()).code).toBe('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
    const before = browser.cookies.get('service_session')
    expect((await browser.send('POST', '/auth/reauthentications')).status).toBe(202)
    const { token } = linkIn(await mailbox.mailTo(email, 1))
    // The link belongs to this session: without it, it opens nothing.
    const other = new Browser(service)
    other.cookies.set('service_sign_in', browser.cookies.get('service_sign_in')!)
    expect((await other.redeem(token)).code).toBe('LIQUIDITY_SIGN_IN_LINK_INVALID')
    expect((await browser.redeem(token)).status).toBe(200)
    expect(browser.cookies.get('service_session')).toBe(before)
    expect((await issue()).status).toBe(201)
  })

  it('needs one to be made recent', async ({ service }) => {
    const refused = await new Browser(service).send('POST', '/auth/reauthentications')
    expect(refused.code).toBe('LIQUIDITY_AUTHENTICATION_REQUIRED')
  })
})

describe('an invited person', () => {
  it('gets a mail, and the response is the same whether a user has the address or not', async ({
    service,
    mailbox,
  }) => {
    const { member, email } = await known(service)
    const browser = await signedIn(service, mailbox, email)
    const foreignOwner = await newOrganization(service)
    const others = [await emailOf(service, foreignOwner), `new-${crypto.randomUUID()}@example.org`]
    const path = `/auth/organizations/${member.organizationId}/members`
    const expiresAt = new Date(service.clock.read() + 7 * dayMilliseconds).toISOString()
    for (const other of others) {
      const added = await browser.send('POST', path, { email: other, role: 'VIEWER' })
      const data = { email: other, role: 'VIEWER', status: 'PENDING', expiresAt }
      expect([added.status, added.json]).toEqual([201, { data }])
      const mail = await mailbox.mailTo(other)
      expect(mail.subject).toMatch(/^Invitation to /)
      expect(mail.text).toContain(`${origin}\n`)
    }
    const accepted = await signedIn(service, mailbox, others[0]!)
    await accepted.send('POST', `/auth/invitations/${member.organizationId}/acceptance`)
    await signedIn(service, mailbox, others[1]!)
    // Ids of users are of one kind, and none tells when it was made.
    const listed = await browser.send('GET', path)
    const ids = listed.json.data.map(({ userId }: { userId: string }) => userId)
    expect(ids).toContain(foreignOwner.userId)
    const sharesBeginning = new Set(ids.map((id: string) => id.slice(0, 'user_'.length + 6)))
    expect(sharesBeginning.size).toBe(3)
  })
})

describe('under https', () => {
  it('every answer keeps the browser there, and the cookie of a link cannot come from a sibling', async ({
    service,
  }) => {
    const secure = await serviceForTest({ BASE_URL: 'https://liquidity.example.org' })
    const response = await fetch(`${secure.baseUrl}/auth/email-links`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.org' }),
    })
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-service_sign_in=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
    )
    for (const answer of [response, await fetch(`${secure.baseUrl}/nowhere`)]) {
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
    }
    const plain = await fetch(`${service.baseUrl}/health/live`)
    expect(plain.headers.get('strict-transport-security')).toBeNull()
  })
})

describe('mail', () => {
  it('that hangs does not delay the answer', async ({ service }) => {
    const silent = await startSilentServer()
    try {
      const slow = await serviceForTest({ SMTP_URL: silent.url })
      const member = await newOrganization(slow)
      const answer = await new Browser(slow).ask(await emailOf(service, member, slow))
      expect(answer.status).toBe(202)
      // The mail is still on its way to a server that never answers.
      await until('the mail server to be called', () => silent.connections() === 1)
    } finally {
      silent.stop()
    }
  })

  it('that is refused changes nothing for the caller', async ({ service }) => {
    const silent = await startSilentServer()
    silent.stop()
    const without = await serviceForTest({ SMTP_URL: silent.url })
    const email = await emailOf(service, await newOrganization(without), without)
    expect((await new Browser(without).ask(email)).status).toBe(202)
  })
})

describe('production', () => {
  const complete = {
    NODE_ENV: 'production',
    BASE_URL: 'https://liquidity.example.org',
    SMTP_URL: 'smtps://mail.example.org:465',
    ACCESS_TOKEN_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}`,
    SEALING_KEYS: `a:${Buffer.alloc(32, 2).toString('base64')}`,
  }

  it('starts with a complete configuration, under a cookie for https only', () => {
    const config = readConfig(complete)
    expect(config).toMatchObject({
      environment: 'production',
      sessionCookie: '__Host-service_session',
      allowedOrigins: ['https://liquidity.example.org'],
    })
  })

  it.each(Object.keys(complete).filter((name) => name !== 'NODE_ENV'))(
    'refuses to start without %s, and says what it expects',
    (name) => {
      const start = () => readConfig({ ...complete, [name]: '' })
      expect(start).toThrow(ConfigurationError)
      expect(start).toThrow(new RegExp(`- ${name} is required in production: .+ Example: ${name}=`))
    },
  )

  it('names everything that is wrong at once, and repeats no secret', () => {
    const wrong = {
      ...complete,
      PORT: 'eighty',
      SEALING_KEYS: 'a:too-short',
      SMTP_URL: 'https://user:hunter2@mail.example.org',
    }
    const message = (() => {
      try {
        readConfig(wrong)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    })()
    expect(message).toMatch(/PORT must be a port from 0 to 65535.+Got "eighty"/)
    expect(message).toMatch(/SEALING_KEYS must be comma-separated id:key pairs/)
    expect(message).toMatch(/SMTP_URL must be an smtp or smtps URL/)
    expect(message).not.toMatch(/hunter2|too-short/)
  })
})
