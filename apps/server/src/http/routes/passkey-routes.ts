import { requireTurn } from '../../access/hourly-turns.ts'
import type { Asker } from '../../access/passkeys.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import { parseJson, refuseType } from '../request-body.ts'
import { extraRoute, type RouteRequest } from '../route.ts'
import type { PartValidator } from '../validators.ts'
import { dataReply, emptyReply } from './answers.ts'
import { requireOrigin, requireSession } from './guards.ts'

type PasskeyRequest = Pick<RouteRequest<never>, 'headers' | 'services'>

const noStore = { 'cache-control': 'private, no-store' }

/** Credential from the browser; the WebAuthn library validates its parts. */
const credential = {
  type: 'object',
  required: ['id', 'response'],
  properties: { id: { type: 'string' }, response: { type: 'object' } },
}
const name = { type: 'string', minLength: 1, maxLength: 80, pattern: '^\\P{C}+$' }

const bodyOf = (properties: object) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
})
const registered = bodyOf({ name, credential })
const asserted = bodyOf({ credential })

/** Loaded on first use: only these routes need the WebAuthn library. */
const passkeys = () => import('../../access/passkeys.ts')

/**
 * Passkeys of the signed-in user. Once one exists, only a passkey makes a session recent; an email
 * link or identity provider does not. An intruder in the mailbox can sign in, but cannot perform
 * actions that require a recent sign-in.
 */
export const passkeyRoutes = [
  extraRoute({
    id: 'listPasskeys',
    method: 'GET',
    path: '/auth/passkeys',
    answer: async (request) => {
      const { userId } = await askerOf(request)
      const items = await (await passkeys()).listPasskeys(request.services.database, userId)
      return dataReply({ items }, { headers: noStore })
    },
  }),
  extraRoute({
    id: 'beginPasskeyRegistration',
    method: 'POST',
    path: '/auth/passkeys/registrations',
    answer: async (request) => {
      const asker = await changerOf(request)
      const { database, config, clock } = request.services
      const { beginRegistration } = await passkeys()
      const options = await beginRegistration(database, config, asker, clock())
      return dataReply(options, { status: 201, headers: noStore })
    },
  }),
  extraRoute({
    id: 'endPasskeyRegistration',
    method: 'POST',
    path: '/auth/passkeys',
    bodyLimitBytes: limits.passkeyBodyBytes,
    answer: async (request) => {
      const asker = await changerOf(request)
      const made = await readAs<{ name: string; credential: object }>(registered, request)
      const { database, config, clock } = request.services
      const passkey = await (await passkeys()).endRegistration(
        ...([database, config, asker, made, clock()] as const),
      )
      notifyOwner(request.services, { to: asker.email, name: made.name, isAdded: true })
      return dataReply(passkey, { status: 201, headers: noStore })
    },
  }),
  extraRoute({
    id: 'removePasskey',
    method: 'DELETE',
    path: '/auth/passkeys/{passkeyId}',
    answer: async (request) => {
      const { userId, email } = await changerOf(request)
      const { removePasskey } = await passkeys()
      const id = request.params.passkeyId
      const name = await removePasskey(request.services.database, { userId, id })
      if (name === null) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
      notifyOwner(request.services, { to: email, name, isAdded: false })
      return emptyReply(204)
    },
  }),
  extraRoute({
    id: 'beginPasskeyAssertion',
    method: 'POST',
    path: '/auth/passkeys/assertions',
    answer: async (request) => {
      const asker = await askerOf(request)
      requireOrigin(request)
      await requireTurnOf(request, asker, 'assertion', limits.passkeyAssertionsPerHour)
      const { database, config, clock } = request.services
      const { beginAssertion } = await passkeys()
      const options = await beginAssertion(database, config, asker, clock())
      return dataReply(options, { status: 201, headers: noStore })
    },
  }),
  extraRoute({
    id: 'reauthenticateByPasskey',
    method: 'POST',
    path: '/auth/reauthentications/passkey',
    bodyLimitBytes: limits.passkeyBodyBytes,
    answer: async (request) => {
      const asker = await askerOf(request)
      requireOrigin(request)
      const { credential } = await readAs<{ credential: object }>(asserted, request)
      const { database, config, clock } = request.services
      await (await passkeys()).endAssertion(database, config, asker, credential, clock())
      const { session } = await requireSession(request)
      return dataReply(session, { headers: noStore })
    },
  }),
]

/** @throws Failure 401 */
async function askerOf(request: PasskeyRequest): Promise<Asker & { authenticatedAt: number }> {
  const { sessionHash, session } = await requireSession(request)
  const { userId, email } = session
  return { sessionHash, userId, email, authenticatedAt: Date.parse(session.authenticatedAt) }
}

/** Changing sign-in methods requires a recent authentication. @throws Failure 401 or 403 */
async function changerOf(request: PasskeyRequest): Promise<Asker> {
  const asker = await askerOf(request)
  requireOrigin(request)
  const age = request.services.clock() - asker.authenticatedAt
  if (age > limits.recentAuthenticationMilliseconds) {
    throw new Failure('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
  }
  await requireTurnOf(request, asker, 'change', limits.passkeyChangesPerHour)
  return asker
}

/** @throws Failure 429 */
const requireTurnOf = (
  { services }: PasskeyRequest,
  { userId }: Asker,
  what: 'change' | 'assertion',
  perHour: number,
): Promise<void> =>
  requireTurn(services.database, `passkey-${what}|${userId}`, perHour, services.clock())

/** Sent after the response, to the account's email address. */
function notifyOwner(
  services: Pick<Services, 'config' | 'log' | 'mailer'>,
  notice: { to: string; name: string; isAdded: boolean },
): void {
  services
    .mailer()
    .then((mailer) => mailer.sendPasskey({ ...notice, address: services.config.baseUrl }))
    .catch((error: unknown) =>
      services.log.error({ err: error }, 'Failed to email the owner of a passkey.'),
    )
}

const validators = new Map<object, PartValidator>()

/** @throws Failure 400, 413 or 415 */
async function readAs<Body>(
  schema: object,
  { headers, bytes }: Pick<RouteRequest<never>, 'headers' | 'bytes'>,
): Promise<Body> {
  refuseType(headers, 'application/json', bytes)
  const body = parseJson(bytes)
  const { compileSchema } = await import('../validators.ts')
  const validate = validators.get(schema) ?? compileSchema(schema)
  validators.set(schema, validate)
  const fieldErrors = validate(body)
  if (fieldErrors) throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
  return body as Body
}
