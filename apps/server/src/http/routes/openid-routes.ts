import { escapeXml } from '@liquidity-os/drawing/markup'
import { cookieOf } from '../../access/headers.ts'
import {
  type OpenIdAttempt,
  type OpenIdIdentity,
  OpenIdProvider,
} from '../../access/openid/provider.ts'
import { relyingParty } from '../../access/relying-party.ts'
import { hashSecret } from '../../access/secrets.ts'
import { openSession, refreshSession } from '../../access/sign-in.ts'
import type { Config } from '../../config.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../ready-answer.ts'
import type { Reply } from '../reply.ts'
import { extraRoute, type RouteRequest } from '../route.ts'
import { dataReply, emptyReply, pageReply } from './answers.ts'
import { sessionCookie, setCookie, setTogether } from './cookies.ts'
import { requireSession } from './guards.ts'
import { signInStyle } from './sign-in-page.ts'

type SignInRequest = RouteRequest<never>

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

/**
 * OpenID Connect sign-in, if the deployment configures a provider. Opens a session for the owner of
 * the verified address. Creates a membership only for an invited address.
 */
export const openIdRoutes = [
  extraRoute({
    id: 'readSignInMethods',
    method: 'GET',
    path: '/auth/methods',
    answer: ({ services }) =>
      dataReply(
        {
          emailLink: true,
          openId: services.config.openId && { name: services.config.openId.name },
          passkeys: relyingParty(services.config) !== null,
        },
        { headers: { 'cache-control': 'no-store' } },
      ),
  }),
  extraRoute({
    id: 'beginOpenIdSignIn',
    method: 'GET',
    path: '/auth/openid',
    refusal: refusedPage,
    answer: (request) => begin(request, null),
  }),
  extraRoute({
    id: 'beginOpenIdReauthentication',
    method: 'GET',
    path: '/auth/openid/reauthentication',
    refusal: refusedPage,
    answer: async (request) => {
      const { sessionHash, session } = await requireSession(request)
      if (session.hasPasskey) throw new Failure('LIQUIDITY_PASSKEY_REQUIRED')
      return begin(request, sessionHash)
    },
  }),
  extraRoute({
    id: 'endOpenIdSignIn',
    method: 'GET',
    path: '/auth/openid/callback',
    refusal: refusedPage,
    answer: end,
  }),
]

const providers = new WeakMap<Config, OpenIdProvider>()

/** @throws Failure 404 if the deployment configures none */
function providerOf({ config }: Pick<Services, 'config'>): OpenIdProvider {
  if (config.openId === null) throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
  const provider = providers.get(config) ?? new OpenIdProvider(config.openId, config.baseUrl)
  providers.set(config, provider)
  return provider
}

async function begin(request: SignInRequest, sessionHash: string | null): Promise<Reply> {
  const { services } = request
  const provider = providerOf(services)
  request.pipeline.admitPublic({ path: '/auth/openid' }, request)
  const { address, attempt } = await provider.begin(sessionHash, services.clock())
  const encoded = Buffer.from(JSON.stringify(attempt)).toString('base64url')
  const seconds = limits.signInLinkMilliseconds / 1000
  return emptyReply(302, {
    location: address,
    'cache-control': 'no-store',
    ...setCookie(services, services.config.openIdCookie, encoded, seconds),
  })
}

async function end(request: SignInRequest): Promise<Reply> {
  const { services, url } = request
  const provider = providerOf(services)
  request.pipeline.admitPublic({ path: '/auth/openid' }, request)
  const now = services.clock()
  const attempt = attemptOf(cookieOf(request.headers, services.config.openIdCookie), now)
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  // The callback may belong to another tab or a forged page; the browser's latest attempt remains
  // valid.
  if (new URLSearchParams(query).get('state') !== attempt.state) throw notBegun()
  const over = setCookie(services, services.config.openIdCookie, '', 0)
  try {
    const session = await settle(request, attempt, await provider.end(query, attempt))
    const headers = { location: '/', 'cache-control': 'no-store', ...setTogether(over, session) }
    return emptyReply(302, headers)
  } catch (error) {
    // If the provider is unavailable, a page reload may retry.
    if (!(error instanceof Failure) || error.status >= 500) throw error
    throw new Failure(error.code, { ...error.detail, headers: over })
  }
}

/** @returns cookie of the new session; empty if the existing session was refreshed */
async function settle(
  { services, headers }: SignInRequest,
  { sessionHash }: OpenIdAttempt,
  { email, authenticatedAt }: OpenIdIdentity,
): Promise<Record<string, string>> {
  const { database, config } = services
  const now = services.clock()
  // If the provider omits the authentication time, the session does not count as recent.
  const dated = Math.min(authenticatedAt ?? 0, now)
  if (sessionHash !== null) {
    const session = cookieOf(headers, config.sessionCookie)
    if (!session || hashSecret(session) !== sessionHash) throw notBegun()
    await refreshSession(database, { sessionHash, email, authenticatedAt: dated }, now)
    return {}
  }
  const opened = await openSession(
    database,
    {
      email,
      authenticatedAt: dated,
      sessionMilliseconds: config.sessionMilliseconds,
    },
    now,
  )
  if (opened === null) {
    throw new Failure('LIQUIDITY_SIGN_IN_REFUSED', {
      fieldErrors: { '(sign-in)': [`this service has no user with the email address ${email}`] },
    })
  }
  return sessionCookie(services, opened)
}

/** The browser's current attempt. @throws Failure 403 */
function attemptOf(cookie: string | null, now: number): OpenIdAttempt {
  if (cookie === null) throw notBegun()
  try {
    const attempt = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as OpenIdAttempt
    const texts = [attempt.state, attempt.nonce, attempt.verifier]
    const isWhole = texts.every((text) => typeof text === 'string' && text.length > 20)
    const isOfUser = attempt.sessionHash === null || typeof attempt.sessionHash === 'string'
    const age = now - attempt.startedAt
    if (isWhole && isOfUser && age >= 0 && age < limits.signInLinkMilliseconds) return attempt
  } catch {
    // Not a cookie from here: rejected below like an expired one.
  }
  throw notBegun()
}

const notBegun = () =>
  new Failure('LIQUIDITY_SIGN_IN_REFUSED', {
    fieldErrors: {
      '(sign-in)': ['the sign-in has expired, or another tab started a newer one'],
    },
  })

function refusedPage({ status, message, code, detail }: Failure): Answer {
  const why = Object.values(detail.fieldErrors ?? {}).flat()
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Liquidity OS</title>
<style>${signInStyle}</style>
</head>
<body>
<main>
<h1>You are not signed in</h1>
<p>${escapeXml(message)}</p>
${why.map((line) => `<p>${escapeXml(`${line.slice(0, 1).toUpperCase()}${line.slice(1)}.`)}</p>`).join('\n')}
<p><a href="/auth/sign-in">Sign in in another way</a></p>
<p><small>${code}</small></p>
</main>
</body>
</html>
`
  const terms = { type: 'text/html; charset=utf-8', policy, 'cache-control': 'no-store' }
  const { headers } = pageReply(html, terms)
  return { status, headers: { ...headers, ...detail.headers }, body: html }
}
