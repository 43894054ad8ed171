import { describe, expect } from 'vitest'
import { runCommand } from '../src/cli/administer.ts'
import { limits } from '../src/limits.ts'
import { minuteMilliseconds } from '../src/units.ts'
import { Authenticator, type Misconduct } from './support/authenticator.ts'
import { keyBody } from './support/bodies.ts'
import { started, test } from './support/fixtures.ts'
import { linkIn, type Mailbox, startMailbox } from './support/mailbox.ts'
import {
  newOrganization,
  serviceForTest,
  signIn,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { until } from './support/until.ts'

const origin = 'https://liquidity.example'

const it = test
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ mailbox }) => ({
    BASE_URL: origin,
    SMTP_URL: mailbox.url,
  }))

interface BrowserResponse {
  status: number
  code?: string
  why?: string
  data: never
}

/** A browser in which somebody is signed in; `cookies` are what it sends. */
const browserOf = (
  service: TestService,
  cookie: string,
  sent: Record<string, string> = { origin },
) => {
  const cookies = new Map<string, string>([[service.config.sessionCookie, cookie]])
  const send = async (method: string, path: string, body?: unknown): Promise<BrowserResponse> => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        ...sent,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await answer.text()
    const response = text === '' ? {} : JSON.parse(text)
    const why = Object.values(response.error?.fieldErrors ?? {}).flat()[0] as string
    return { status: answer.status, code: response.error?.code, why, data: response.data as never }
  }
  return { cookies, send }
}
type Browser = ReturnType<typeof browserOf>

async function register(
  browser: Browser,
  authenticator: Authenticator,
  misconduct: Misconduct = {},
) {
  const options = await browser.send('POST', '/auth/passkeys/registrations', {})
  if (options.status !== 201) return options
  const credential = authenticator.create(options.data, misconduct)
  return browser.send('POST', '/auth/passkeys', { name: 'Laptop', credential })
}

async function showAgain(
  browser: Browser,
  authenticator: Authenticator,
  misconduct: Misconduct = {},
) {
  const options = await browser.send('POST', '/auth/passkeys/assertions', {})
  if (options.status !== 201) return options
  const credential = authenticator.get(options.data, misconduct)
  return browser.send('POST', '/auth/reauthentications/passkey', { credential })
}

/** Somebody with a passkey, who showed lately who it is. */
async function createMember(service: TestService) {
  const member = await newOrganization(service)
  const browser = browserOf(service, member.cookie)
  const authenticator = new Authenticator(origin)
  expect((await register(browser, authenticator)).status).toBe(201)
  return { member, browser, authenticator, email: await emailOf(browser) }
}

const sessionOf = async (browser: Browser) =>
  (await browser.send('GET', '/auth/session')).data as {
    email: string
    authenticatedAt: string
    hasPasskey: boolean
  }
const emailOf = async (browser: Browser) => (await sessionOf(browser)).email

/** Links that were mailed to an address, whatever else was. */
const linksTo = (mailbox: Mailbox, email: string) =>
  mailbox.mails.filter(
    ({ to, subject }) =>
      to?.some(({ address }) => address === email) && subject?.startsWith('Sign in'),
  )
const linkTo = (mailbox: Mailbox, email: string) =>
  until('a link', () => linksTo(mailbox, email)[0]).then(linkIn)

/** What wants a recent sign-in. */
const issue = async ({ client }: TestMember) =>
  client.createDeveloperCredentials({ body: keyBody(['studies:read']) }).then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )

describe('users with a passkey', () => {
  it('shows by it again who it is, and by nothing else', async ({ service, mailbox }) => {
    const { member, browser, authenticator, email } = await createMember(service)
    service.clock.advance(11 * minuteMilliseconds)
    expect(await issue(member)).toBe('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
    // A link by mail is not even sent.
    expect((await browser.send('POST', '/auth/reauthentications', {})).code).toBe(
      'LIQUIDITY_PASSKEY_REQUIRED',
    )
    expect(linksTo(mailbox, email)).toEqual([])
    const shown = await showAgain(browser, authenticator)
    expect([shown.status, (shown.data as { email: string }).email]).toEqual([200, email])
    expect(await issue(member)).toBe('done')
    const { items } = (await browser.send('GET', '/auth/passkeys')).data as {
      items: { name: string; lastUsedAt: string | null }[]
    }
    expect(items).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.any(String) }])
  })

  it('signs in by a link, into a session that does nothing which wants a recent sign-in', async ({
    service,
    mailbox,
  }) => {
    const { email, authenticator } = await createMember(service)
    const anonymous = browserOf(service, '')
    await anonymous.send('POST', '/auth/email-links', { email })
    const { token } = await linkTo(mailbox, email)
    expect((await anonymous.send('POST', '/auth/email-links/redeem', { token })).status).toBe(200)
    expect(await sessionOf(anonymous)).toMatchObject({
      email,
      hasPasskey: true,
      authenticatedAt: '1970-01-01T00:00:00.000Z',
    })
    // Nor can it take the passkey away, or add one of its own.
    expect((await register(anonymous, new Authenticator(origin))).code).toBe(
      'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    )
    expect((await anonymous.send('DELETE', `/auth/passkeys/${authenticator.id}`)).code).toBe(
      'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    )
    expect((await showAgain(anonymous, authenticator)).status).toBe(200)
    expect((await anonymous.send('DELETE', `/auth/passkeys/${authenticator.id}`)).status).toBe(204)
    expect(await sessionOf(anonymous)).toMatchObject({ hasPasskey: false })
    // Whoever reads the mailbox sees what happened, and so does whose mailbox it is.
    const mails = await Promise.all([0, 1, 2].map((index) => mailbox.mailTo(email, index)))
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'A passkey was added to your account',
      'A passkey was removed from your account',
      'Sign in to Liquidity OS',
    ])
    expect(mails.find(({ subject }) => subject?.includes('added'))?.text).toContain('Laptop')
  })

  it('with a link requested before the passkey is not recent', async ({ service, mailbox }) => {
    const member = await newOrganization(service)
    const browser = browserOf(service, member.cookie)
    const email = await emailOf(browser)
    expect((await browser.send('POST', '/auth/reauthentications', {})).status).toBe(202)
    const { token } = await linkTo(mailbox, email)
    expect((await register(browser, new Authenticator(origin))).status).toBe(201)
    service.clock.advance(11 * minuteMilliseconds)
    expect((await browser.send('POST', '/auth/email-links/redeem', { token })).code).toBe(
      'LIQUIDITY_SIGN_IN_LINK_INVALID',
    )
    expect(await issue(member)).toBe('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
  })

  it('ends what another session was recent by, with each that is added', async ({ service }) => {
    const member = await newOrganization(service)
    const [browser, reader] = [
      member,
      await signIn(
        service,
        member.organizationId,
        await emailOf(browserOf(service, member.cookie)),
      ),
    ].map(({ cookie }) => browserOf(service, cookie)) as [Browser, Browser]
    const begun = await reader.send('POST', '/auth/passkeys/registrations', {})
    const authenticator = new Authenticator(origin)
    expect((await register(browser, authenticator)).status).toBe(201)
    const credential = new Authenticator(origin).create(begun.data)
    for (const [method, path, body] of [
      ['POST', '/auth/passkeys', { name: 'Mine', credential }],
      ['POST', '/auth/passkeys/registrations', {}],
      ['DELETE', `/auth/passkeys/${authenticator.id}`, undefined],
    ] as const) {
      expect((await reader.send(method, path, body)).code).toBe(
        'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
      )
    }
    // Who added it goes on.
    expect((await browser.send('POST', '/auth/passkeys/registrations', {})).status).toBe(201)
  })

  it('who lost it shows by mail again who it is, once the operator has forgotten it', async ({
    service,
  }) => {
    const { browser, email } = await createMember(service)
    const context = {
      database: service.database,
      config: service.config,
      now: service.clock.read(),
    }
    expect(await runCommand(context, 'passkey.forget', { email })).toEqual({ forgotten: 1 })
    await expect(
      runCommand(context, 'passkey.forget', { email: 'nobody@example.org' }),
    ).rejects.toThrow('User nobody@example.org does not exist.')
    expect((await browser.send('POST', '/auth/reauthentications', {})).status).toBe(202)
  })
})

describe('a passkey', () => {
  it.for<[string, Misconduct, RegExp]>([
    ['of another page', { origin: 'https://liquidity.example.evil.test' }, /origin/],
    ['that did not check the person', { isPersonChecked: false }, /user verification/i],
    [
      'with an attestation by certificates',
      { attestation: 'android-key' },
      /android-key was not requested/,
    ],
    [
      'with a packed attestation by certificates',
      { attestation: 'packed' },
      /packed was not requested/,
    ],
    ['with an endless id', { idBytes: 1024 }, /ID is too long/],
  ] as const)('%s is not registered', async ([_what, misconduct, why], { service }) => {
    const browser = browserOf(service, (await newOrganization(service)).cookie)
    const refused = await register(browser, new Authenticator(origin), misconduct)
    expect([refused.status, refused.code]).toEqual([403, 'LIQUIDITY_PASSKEY_REFUSED'])
    expect(refused.why).toMatch(why)
    expect((await sessionOf(browser)).hasPasskey).toBe(false)
  })

  it.for<[string, Misconduct, RegExp]>([
    ['on another page', { origin: 'https://liquidity.example.evil.test' }, /origin/],
    [
      'without the person',
      { isPersonChecked: false },
      /user (could not be verified|verification)/i,
    ],
    ['with another key', { isForged: true }, /signature/],
    ['as its copy', { isCopied: true }, /counter/],
  ] as const)('that signs %s shows nothing', async ([_what, misconduct, why], { service }) => {
    const { member, browser, authenticator } = await createMember(service)
    for (const _time of [1, 2]) expect((await showAgain(browser, authenticator)).status).toBe(200)
    service.clock.advance(11 * minuteMilliseconds)
    const refused = await showAgain(browser, authenticator, misconduct)
    expect([refused.status, refused.code]).toEqual([403, 'LIQUIDITY_PASSKEY_REFUSED'])
    expect(refused.why).toMatch(why)
    expect(await issue(member)).toBe('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
  })

  it('signs each challenge once, in time, in its session, and for its purpose', async ({
    service,
  }) => {
    const { browser, authenticator } = await createMember(service)
    const begin = () => browser.send('POST', '/auth/passkeys/assertions', {})
    const end = (credential: object, by: Browser = browser) =>
      by.send('POST', '/auth/reauthentications/passkey', { credential })
    const used = authenticator.get((await begin()).data)
    expect((await end(used)).status).toBe(200)
    expect((await end(used)).why).toMatch(/has no challenge/)
    const late = authenticator.get((await begin()).data)
    service.clock.advance(limits.passkeyChallengeMilliseconds + 1)
    expect((await end(late)).why).toMatch(/has expired/)
    const other = browserOf(service, (await newOrganization(service)).cookie)
    const stolen = authenticator.get((await begin()).data)
    expect((await end(stolen, other)).why).toMatch(/has no challenge/)
    const registering = await browser.send('POST', '/auth/passkeys/registrations', {})
    expect((await end(authenticator.get(registering.data))).why).toMatch(/has no challenge/)
  })

  it('is changed so many times an hour, since each is mailed', async ({ service }) => {
    const browser = browserOf(service, (await newOrganization(service)).cookie)
    const requests = Array.from({ length: limits.passkeyChangesPerHour + 1 }, () =>
      browser.send('POST', '/auth/passkeys/registrations', {}),
    )
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('of another user is not part of this account, and cannot be removed', async ({ service }) => {
    const [one, other] = [await createMember(service), await createMember(service)]
    expect((await showAgain(one.browser, other.authenticator)).why).toBe(
      'the passkey does not belong to this account',
    )
    expect(
      (await one.browser.send('DELETE', `/auth/passkeys/${other.authenticator.id}`)).status,
    ).toBe(404)
    expect((await register(one.browser, other.authenticator)).why).toMatch(
      /^the passkey is already registered/,
    )
  })

  it('is requested by a page of the service, with its options', async ({ service }) => {
    const { member, authenticator } = await createMember(service)
    const elsewhere = browserOf(service, member.cookie, { origin: 'https://evil.test' })
    for (const path of ['/auth/passkeys/registrations', '/auth/passkeys/assertions']) {
      expect((await elsewhere.send('POST', path, {})).code).toBe('LIQUIDITY_ORIGIN_NOT_ALLOWED')
    }
    const browser = browserOf(service, member.cookie)
    const credential = authenticator.get({ challenge: 'x' })
    for (const body of [
      { credential, name: '' },
      { credential, name: 'a\u0007' },
      { name: 'a' },
      [],
    ]) {
      expect((await browser.send('POST', '/auth/passkeys', body)).code).toBe(
        'LIQUIDITY_INVALID_REQUEST',
      )
    }
    expect((await browserOf(service, '').send('GET', '/auth/passkeys')).status).toBe(401)
  })
})

it('is offered where the address of the service is one that browsers keep passkeys for', async ({
  service,
}) => {
  const methods = await (await fetch(`${service.baseUrl}/auth/methods`)).json()
  expect(methods).toEqual({ data: { emailLink: true, openId: null, passkeys: true } })
  const numbered = await serviceForTest({ BASE_URL: 'http://127.0.0.1:8080' })
  const body = await (await fetch(`${numbered.baseUrl}/auth/methods`)).json()
  expect(body).toMatchObject({ data: { passkeys: false } })
})
