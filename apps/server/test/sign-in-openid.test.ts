import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { invite } from '../src/access/invitations.ts'
import type { SessionView } from '../src/access/sign-in.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
  Wanderer,
} from './support/identity-provider.ts'
import { newOrganization, serviceForTest, type TestService } from './support/service.ts'

const redirectUri = 'http://127.0.0.1:8080/auth/openid/callback'

let provider: IdentityProvider
beforeAll(async () => {
  provider = await startIdentityProvider(redirectUri)
})
beforeEach(() => {
  provider.answer = 'AGREE'
})
afterAll(() => provider?.stop())

/** A service that trusts a provider, and whose clock is that of the provider. */
async function trusting(
  to: IdentityProvider,
  more: Record<string, string> = {},
): Promise<TestService> {
  const service = await serviceForTest({
    OPENID_ISSUER: to.issuer,
    OPENID_CLIENT_ID: to.clientId,
    OPENID_CLIENT_SECRET: to.clientSecret,
    OPENID_NAME: 'Example Login',
    ...more,
  })
  service.clock.advance(Date.now() - service.clock.read())
  return service
}

/** A member of a new organization, by address. */
async function createMemberEmail(service: TestService): Promise<string> {
  const { cookie } = await newOrganization(service)
  const { email } = await sessionOf(service, cookie)
  return email
}

async function sessionOf(service: TestService, cookie: string) {
  const name = service.config.sessionCookie
  const answer = await fetch(`${service.baseUrl}/auth/session`, {
    headers: { cookie: `${name}=${cookie}` },
  })
  return ((await answer.json()) as { data: SessionView }).data
}

/** The cookie of what a browser has begun. */
const begunBy = ({ config }: TestService) => config.openIdCookie

/** From the link on the sign-in page to the provider and back, up to what is answered then. */
async function wander(
  service: TestService,
  browser: Wanderer,
  begin = '/auth/openid',
  { leaves = () => {}, returns = () => {} }: Record<string, (address: URL) => void> = {},
): Promise<Response> {
  const begun = await browser.get(`${service.baseUrl}${begin}`)
  const location = begun.headers.get('location')
  if (begun.status !== 302 || !location) return begun
  const away = new URL(location)
  leaves(away)
  const back = new URL(await browser.through(away.href, provider.issuer))
  returns(back)
  return browser.get(`${service.baseUrl}${back.pathname}${back.search}`)
}

async function signedIn(service: TestService, browser: Wanderer) {
  const cookie = browser.cookie(service.baseUrl, service.config.sessionCookie)
  return cookie ? sessionOf(service, cookie) : null
}

describe('users that the provider vouches for', () => {
  it("is signed in as the user of that address, at the time of the provider's authentication", async () => {
    const service = await trusting(provider)
    const email = await createMemberEmail(service)
    provider.person = { id: 'known', email: email.toUpperCase(), isVerified: true }
    const browser = new Wanderer()
    const answer = await wander(service, browser, '/auth/openid', {
      returns: () => service.clock.advance(300_000),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
    const [over, cookie] = answer.headers.getSetCookie()
    expect(over).toBe(`${begunBy(service)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`)
    expect(cookie).toMatch(/^service_session=.+; HttpOnly; SameSite=Lax/)
    const session = await signedIn(service, browser)
    expect(session?.email).toBe(email)
    // Not at the moment at which its answer came.
    expect(service.clock.read() - Date.parse(session!.authenticatedAt)).toBeGreaterThan(240_000)
    const methods = await (await fetch(`${service.baseUrl}/auth/methods`)).json()
    expect(methods).toEqual({
      data: { emailLink: true, openId: { name: 'Example Login' }, passkeys: false },
    })
  })

  it('accepts the invitation of a person who is no user yet', async () => {
    const service = await trusting(provider)
    const owner = await newOrganization(service)
    const email = `invited-${crypto.randomUUID()}@example.org`
    const { organizationId, userId: invitedBy } = owner
    await invite(
      service.database,
      { organizationId, email, role: 'ANALYST', invitedBy },
      service.clock.read(),
    )
    provider.person = { id: `invited-${email}`, email: email.toUpperCase(), isVerified: true }
    const browser = new Wanderer()
    expect((await wander(service, browser)).status).toBe(302)
    expect((await signedIn(service, browser))?.organizations).toMatchObject([
      { id: organizationId, role: 'ANALYST' },
    ])
  })

  it('shows nothing recent by it where a passkey is there', async () => {
    const service = await trusting(provider)
    const email = await createMemberEmail(service)
    await service.database.pool.query(
      `insert into passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
        select 'key-of-' || id, id, 'Key', '', 0, '[]', false, 0 from users where email = $1`,
      [email],
    )
    provider.person = { id: `keyed-${email}`, email, isVerified: true }
    const browser = new Wanderer()
    await wander(service, browser)
    expect((await signedIn(service, browser))?.authenticatedAt).toBe('1970-01-01T00:00:00.000Z')
    const again = await browser.get(`${service.baseUrl}/auth/openid/reauthentication`)
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('PASSKEY')])
  })

  it('authenticates again for a recent sign-in, and refreshes no other session', async () => {
    const service = await trusting(provider)
    const [email, other] = [await createMemberEmail(service), await createMemberEmail(service)]
    provider.person = { id: `again-${email}`, email, isVerified: true }
    const browser = new Wanderer()
    await wander(service, browser)
    const cookie = browser.cookie(service.baseUrl, service.config.sessionCookie)!
    const { authenticatedAt: first } = await sessionOf(service, cookie)
    const requestCount = provider.logins
    const path = '/auth/openid/reauthentication'
    const again = await wander(service, browser, path)
    expect([again.status, provider.logins]).toEqual([302, requestCount + 1])
    expect(browser.cookie(service.baseUrl, begunBy(service))).toBeUndefined()
    const { authenticatedAt: second } = await sessionOf(service, cookie)
    expect(Date.parse(second)).toBeGreaterThanOrEqual(Date.parse(first))
    // Whom the provider now calls by another address is not the user of the session.
    provider.person = { id: `again-${email}`, email: other, isVerified: true }
    expect((await wander(service, browser, path)).status).toBe(400)
    expect(browser.cookie(service.baseUrl, begunBy(service))).toBeUndefined()
    provider.person = { id: `again-${email}`, email, isVerified: true }
    // A login of before, or one that the provider does not date, is none of now, whoever takes the wish for a new one away.
    service.clock.advance(300_000)
    const remembered = (names: string[]) => ({
      leaves: (address: URL) => {
        for (const name of names) address.searchParams.delete(name)
      },
    })
    for (const names of [
      ['prompt', 'max_age'],
      ['prompt', 'max_age', 'claims'],
    ]) {
      const stale = await wander(service, browser, path, remembered(names))
      expect([stale.status, await stale.text()]).toEqual([
        ...[403, expect.stringContaining('did not authenticate the user again')],
      ])
    }
    // Nor is that of a browser which has signed out meanwhile.
    const begun = await browser.get(`${service.baseUrl}${path}`)
    const back = new URL(await browser.through(begun.headers.get('location')!, provider.issuer))
    browser.set(service.baseUrl, service.config.sessionCookie, 'another')
    expect((await browser.get(`${service.baseUrl}${back.pathname}${back.search}`)).status).toBe(403)
    expect((await sessionOf(service, cookie)).authenticatedAt).toBe(second)
  })

  it('is accepted if the provider returns the address only on request', async () => {
    const quiet = await startIdentityProvider(redirectUri, { conformIdTokenClaims: true })
    onTestFinished(() => quiet.stop())
    const service = await trusting(quiet)
    const email = await createMemberEmail(service)
    quiet.person = { id: 'quiet', email, isVerified: true }
    const browser = new Wanderer()
    const begun = await browser.get(`${service.baseUrl}/auth/openid`)
    const back = new URL(await browser.through(begun.headers.get('location')!, quiet.issuer))
    const answer = await browser.get(`${service.baseUrl}${back.pathname}${back.search}`)
    expect(answer.status).toBe(302)
    expect((await signedIn(service, browser))?.email).toBe(email)
  })
})

describe('no one is signed in', () => {
  const refusal = async (answer: Response) => {
    expect(answer.headers.get('content-type')).toContain('text/html')
    return [answer.status, await answer.text()] as const
  }

  it.each([
    ['whose address was not verified', false, {}, 'has not verified the email address'],
    [
      'of whom it says so as text',
      'false',
      { OPENID_EMAIL_DOMAINS: 'example.org' },
      'has not verified the email address',
    ],
    ['of whom that is not said', undefined, {}, 'does not state that it verified'],
    [
      'outside the domains',
      true,
      { OPENID_EMAIL_DOMAINS: 'example.com' },
      'may not sign in addresses at',
    ],
  ])('%s', async (_, isVerified, more, words) => {
    const service = await trusting(provider, more)
    const email = await createMemberEmail(service)
    provider.person = {
      id: `unbelieved-${email}`,
      email,
      ...(isVerified === undefined ? {} : { isVerified }),
    }
    const browser = new Wanderer()
    const [status, page] = await refusal(await wander(service, browser))
    expect([status, page]).toEqual([403, expect.stringContaining(words)])
    expect(await signedIn(service, browser)).toBeNull()
    expect(browser.cookie(service.baseUrl, begunBy(service))).toBeUndefined()
  })

  it('without a verified address, except for domains that the provider vouches for', async () => {
    const service = await trusting(provider, { OPENID_EMAIL_DOMAINS: 'example.org, example.net' })
    const email = await createMemberEmail(service)
    provider.person = { id: `company-${email}`, email }
    const browser = new Wanderer()
    expect((await wander(service, browser)).status).toBe(302)
    expect((await signedIn(service, browser))?.email).toBe(email)
  })

  it('who is no user, and no user is made of it', async () => {
    const service = await trusting(provider)
    provider.person = { id: 'stranger', email: 'stranger@example.org', isVerified: true }
    const browser = new Wanderer()
    const [status, page] = await refusal(await wander(service, browser))
    expect([status, page]).toEqual([
      403,
      expect.stringContaining('has no user with the email address'),
    ])
    expect(await signedIn(service, browser)).toBeNull()
    expect(browser.cookie(service.baseUrl, begunBy(service))).toBeUndefined()
  })

  it('who leaves the provider', async () => {
    const service = await trusting(provider)
    provider.answer = 'LEAVE'
    const browser = new Wanderer()
    const [status, page] = await refusal(await wander(service, browser))
    expect([status, page]).toEqual([403, expect.stringContaining('access_denied')])
    expect(browser.cookie(service.baseUrl, begunBy(service))).toBeUndefined()
  })

  it('by an answer that another browser began, that is changed, or that comes twice', async () => {
    const service = await trusting(provider)
    const email = await createMemberEmail(service)
    provider.person = { id: `thief-${email}`, email, isVerified: true }
    const [browser, other] = [new Wanderer(), new Wanderer()]
    const answerTo = async (wanderer: Wanderer) => {
      const begun = await wanderer.get(`${service.baseUrl}/auth/openid`)
      const back = await wanderer.through(begun.headers.get('location')!, provider.issuer)
      return new URLSearchParams(new URL(back).search)
    }
    const bring = async (wanderer: Wanderer, query: URLSearchParams) =>
      (await wanderer.get(`${service.baseUrl}/auth/openid/callback?${query}`)).status
    const first = await answerTo(browser)
    expect(await bring(other, first)).toBe(403)
    // Another browser with an attempt of its own, which goes on: neither state nor verifier are those of the code.
    const own = await answerTo(other)
    expect(await bring(other, first)).toBe(403)
    expect(other.cookie(service.baseUrl, begunBy(service))).toBeDefined()
    // Only the state is its own: the code was given to somebody else.
    const stolen = new URLSearchParams(own)
    stolen.set('code', first.get('code')!)
    expect(await bring(other, stolen)).toBe(403)
    expect(await bring(browser, first)).toBe(302)
    expect(await bring(browser, first)).toBe(403)
    expect(await signedIn(service, other)).toBeNull()
    const changed = await answerTo(other)
    changed.set('iss', 'http://127.0.0.1:1')
    expect(await bring(other, changed)).toBe(403)
    expect(other.cookie(service.baseUrl, begunBy(service))).toBeUndefined()
    expect(await signedIn(service, other)).toBeNull()
  })

  it('by an answer to what another tab began before, which ends nothing', async () => {
    const service = await trusting(provider)
    const email = await createMemberEmail(service)
    provider.person = { id: `tabs-${email}`, email, isVerified: true }
    const browser = new Wanderer()
    const backOf = async () => {
      const begun = await browser.get(`${service.baseUrl}/auth/openid`)
      const back = await browser.through(begun.headers.get('location')!, provider.issuer)
      return `${service.baseUrl}/auth/openid/callback${new URL(back).search}`
    }
    const [before, last] = [await backOf(), await backOf()]
    const [status, page] = await refusal(await browser.get(before))
    expect([status, page]).toEqual([
      403,
      expect.stringContaining('has expired, or another tab started a newer one'),
    ])
    expect((await browser.get(last)).status).toBe(302)
    expect((await signedIn(service, browser))?.email).toBe(email)
  })

  it('too long after the sign-in was begun', async () => {
    const service = await trusting(provider)
    const email = await createMemberEmail(service)
    provider.person = { id: `late-${email}`, email, isVerified: true }
    const answer = await wander(service, new Wanderer(), '/auth/openid', {
      returns: () => service.clock.advance(16 * 60_000),
    })
    expect(answer.status).toBe(403)
  })

  it('again without a session, or where the provider is away', async () => {
    const gone = await startIdentityProvider(redirectUri)
    const service = await trusting(gone)
    expect(
      (await new Wanderer().get(`${service.baseUrl}/auth/openid/reauthentication`)).status,
    ).toBe(401)
    const browser = new Wanderer()
    const begun = await browser.get(`${service.baseUrl}/auth/openid`)
    const away = begun.headers.get('location')!
    gone.person = { id: 'gone', email: 'gone@example.org', isVerified: true }
    const back = new URL(await browser.through(away, gone.issuer))
    await gone.stop()
    const answer = await browser.get(`${service.baseUrl}${back.pathname}${back.search}`)
    const [status, page] = await refusal(answer)
    expect([status, page]).toEqual([503, expect.stringContaining('did not respond')])
    // What was begun goes on with a reload.
    expect(browser.cookie(service.baseUrl, begunBy(service))).toBeDefined()
    const later = await refusal(
      await new Wanderer().get(`${(await trusting(gone)).baseUrl}/auth/openid`),
    )
    expect(later).toEqual([503, expect.stringContaining('did not respond')])
  })

  it('with a token signed by an unpublished key', async () => {
    const service = await trusting(provider)
    const email = await createMemberEmail(service)
    provider.person = { id: `forged-${email}`, email, isVerified: true }
    const published = (await (await fetch(`${provider.issuer}/jwks`)).json()) as {
      keys: { kty: string }[]
    }
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n } = publicKey.export({ format: 'jwk' })
    const keys = published.keys.map((key) => (key.kty === 'RSA' ? { ...key, n } : key))
    provider.altered.set('/jwks', JSON.stringify({ keys }))
    onTestFinished(() => void provider.altered.clear())
    const browser = new Wanderer()
    const [status, page] = await refusal(await wander(service, browser))
    expect([status, page]).toEqual([403, expect.stringContaining('signature verification failed')])
    expect(await signedIn(service, browser)).toBeNull()
  })

  it.each([
    ['a hundred thousand members', `{"issuer":[${'1,'.repeat(100_000)}1]}`],
    ['more bytes than are read', `{"issuer":"${'x'.repeat(300_000)}"}`],
  ])('where the provider describes itself with %s', async (_, answer) => {
    provider.altered.set('/.well-known/openid-configuration', answer)
    onTestFinished(() => void provider.altered.clear())
    const service = await trusting(provider)
    const refused = await refusal(await new Wanderer().get(`${service.baseUrl}/auth/openid`))
    expect(refused).toEqual([503, expect.stringContaining('did not respond')])
  })

  it('where the provider does not know the service', async () => {
    const service = await trusting(provider, { OPENID_CLIENT_SECRET: 'another' })
    const email = await createMemberEmail(service)
    provider.person = { id: `unknown-${email}`, email, isVerified: true }
    const [status, page] = await refusal(await wander(service, new Wanderer()))
    expect([status, page]).toEqual([
      403,
      expect.stringMatching(/rejected the client authentication|invalid_client/),
    ])
  })

  it('where the deployment names no provider', async () => {
    const service = await serviceForTest()
    for (const path of ['openid', 'openid/callback?code=x&state=y', 'openid/reauthentication']) {
      const answer = await fetch(`${service.baseUrl}/auth/${path}`)
      expect([path, answer.status]).toEqual([path, path.endsWith('n') ? 401 : 404])
    }
    const methods = await (await fetch(`${service.baseUrl}/auth/methods`)).json()
    expect(methods).toEqual({ data: { emailLink: true, openId: null, passkeys: false } })
  })
})
