import { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { handle } from '../../../http/handler.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { factOf, inOrder, type Origin } from './facts.ts'

export default handle(contract.getDiscoveredProjectMarket, async ({ params: { id }, fail }) => {
  const { byId, source, version, at } = catalogue()
  const token = byId.get(id)
  if (!token) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const listed: Origin = { kind: 'CATALOGUE', provider: source, block: null, at }
  const unasked: Origin = { kind: 'MARKET_DATA', provider: 'none', block: null, at }
  const { assetKey, name, symbol, decimals } = token
  const gap = (pointer: string): contract.PublicGap => ({
    code: 'NO_PROVIDER',
    pointer,
    detail: 'This deployment has no market data provider.',
  })
  const method = `${assetKey} of ${version}`
  const evidence: Omit<contract.MarketDiscoveryEvidence, 'evidenceHash'> = {
    id,
    assetKey,
    facts: {
      name: factOf(listed, method, name),
      symbol: factOf(listed, method, symbol),
      decimals: factOf(listed, method, decimals),
      volume24hUsd: factOf<string>(unasked, 'none', null),
      liquidityUsd: factOf<string>(unasked, 'none', null),
    },
    pools: [],
    gaps: inOrder(['/facts/volume24hUsd', '/facts/liquidityUsd', '/pools'].map(gap)),
  }
  return { data: { ...evidence, evidenceHash: H('market-evidence/v1', evidence) } }
})
