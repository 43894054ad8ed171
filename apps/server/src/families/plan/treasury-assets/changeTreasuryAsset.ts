import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { assetStep, requireUnbound } from './asset-step.ts'
import { reviewedAsset } from './reviewed-asset.ts'
import { assetReply, assetView, writtenAsset } from './written-asset.ts'

export default handle(contract.changeTreasuryAsset, async (request): Promise<Outcome> => {
  const { body, params, records, services, precondition } = request
  const current = await reviewedAsset(records, services, params.id, precondition)
  request.requireRecentAuthentication()
  const { payload, resourceVersion } = current.record
  const { bound, undeclared } = await tokenStandings(records)
  requireUnbound(bound.get(payload.assetKey), body.class)
  const step = await assetStep(request, { payload, isUndecided: undeclared.has(payload.assetKey) })
  if (step === null) return { data: assetView(current.record), etag: resourceVersion }
  return assetReply(writtenAsset(records, current, step), 200)
})
