import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { AssetClassifier } from '../../../market/treasury/asset-classes.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { withClass } from '../../../market/treasury/declared-assets.ts'
import { tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { assetStep, requireUnbound } from './asset-step.ts'
import { invalidAsset, readToken } from './read-token.ts'
import { assetReply, writtenAsset } from './written-asset.ts'

export default handle(contract.createTreasuryAssets, async (request): Promise<Outcome> => {
  const { body, records, services } = request
  const { assetKey, class: wanted, reason } = body
  request.requireRecentAuthentication()
  const named = namedAsset(assetKey)
  if (named.kind !== 'TOKEN') throw invalidAsset('must be an ERC-20 token', assetKey)
  const standings = await tokenStandings(records)
  const existing = standings.declared.get(assetKey)
  if (existing) {
    throw new Failure('LIQUIDITY_TREASURY_ASSET_DECLARED', {
      fieldErrors: { assetKey: [`must not have a record, got ${existing.id}`] },
    })
  }
  requireUnbound(standings.bound.get(assetKey), wanted)
  const snapshot = await takeSnapshot(records, services, [named.chainId], 'assetKey')
  const { assetClass } = await new AssetClassifier(standings, snapshot).classOf({ assetKey })
  if (assetClass === 'CRYPTO_MAJOR') {
    throw invalidAsset('must not be the wrapped coin of its chain', assetKey)
  }
  const token = await readToken(assetKey, snapshot)
  if (token.decimals === null) throw invalidAsset('must be a token that responds', assetKey)
  const isUndecided = standings.undeclared.has(assetKey)
  const payload = { assetKey, ...token, class: null, own: null, pending: null }
  const waits = isUndecided ? await assetStep(request, { payload, isUndecided }) : null
  const step =
    waits?.what === 'loosening_requested'
      ? waits
      : ({ payload: withClass(payload, wanted), what: 'declared', about: null, reason } as const)
  return assetReply(writtenAsset(records, null, step), 201)
})
