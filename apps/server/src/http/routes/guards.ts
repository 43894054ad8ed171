import type { Role } from '@liquidity-os/contract/outline'
import { cookieOf } from '../../access/headers.ts'
import { hashSecret } from '../../access/secrets.ts'
import { readSession, type SessionView } from '../../access/sign-in.ts'
import { Failure } from '../../failure.ts'
import { limits } from '../../limits.ts'
import { parseJson, refuseType } from '../request-body.ts'
import type { RouteRequest } from '../route.ts'

type GuardedRequest = Pick<RouteRequest<never>, 'headers' | 'services'>
type OrganizationRequest = Pick<RouteRequest<'organizationId'>, 'headers' | 'services' | 'params'>

/** @throws Failure 401 */
export async function requireSession({
  headers,
  services,
}: GuardedRequest): Promise<{ sessionHash: string; session: SessionView }> {
  const token = cookieOf(headers, services.config.sessionCookie)
  const sessionHash = token ? hashSecret(token) : ''
  const session = token ? await readSession(services.database, sessionHash, services.clock()) : null
  if (!session) throw new Failure('LIQUIDITY_AUTHENTICATION_REQUIRED')
  return { sessionHash, session }
}

/** @throws Failure 403 if a change does not originate from an allowed origin */
export function requireOrigin({ headers, services }: GuardedRequest): void {
  const { origin } = headers
  if (typeof origin !== 'string' || !services.config.allowedOrigins.includes(origin)) {
    throw new Failure('LIQUIDITY_ORIGIN_NOT_ALLOWED')
  }
}

/**
 * @param admitted permitted roles, which require recent authentication; null for any member
 * @returns user and role
 * @throws Failure 401 or 403
 */
export async function requireMember(
  request: OrganizationRequest,
  admitted: readonly Role[] | null,
): Promise<{ userId: string; role: Role }> {
  const { session } = await requireSession(request)
  const membership = session.organizations.find(({ id }) => id === request.params.organizationId)
  if (!membership) throw new Failure('LIQUIDITY_ORGANIZATION_ACCESS_DENIED')
  const member = { userId: session.userId, role: membership.role as Role }
  if (admitted === null) return member
  if (!admitted.includes(member.role)) throw new Failure('LIQUIDITY_ROLE_REQUIRED')
  const age = request.services.clock() - Date.parse(session.authenticatedAt)
  if (age > limits.recentAuthenticationMilliseconds) {
    throw new Failure('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
  }
  return member
}

/**
 * String fields of a small JSON body; other fields are rejected. Called after authentication, so
 * bodies of unauthenticated callers are never parsed.
 *
 * @throws Failure 400 or 415
 */
export function readTexts<const N extends string, const O extends string = never>(
  { headers, bytes }: Pick<RouteRequest<never>, 'headers' | 'bytes'>,
  names: readonly N[],
  optional: readonly O[] = [],
): Record<N, string> & Partial<Record<O, string>> {
  refuseType(headers, 'application/json', bytes)
  const body = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidMember('(body)', 'must be an object')
  }
  const given = body as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (!names.includes(name as N) && !optional.includes(name as O))
      throw invalidMember(name, 'is not a field of this object')
  }
  for (const name of [...names, ...optional.filter((one) => one in given)]) {
    const value = given[name]
    if (typeof value !== 'string' || value.length > limits.textMemberCharacters) {
      throw invalidMember(
        name,
        `must be a string of at most ${limits.textMemberCharacters} characters, got ${typeof value}`,
      )
    }
  }
  return given as Record<N, string> & Partial<Record<O, string>>
}

/** An error for one field of the body. */
export const invalidMember = (name: string, message: string): Failure =>
  new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { [name]: [message] } })
