import { contract, operations, type Permission, type Scope } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { alreadyReturned } from '../../secret-reply.ts'
import { type CredentialPayload, mintFor, secretRow } from './credential.ts'

export default handle(contract.createDeveloperCredentials, async (request): Promise<Outcome> => {
  const { body, actor, records, now, fail } = request
  request.requireRecentAuthentication()
  if (body.expiresAt !== undefined && Date.parse(body.expiresAt) <= now) {
    throw fail('LIQUIDITY_CREDENTIAL_EXPIRY_PAST', {
      fieldErrors: { expiresAt: [`must lie in the future, got ${body.expiresAt}`] },
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
  const { sealed, change } = records.create('DeveloperCredential', {
    status: 'ACTIVE',
    payload,
    reason: body.reason,
    event: 'credential.issued',
    eventPayload: { kind: payload.kind, scopes: payload.scopes },
  })
  const { record } = sealed
  return {
    status: 201,
    etag: record.resourceVersion,
    data: { credential: record, secret: minted.plaintext, secretReturnedOnce: true },
    storedAs: alreadyReturned(record),
    change: {
      ...change,
      statements: [secretRow(request.organizationId, record.id, payload, minted.secretHash)],
    },
  }
})

/** What a scope lets its holder do: the permission of the operations that take it. */
function permissionOf(scope: Scope): Permission {
  const needs = operations.filter(({ auth }) => auth.kind === 'scoped' && auth.scope === scope)
  return needs.find(({ permission }) => permission !== 'read')?.permission ?? 'read'
}
