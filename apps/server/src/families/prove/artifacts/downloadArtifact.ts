import { contract } from '@liquidity-os/contract'
import { kinds, operations, type Scope } from '@liquidity-os/contract/outline'
import { handle, type Outcome } from '../../../http/handler.ts'
import { endingOf, fetchedBytes } from '../../fetched-bytes.ts'

/** The scope by which credentials read records of a kind; null where sessions alone do. */
const readScopes: ReadonlyMap<string, Scope | null> = new Map(
  kinds.map(({ type, room }) => {
    const reads = operations.filter(
      (operation) => operation.room === room && operation.method === 'GET',
    )
    const scopes = new Set(reads.map(({ auth }) => (auth.kind === 'scoped' ? auth.scope : null)))
    const [scope = null] = scopes
    return [type, scopes.size === 1 ? scope : null]
  }),
)

export default handle(contract.downloadArtifact, async (request): Promise<Outcome> => {
  const { params, organizationId, services, requireScope, fail } = request
  const { contentHash } = params
  const registered = await services.artifacts.registered(organizationId, contentHash)
  if (!registered) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  await requireScope(readScopes.get(registered.producer.resourceType) ?? null)
  // Whatever the bytes say of themselves, they are saved and not shown: anybody may have written them.
  const ending = endingOf(registered.mediaType)
  return fetchedBytes(services, organizationId, contentHash, {
    ...{ called: 'artifact', ending, isShown: false },
  })
})
