import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'
import { commentedKind } from './comments.ts'

const operation = contract.listProposalComments

/** Comments of a proposal, oldest first, including replaced ones. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records, fail } = request
  const { after, limit } = pageOf(operation, request)
  const found = await records.text('ProposalWorkspace', params.id)
  if (!found) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  // `limits.proposalComments` bounds the number of comments.
  const comments = await records.events(params.id, { kinds: [commentedKind] })
  const rest = comments.filter(({ sequence }) => after === null || sequence > Number(after))
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    text: pageText(operation, request, {
      texts: shown.map((event) => JSON.stringify(event)),
      lastId: last ? `${last.sequence}` : null,
      hasMore: rest.length > limit,
    }),
  }
})
