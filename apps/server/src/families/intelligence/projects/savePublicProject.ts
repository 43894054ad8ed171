import { contract } from '@liquidity-os/contract'
import type { HandlerRequest } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { joinChanges } from '../../../store/records/change.ts'
import { recordReply } from '../../record-reply.ts'
import { type Analysis, findAnalysis, type Meant, meantBy, readsNoChain } from '../discovery/api.ts'
import { latestOf, observationOf } from './observation.ts'
import { identifierField, observe, withSources } from './observe.ts'
import { projects, savedName } from './records.ts'

type Request = HandlerRequest<typeof contract.savePublicProject>

export default projects.create(contract.savePublicProject, async (request) => {
  const { body, records, now } = request
  const { label, note = null } = body.payload
  const keys = await keysOf(request)
  await refuseTaken(request, keys)
  const analysis = await analysisOf(request, keys)
  const payload: contract.SavedProject = {
    assetKey: analysis.assetKey,
    label,
    note,
    latest: latestOf(1, analysis, now),
    bookmarkOnly: true,
  }
  return {
    payload,
    event: 'project.saved',
    eventPayload: { assetKey: payload.assetKey, analysisHash: analysis.analysisHash },
    complete: async (sealed, change) => {
      const first = observationOf(records, {
        projectId: sealed.record.id,
        version: 1,
        analysis,
        before: null,
        reason: body.reason,
      })
      return recordReply(sealed, joinChanges(change, first.change), 201)
    },
  }
})

/** Candidate asset keys of the identifier, without chain requests. */
async function keysOf({ body, services, fail }: Request): Promise<readonly string[]> {
  const { identifier } = body.payload
  if (await readsNoChain(services)) {
    const message = 'must be on a chain that this deployment reads; PUBLIC_CHAINS lists no chain'
    const fieldErrors = { 'payload.identifier': [message] }
    throw fail('LIQUIDITY_PROJECT_IDENTIFIER_INVALID', { fieldErrors })
  }
  const meant: Meant = await withSources(() => meantBy(services, identifier, identifierField))
  if (meant.faults) {
    throw fail('LIQUIDITY_PROJECT_IDENTIFIER_INVALID', { fieldErrors: meant.faults })
  }
  return meant.chains.map((chain) => assetKeyOf(chain, meant.address))
}

/** Check for duplicates first: RPC calls are expensive. */
async function refuseTaken({ records, fail }: Request, keys: readonly string[]): Promise<void> {
  const [key, ...others] = keys
  if (key !== undefined && others.length === 0) {
    const holder = await records.holder(savedName(key))
    if (holder !== null) {
      const fieldErrors = {
        'payload.identifier': [
          `must not belong to another saved project, got the token of ${holder}`,
        ],
      }
      throw fail('LIQUIDITY_PROJECT_DUPLICATE', { fieldErrors })
    }
  }
  if ((await records.count('SavedProject')) >= limits.savedProjects) {
    throw fail('LIQUIDITY_PROJECT_LIMIT')
  }
}

async function analysisOf(
  { body, services, now, fail }: Request,
  keys: readonly string[],
): Promise<Analysis> {
  const { identifier, analysisHash } = body.payload
  if (analysisHash === undefined) return observe(services, identifier)
  const analysis = await findAnalysis(services, analysisHash, now)
  if (analysis && keys.includes(analysis.assetKey)) return analysis
  const field = 'payload.analysisHash'
  const message = analysis
    ? `must belong to the token of the identifier, got one of ${analysis.assetKey}`
    : `must be from a response of the last ten minutes, got ${analysisHash}`
  throw fail('LIQUIDITY_PRECONDITION_FAILED', { fieldErrors: { [field]: [message] } })
}
