import { parseStrict, StrictJsonError } from '@liquidity-os/evidence'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isEmail } from '../../access/administration.ts'
import { cookieOf } from '../../access/headers.ts'
import { clientOf } from '../../access/public-limits.ts'
import { hashSecret, mintToken } from '../../access/secrets.ts'
import {
  isWithinHourlyLimit,
  readSession,
  redeemLink,
  requestLink,
  revokeSession,
} from '../../access/sign-in.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import { signInPage, signInScript } from './sign-in-page.ts'

const browserCookie = 'service_sign_in'

/**
 * Sign-in by one-time e-mail link. These routes stand beside the contract: they make the session that the
 * contract's operations ask for.
 */
export function signInRoutes(app: FastifyInstance, services: Services): void {
  const { database, clock } = services

  app.post('/auth/email-links', async (request, reply) => {
    const { email } = membersOf(request, ['email'])
    if (!isEmail(email)) throw invalid('email', 'must be an e-mail address')
    await requireLimits(services, request, email)
    const browser = cookieOf(request.headers, browserCookie) ?? mintToken().token
    const link = await requestLink(
      database,
      { email, browserHash: hashSecret(browser), sessionHash: null },
      clock(),
    )
    if (link.isKnown) mailLink(services, link)
    setCookie(services, reply, browserCookie, browser, limits.signInLinkMilliseconds / 1000)
    return reply.code(202).send({ data: { accepted: true } })
  })

  app.post('/auth/reauthentications', async (request, reply) => {
    const { sessionHash, session } = await requireSession(services, request)
    requireOrigin(services, request)
    await requireLimits(services, request, session.email, 'reauthentication')
    const browser = cookieOf(request.headers, browserCookie) ?? mintToken().token
    const link = await requestLink(
      database,
      { email: session.email, browserHash: hashSecret(browser), sessionHash },
      clock(),
    )
    mailLink(services, link)
    setCookie(services, reply, browserCookie, browser, limits.signInLinkMilliseconds / 1000)
    return reply.code(202).send({ data: { accepted: true } })
  })

  app.post('/auth/email-links/redeem', async (request, reply) => {
    const { token } = membersOf(request, ['token'])
    const browser = cookieOf(request.headers, browserCookie)
    const session = cookieOf(request.headers, services.config.sessionCookie)
    const redeemed = await redeemLink(
      database,
      {
        token,
        browserHash: browser ? hashSecret(browser) : '',
        sessionHash: session ? hashSecret(session) : null,
        sessionMilliseconds: services.config.sessionMilliseconds,
      },
      clock(),
    )
    if (redeemed.token !== null) {
      const seconds = Math.floor((redeemed.expiresAt - clock()) / 1000)
      setCookie(services, reply, services.config.sessionCookie, redeemed.token, seconds)
    }
    const { userId, expiresAt } = redeemed
    return reply.send({ data: { userId, expiresAt: new Date(expiresAt).toISOString() } })
  })

  app.post('/auth/logout', async (request, reply) => {
    requireOrigin(services, request)
    const session = cookieOf(request.headers, services.config.sessionCookie)
    if (session) await revokeSession(database, hashSecret(session), clock())
    setCookie(services, reply, services.config.sessionCookie, '', 0)
    return reply.code(204).send()
  })

  app.get('/auth/session', async (request, reply) => {
    const { session } = await requireSession(services, request)
    return reply.header('cache-control', 'private, no-store').send({ data: session })
  })

  app.get('/auth/sign-in', (_request, reply) => page(reply, 'text/html; charset=utf-8', signInPage))
  app.get('/auth/sign-in.js', (_request, reply) =>
    page(reply, 'text/javascript; charset=utf-8', signInScript),
  )
}

function page(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .header('content-type', type)
    .header(
      'content-security-policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(text)
}

const invalid = (field: string, message: string) =>
  new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { [field]: [message] } })

/** The text members of a small JSON body; nothing else may be in it. */
export function membersOf<const N extends string>(
  request: FastifyRequest,
  names: readonly N[],
): Record<N, string> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new Failure('LIQUIDITY_MEDIA_TYPE_UNSUPPORTED')
  let body: unknown
  try {
    body = parseStrict((request.body as Buffer | undefined) ?? new Uint8Array())
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    throw new Failure('LIQUIDITY_MALFORMED_JSON', { fieldErrors: { '(body)': [cause.message] } })
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('(body)', 'must be an object')
  }
  const given = body as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (!names.includes(name as N)) throw invalid(name, 'is not a member of this object')
  }
  for (const name of names) {
    const value = given[name]
    if (typeof value !== 'string' || value.length > 300) {
      throw invalid(name, `must be a text of at most 300 characters, got ${typeof value}`)
    }
  }
  return given as Record<N, string>
}

async function requireLimits(
  { database, clock }: Services,
  request: FastifyRequest,
  email: string,
  // Who is signed in is counted apart: strangers who ask for links must not use up their turns.
  bucket: 'link-address' | 'reauthentication' = 'link-address',
): Promise<void> {
  const now = clock()
  const address = `${bucket}|${hashSecret(email.toLowerCase())}`
  const client = `link-client|${clientOf(request.ip)}`
  const isAllowed =
    (await isWithinHourlyLimit(database, client, limits.signInLinksPerClientPerHour, now)) &&
    (await isWithinHourlyLimit(database, address, limits.signInLinksPerAddressPerHour, now))
  if (!isAllowed) throw new Failure('LIQUIDITY_RATE_LIMITED', { retryAfterSeconds: 3600 })
}

export async function requireSession(services: Services, request: FastifyRequest) {
  const token = cookieOf(request.headers, services.config.sessionCookie)
  const sessionHash = token ? hashSecret(token) : ''
  const session = token ? await readSession(services.database, sessionHash, services.clock()) : null
  if (!session) throw new Failure('LIQUIDITY_AUTHENTICATION_REQUIRED')
  return { sessionHash, session }
}

export function requireOrigin({ config }: Services, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin === undefined || !config.allowedOrigins.includes(origin)) {
    throw new Failure('LIQUIDITY_ORIGIN_NOT_ALLOWED')
  }
}

/** Sent after the answer: neither its time nor its failure may tell whether the address is known. */
function mailLink(
  services: Services,
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
    .catch((error: unknown) => services.log.error({ err: error }, 'A sign-in link was not mailed.'))
}

function setCookie(
  { config }: Services,
  reply: FastifyReply,
  name: string,
  value: string,
  maximumAgeSeconds: number,
): void {
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maximumAgeSeconds}${secure}`
  reply.header('set-cookie', cookie)
}
