import { contract, operations, type Permission, type Scope } from '@liquidity-os/contract'
import { secretReply } from '../../secret-reply.ts'
import { type CredentialPayload, mintFor, secretRow } from './credential.ts'
import { credentials } from './records.ts'

export default credentials.create(contract.createDeveloperCredentials, async (request) => {
  const { body, actor, organizationId, now, fail } = request
  request.requireRecentAuthentication()
  if (body.expiresAt !== undefined && Date.parse(body.expiresAt) <= now) {
    throw fail('LIQUIDITY_CREDENTIAL_EXPIRY_PAST', {
      fieldErrors: { expiresAt: [`must be in the future, got ${body.expiresAt}`] },
    })
  }
  const beyond = body.scopes.filter((scope) => !actor.permissions.has(permissionOf(scope)))
  if (beyond.length > 0) {
    throw fail('LIQUIDITY_CREDENTIAL_SCOPE_EXCEEDS_ROLE', {
      fieldErrors: { scopes: beyond.map((scope) => `${scope} exceeds the role ${actor.role}`) },
    })
  }
  const minted = mintFor(body.kind)
  const payload: CredentialPayload = {
    label: body.label,
    kind: body.kind,
    scopes: [...body.scopes].sort(),
    selector: minted.selector,
    generation: 1,
    creatorId: actor.userId,
    issuedAt: new Date(now).toISOString(),
    expiresAt: body.expiresAt ?? null,
  }
  return {
    payload,
    event: 'credential.issued',
    eventPayload: { kind: payload.kind, scopes: payload.scopes },
    statements: ({ record }) => [secretRow(organizationId, record.id, payload, minted.secretHash)],
    answer: ({ record }) => ({
      status: 201,
      ...secretReply(record, 'credential', minted.plaintext),
    }),
  }
})

/** Permission that the operations with this scope require. */
function permissionOf(scope: Scope): Permission {
  const needs = operations.filter(({ auth }) => auth.kind === 'scoped' && auth.scope === scope)
  return needs.find(({ permission }) => permission !== 'read')?.permission ?? 'read'
}
