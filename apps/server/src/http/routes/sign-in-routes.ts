import { isEmail } from '../../access/email-address.ts'
import { cookieOf } from '../../access/headers.ts'
import { clientOf } from '../../access/public-limits.ts'
import { hashSecret, mintToken } from '../../access/secrets.ts'
import { redeemLink, requestLink, revokeSession } from '../../access/sign-in.ts'
import { requireLinkTurn, requireReauthenticationTurn } from '../../access/sign-in-limits.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import type { Reply } from '../reply.ts'
import { extraRoute, type RouteRequest } from '../route.ts'
import { dataReply, emptyReply, pageReply } from './answers.ts'
import { sessionCookie, setCookie } from './cookies.ts'
import { invalidMember, readTexts, requireOrigin, requireSession } from './guards.ts'
import { signInPage, signInScript } from './sign-in-page.ts'

type SignInRequest = RouteRequest<never>

const knownBrowserSeconds = limits.knownBrowserMilliseconds / 1000

const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/**
 * Sign-in by one-time email link. These routes are outside the contract and create the session that
 * contract operations require.
 */
export const signInRoutes = [
  extraRoute({
    id: 'requestSignInLink',
    method: 'POST',
    path: '/auth/email-links',
    answer: async (request) => {
      const { email } = readTexts(request, ['email'])
      if (!isEmail(email)) throw invalidMember('email', 'must be an email address')
      const { services, clientAddress } = request
      const browser = browserOf(request)
      const asker = { email, client: clientOf(clientAddress()), browserHash: hashSecret(browser) }
      await requireLinkTurn(services.database, asker, services.clock())
      return sendLink(request, { email, browser, sessionHash: null })
    },
  }),
  extraRoute({
    id: 'requestReauthentication',
    method: 'POST',
    path: '/auth/reauthentications',
    answer: async (request) => {
      const { sessionHash, session } = await requireSession(request)
      requireOrigin(request)
      if (session.hasPasskey) throw new Failure('LIQUIDITY_PASSKEY_REQUIRED')
      const { email } = session
      const { services, clientAddress } = request
      const asker = { email, client: clientOf(clientAddress()) }
      await requireReauthenticationTurn(services.database, asker, services.clock())
      return sendLink(request, { email, browser: browserOf(request), sessionHash })
    },
  }),
  extraRoute({
    id: 'redeemSignInLink',
    method: 'POST',
    path: '/auth/email-links/redeem',
    answer: redeem,
  }),
  extraRoute({
    id: 'signOut',
    method: 'POST',
    path: '/auth/logout',
    answer: async (request) => {
      requireOrigin(request)
      const { database, clock, config } = request.services
      const session = cookieOf(request.headers, config.sessionCookie)
      if (session) await revokeSession(database, hashSecret(session), clock())
      return emptyReply(204, setCookie(request.services, config.sessionCookie, '', 0))
    },
  }),
  extraRoute({
    id: 'readSession',
    method: 'GET',
    path: '/auth/session',
    answer: async (request) => {
      const { session } = await requireSession(request)
      return dataReply(session, { headers: { 'cache-control': 'private, no-store' } })
    },
  }),
  extraRoute({
    id: 'showSignInPage',
    method: 'GET',
    path: '/auth/sign-in',
    answer: () => pageReply(signInPage, { type: 'text/html; charset=utf-8', policy }),
  }),
  extraRoute({
    id: 'readSignInScript',
    method: 'GET',
    path: '/auth/sign-in.js',
    answer: () => pageReply(signInScript, { type: 'text/javascript; charset=utf-8', policy }),
  }),
]

/** The requesting browser, by its cookie or a new one. */
const browserOf = ({ headers, services }: SignInRequest): string =>
  cookieOf(headers, services.config.signInCookie) ?? mintToken().token

/** @param sessionHash hash of the session that reauthenticates; null for a new sign-in */
async function sendLink(
  { services }: SignInRequest,
  link: { email: string; browser: string; sessionHash: string | null },
): Promise<Reply> {
  const { email, browser, sessionHash } = link
  const requested = await requestLink(
    services.database,
    { email, browserHash: hashSecret(browser), sessionHash },
    services.clock(),
  )
  if (requested.isKnown) mailLink(services, requested)
  return dataReply(
    { accepted: true },
    {
      status: 202,
      headers: setCookie(services, services.config.signInCookie, browser, knownBrowserSeconds),
    },
  )
}

async function redeem(request: SignInRequest): Promise<Reply> {
  const { services, headers } = request
  const { config, clock } = services
  const { token } = readTexts(request, ['token'])
  const browser = cookieOf(headers, config.signInCookie)
  const session = cookieOf(headers, config.sessionCookie)
  const redeemed = await redeemLink(
    services.database,
    {
      token,
      browserHash: browser ? hashSecret(browser) : '',
      sessionHash: session ? hashSecret(session) : null,
      sessionMilliseconds: config.sessionMilliseconds,
    },
    clock(),
  )
  const { userId, expiresAt } = redeemed
  const signedIn = { userId, expiresAt: new Date(expiresAt).toISOString() }
  return dataReply(signedIn, { headers: sessionCookie(services, redeemed) })
}

/** Sent after the response, so neither timing nor failure reveals whether the address is known. */
function mailLink(
  services: Pick<Services, 'config' | 'log' | 'mailer'>,
  link: { token: string; email: string; expiresAt: number },
): void {
  services
    .mailer()
    .then((mailer) =>
      mailer.sendSignInLink({
        to: link.email,
        link: `${services.config.baseUrl}/auth/sign-in#${link.token}`,
        expiresAt: new Date(link.expiresAt),
      }),
    )
    .catch((error: unknown) =>
      services.log.error({ err: error }, 'Failed to email a sign-in link.'),
    )
}
