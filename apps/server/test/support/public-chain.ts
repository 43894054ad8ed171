import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostOf, type TestChain } from './chain.ts'

export function publicChain({ chain, markets }: TestChain): Record<string, string> {
  const { contracts, chainId, rpcUrl } = chain
  const factories = [
    { kind: 'UNISWAP_V2', address: contracts.uniswapV2Factory },
    { kind: 'UNISWAP_V3', address: contracts.uniswapV3Factory },
  ]
  const referenceQuote = markets.tokens[1]
  const chains = [{ chainId, endpoints: [rpcUrl], referenceQuote, factories }]
  const path = join(mkdtempSync(join(tmpdir(), 'liquidity-chains-')), 'chains.json')
  writeFileSync(path, JSON.stringify({ chains }))
  return { PUBLIC_CHAINS: path, OUTBOUND_ALLOW: hostOf(rpcUrl) }
}
