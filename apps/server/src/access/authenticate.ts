import {
  type OperationOutline,
  type Permission,
  permissionsOf,
  type Role,
  type Scope,
} from '@liquidity-os/contract/outline'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../store/database/row.ts'
import type { Presented } from '../store/records/known-caller.ts'
import type { AccessToken, AccessTokens } from './access-tokens.ts'
import { cookieOf, type Headers } from './headers.ts'
import type { RequestActor } from './request-actor.ts'
import { hashSecret, sameHash, splitSecret } from './secrets.ts'

/** Caller credentials from the headers, before any lookup. */
export interface Credentials {
  presented: Presented
  /** Hash of the API key's secret, to compare with the stored one. */
  secretHash: string | null
  token: AccessToken | null
  /** Finds the actor behind these credentials again; that it belongs to them never changes. */
  hintKey: string
}

export interface Authenticated {
  actor: RequestActor
  /**
   * Rate budget that a service credential uses. Null for sessions, and if the handler names the
   * scope.
   */
  budget: { credentialId: string; scope: Scope } | null
}

/** @throws Failure 401 if no well-formed credential is present */
export function present(headers: Headers, config: Config, tokens: AccessTokens): Credentials {
  const { authorization } = headers
  if (typeof authorization === 'string') return presentService(authorization, tokens)
  const session = cookieOf(headers, config.sessionCookie)
  if (session === null || !/^[A-Za-z0-9_-]{43}$/.test(session)) {
    throw new Failure('LIQUIDITY_AUTHENTICATION_REQUIRED')
  }
  const tokenHash = hashSecret(session)
  return {
    presented: { kind: 'session', tokenHash },
    secretHash: null,
    token: null,
    hintKey: tokenHash,
  }
}

function presentService(authorization: string, tokens: AccessTokens): Credentials {
  const bearer = /^Bearer ([!-~]{1,4000})$/i.exec(authorization)?.[1]
  if (bearer === undefined) throw new Failure('LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL')
  const key = splitSecret('svc_key_', bearer)
  if (key) {
    return {
      presented: { kind: 'selector', selector: key.selector },
      secretHash: key.secretHash,
      token: null,
      hintKey: key.selector,
    }
  }
  const token = tokens.read(bearer)
  if (!token) throw new Failure('LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL')
  return {
    presented: { kind: 'credential', credentialId: token.credentialId },
    secretHash: null,
    token,
    hintKey: token.credentialId,
  }
}

const permissionSets = Object.fromEntries(
  Object.entries(permissionsOf).map(([role, permissions]) => [role, new Set(permissions)]),
) as unknown as Readonly<Record<Role, ReadonlySet<Permission>>>

interface Question {
  organizationId: string
  operation: OperationOutline
  credentials: Credentials
  identity: Row | null
  headers: Headers
  now: number
  config: Config
}

/**
 * Decides who acts and whether they may: credential, then membership, role and scope.
 *
 * @throws Failure 401 or 403
 */
export function authenticate(question: Question): Authenticated {
  return question.credentials.presented.kind === 'session'
    ? authenticateSession(question)
    : authenticateService(question)
}

function authenticateSession({
  operation,
  identity,
  headers,
  now,
  config,
}: Question): Authenticated {
  const isLive =
    identity !== null && identity.revoked_at === null && Number(identity.expires_at) > now
  if (!isLive) throw new Failure('LIQUIDITY_AUTHENTICATION_REQUIRED')
  if (operation.method !== 'GET' && !isAllowedOrigin(headers, config)) {
    throw new Failure('LIQUIDITY_ORIGIN_NOT_ALLOWED')
  }
  const role = optionalTextOf(identity, 'role') as Role | null
  if (role === null) throw new Failure('LIQUIDITY_ORGANIZATION_ACCESS_DENIED')
  const userId = textOf(identity, 'user_id')
  const actor: RequestActor = {
    kind: 'SESSION',
    id: userId,
    userId,
    role,
    permissions: permissionSets[role],
    authenticatedAt: integerOf(identity, 'authenticated_at'),
    scopes: null,
  }
  requirePermission(operation, actor)
  return { actor, budget: null }
}

/**
 * Browsers send Origin with every mutation. A request without it is from no browser, so it must not
 * use a cookie.
 */
function isAllowedOrigin({ origin }: Headers, config: Config): boolean {
  return typeof origin === 'string' && config.allowedOrigins.includes(origin)
}

function authenticateService({
  organizationId,
  operation,
  credentials,
  identity,
  now,
}: Question): Authenticated {
  const { token, secretHash } = credentials
  // The comparison runs also for an unknown selector, so that it takes the same time.
  const isSecret =
    secretHash === null ||
    sameHash(identity ? textOf(identity, 'secret_hash') : '0'.repeat(64), secretHash)
  const isLive =
    identity !== null &&
    isSecret &&
    identity.status === 'ACTIVE' &&
    (identity.expires_at === null || Number(identity.expires_at) > now) &&
    identity.kind === (token ? 'OAUTH_CLIENT' : 'API_KEY') &&
    isTokenLive(token, organizationId, now)
  if (!isLive) throw new Failure('LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL')
  const role = optionalTextOf(identity, 'role') as Role | null
  if (role === null) throw new Failure('LIQUIDITY_ORGANIZATION_ACCESS_DENIED')
  const granted = textOf(identity, 'scopes').split(' ')
  const held = token ? token.scopes.filter((scope) => granted.includes(scope)) : granted
  const scope = operation.auth.kind === 'scoped' ? operation.auth.scope : null
  if (operation.auth.kind !== 'any-scope' && (scope === null || !held.includes(scope))) {
    throw new Failure('LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED')
  }
  const id = textOf(identity, 'credential_id')
  const actor: RequestActor = {
    kind: token ? 'OAUTH_CLIENT' : 'API_KEY',
    id,
    userId: textOf(identity, 'creator_id'),
    role,
    permissions: permissionSets[role],
    authenticatedAt: null,
    scopes: new Set(held as Scope[]),
  }
  requirePermission(operation, actor)
  return { actor, budget: scope === null ? null : { credentialId: id, scope } }
}

function isTokenLive(token: AccessToken | null, organizationId: string, now: number): boolean {
  return !token || (token.organizationId === organizationId && token.expiresAt * 1000 > now)
}

function requirePermission(operation: OperationOutline, actor: RequestActor): void {
  if (operation.permission && !actor.permissions.has(operation.permission)) {
    throw new Failure('LIQUIDITY_ROLE_REQUIRED')
  }
}
