import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { withClass } from '../../../market/treasury/declared-assets.ts'
import { tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { requireUnbound } from './asset-step.ts'
import { reviewedAsset } from './reviewed-asset.ts'
import { assetReply, writtenAsset } from './written-asset.ts'

export default handle(contract.confirmTreasuryAsset, async (request): Promise<Outcome> => {
  const { actor, body, fail, params, records, services, precondition } = request
  const current = await reviewedAsset(records, services, params.id, precondition)
  request.requireRecentAuthentication()
  if (actor.role !== 'OWNER') {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      message: `Only an OWNER can confirm the class of a token, not a ${actor.role}.`,
    })
  }
  const { payload } = current.record
  const { pending } = payload
  if (pending === null) throw fail('LIQUIDITY_TREASURY_ASSET_NOTHING_PENDING')
  if (pending.requestedBy.id === actor.id) {
    throw fail('LIQUIDITY_TREASURY_ASSET_SECOND_OWNER_REQUIRED')
  }
  const { bound } = await tokenStandings(records)
  requireUnbound(bound.get(payload.assetKey), pending.class)
  const step = {
    payload: withClass(payload, pending.class),
    what: 'loosened' as const,
    about: pending,
    reason: body.reason,
  }
  return assetReply(writtenAsset(records, current, step), 200)
})
