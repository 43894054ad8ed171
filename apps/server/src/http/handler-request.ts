import type { ErrorCode } from '@liquidity-os/contract/outline'
import type { RequestActor } from '../access/request-actor.ts'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Row } from '../store/database/row.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'
import type { Bound } from './bound.ts'
import type { Handler } from './handler.ts'
import { preconditionOf } from './request-headers.ts'
import type { Incoming } from './transport-request.ts'
import type { RequestValidators } from './validators.ts'

type HandlerRequest = Parameters<Handler['run']>[0]

export function handlerRequest(
  services: Services,
  { operation }: Bound,
  incoming: Incoming,
  actor: RequestActor | null,
  organizationId = '',
  now: number = services.clock(),
  known: { preloaded?: Row | null; serialize?: RequestValidators['canonicalPayload'] } = {},
): HandlerRequest {
  return {
    params: incoming.params as never,
    query: incoming.query as never,
    body: incoming.body() as never,
    organizationId,
    actor: actor as never,
    precondition: preconditionOf(operation, incoming.headers),
    now,
    records: new TenantRecords({
      purpose: 'REQUEST',
      organizationId,
      actor: actor ? { kind: actor.kind, id: actor.id } : { kind: 'SYSTEM', id: 'public' },
      now,
      database: services.database,
      ...known,
      verified: services.verified,
      artifacts: services.artifacts,
    }),
    services,
    headers: incoming.headers,
    requireRecentAuthentication: () => {
      const age = now - (actor?.authenticatedAt ?? Number.NEGATIVE_INFINITY)
      if (age > limits.recentAuthenticationMilliseconds) {
        throw new Failure('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
      }
    },
    requireScope: async (scope) => {
      if (!actor?.scopes) return
      if (scope === null || !actor.scopes.has(scope)) {
        throw new Failure('LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED')
      }
      const budget = { credentialId: actor.id, scope }
      await services.budgets.charge(organizationId, budget, now, incoming.notices)
    },
    fail: (code: ErrorCode, detail) => new Failure(code, detail),
  }
}
