import { Failure } from '../../../failure.ts'
import { readTokens } from '../../../integrations/chain/detect-market.ts'
import { agreeOnAnswer } from '../../../integrations/chain/finalized.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { type PinnedSnapshot, readFromChain } from '../../../market/treasury/treasury-snapshot.ts'

/**
 * Metadata of a token at the snapshot's block. Each is null if the token does not return it, or its
 * chain is not in the snapshot.
 */
export async function readToken(
  assetKey: string,
  snapshot: PinnedSnapshot | null,
): Promise<{ readonly symbol: string | null; readonly decimals: number | null }> {
  const asset = namedAsset(assetKey)
  const chain = asset.kind === 'TOKEN' ? snapshot?.chains.get(asset.chainId) : undefined
  if (asset.kind !== 'TOKEN' || !chain) return { symbol: null, decimals: null }
  const [token] = await readFromChain(() =>
    agreeOnAnswer(chain.clients, (client) => readTokens(client, chain.block, [asset.address])),
  )
  return { symbol: token?.symbol ?? null, decimals: token?.decimals ?? null }
}

/** @throws Failure 422 LIQUIDITY_TREASURY_ASSET_INVALID */
export const invalidAsset = (expected: string, assetKey: string): Failure =>
  new Failure('LIQUIDITY_TREASURY_ASSET_INVALID', {
    fieldErrors: { assetKey: [`${expected}, got ${assetKey}`] },
  })
