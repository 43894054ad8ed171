import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { endingOf, fetchedBytes } from '../../fetched-bytes.ts'
import { bytesFault } from '../../intelligence/agent-runs/api.ts'
import { readScopeOf } from '../../read-scopes.ts'

export default handle(contract.downloadArtifact, async (request): Promise<Outcome> => {
  const { params, organizationId, actor, records, services, requireScope, fail } = request
  const { contentHash } = params
  const registered = await services.artifacts.registered(organizationId, contentHash)
  if (!registered) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { resourceType, id: runId } = registered.producer
  await requireScope(readScopeOf(resourceType))
  const fault =
    resourceType === 'AgentRun' ? await bytesFault(records, actor, { runId, contentHash }) : null
  if (fault) throw fault
  // Always served as a download, because untrusted parties may have written the bytes.
  const ending = endingOf(registered.mediaType)
  return fetchedBytes(services, organizationId, contentHash, {
    called: 'artifact',
    ending,
    isShown: false,
  })
})
