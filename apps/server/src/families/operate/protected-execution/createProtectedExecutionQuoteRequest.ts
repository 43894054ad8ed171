import { contract, type FieldErrors } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import {
  findProvider,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { limits } from '../../../limits.ts'
import { newId } from '../../../store/records/ids.ts'
import { recordReply } from '../../record-reply.ts'
import { requireVault } from '../autonomy-policies/api.ts'
import { dispatchTask } from './quotes/dispatch-task.ts'
import { findActiveTerms } from './quotes/price-context.ts'
import { quoteTypedData } from './quotes/quote-typed-data.ts'
import { quoteRequests } from './records.ts'

const operation = contract.createProtectedExecutionQuoteRequest
type Request = HandlerRequest<typeof operation>

/**
 * Opens an RFQ under the policy of its vault. The same change queues a job that requests quotes
 * from named sources.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, now, fail } = request
  const { payload: requested, reason, evidenceHashes = [] } = body
  const vault = await requireVault(records, requested.vaultId)
  const policy = await findActiveTerms(records, vault.id)
  if (policy === null || policy.terms.level < 2) {
    const observed = policy === null ? 'none is active' : `it has level ${policy.terms.level}`
    throw fail('LIQUIDITY_QUOTE_POLICY_LEVEL', {
      fieldErrors: {
        'payload.vaultId': [`must have an active policy of level 2 or higher, but ${observed}`],
      },
    })
  }
  const faults = { ...faultsOf(request), ...(await validateDispatch(request)) }
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_QUOTE_INPUT_INVALID', { fieldErrors: faults })
  }
  const { pair, safeAddress: taker, chainId } = vault.payload
  const [sellToken, buyToken] =
    requested.side === 'SELL' ? [pair.base, pair.quote] : [pair.quote, pair.base]
  const id = records.newId('QuoteRequest')
  const { dispatch = [], makers, maximumMakerShare, respondBy, ...same } = requested
  const respond = `${new Date(respondBy).toISOString().slice(0, 19)}Z`
  const terms = {
    ...same,
    ...(makers
      ? { makers: makers.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)) }
      : {}),
    ...(maximumMakerShare === undefined ? {} : { maximumMakerShare }),
    pair,
    taker,
    sellToken,
    buyToken,
    respondBy: respond,
  }
  const requestHash = H('quote-request/v1', { requestId: id, ...terms })
  const { sealed, change } = quoteRequests.first(
    records,
    {
      status: 'ACTIVE',
      payload: {
        ...terms,
        dispatch,
        policy: policy.ref,
        requestHash,
        typedData: quoteTypedData(chainId, requested.settlementContract),
        executionAuthorityGranted: false,
      },
      reason,
      evidenceHashes,
      event: 'quote_request.opened',
      eventPayload: { requestHash, vaultId: vault.id, dispatch },
    },
    id,
  )
  const { resourceType, resourceVersion } = sealed.record
  const jobs = dispatch.map((providerId) => ({
    id: newId('job', now),
    kind: dispatchTask,
    input: { providerId },
    subject: { resourceType, id, resourceVersion },
  }))
  return recordReply(sealed, { ...change, jobs }, 201)
})

function faultsOf({ body, now }: Request): FieldErrors {
  const { amount, respondBy, makers = [] } = body.payload
  const faults: FieldErrors = {}
  if (amount === '0') faults['payload.amount'] = ['must be above zero, got 0']
  const seconds = (Date.parse(respondBy) - now) / 1000
  const { least, most } = limits.quoteSeconds
  if (seconds < least || seconds > most) {
    const bounds = `must be ${least} to ${most} seconds from now`
    faults['payload.respondBy'] = [`${bounds}, got ${respondBy}`]
  }
  const twice = makers.findIndex((one, index) => makers.indexOf(one) < index)
  if (twice >= 0) faults[`payload.makers.${twice}`] = [`must be unique, got ${makers[twice]} twice`]
  return faults
}

async function validateDispatch({ body, records }: Request): Promise<FieldErrors> {
  const faults: FieldErrors = {}
  for (const [index, providerId] of (body.payload.dispatch ?? []).entries()) {
    const id = await findProvider(records, providerId)
    const found = id === null ? null : await records.current<ProviderPayload>('Provider', id)
    const { record } = found ?? {}
    if (record?.status === 'ACTIVE' && record.payload.kind === 'QUOTE_SOURCE') continue
    faults[`payload.dispatch.${index}`] = [`must name an active QUOTE_SOURCE, got ${providerId}`]
  }
  return faults
}
