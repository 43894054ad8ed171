import type { contract } from '@liquidity-os/contract'
import { type Assets, coinOf } from '../../fields/units.tsx'

/**
 * Assets of one chain, by address or key. Never uses venue names: the preparer of a proposal can
 * write them.
 */
export function chainAssets(tokens: readonly contract.KnownAsset[], chainId: number): Assets {
  const byKey = new Map(tokens.map((token) => [token.assetKey.toLowerCase(), token]))
  return (key) => {
    if (key === 'native') return coinOf(chainId)
    const assetKey = key.startsWith('0x') ? `eip155:${chainId}/erc20:${key}` : key
    const known = byKey.get(assetKey.toLowerCase())
    return known ? { symbol: known.symbol, decimals: known.decimals, address: key } : null
  }
}
