/**
 * Prints the public catalog from a token list: `node apps/server/bin/print-catalogue.ts
 * <list.json>`. Includes only tokens on EVM chains that are no test networks, and only their facts.
 *
 * @see https://github.com/Uniswap/default-token-list, the source of the shipped list
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isTestNetwork } from '@liquidity-os/contract/test-networks'
import { getAddress, isAddress } from 'viem'

interface TokenList {
  readonly name: string
  readonly timestamp: string
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number }
  readonly tokens: readonly {
    readonly chainId: number
    readonly address: string
    readonly symbol: string
    readonly name: string
    readonly decimals: number
  }[]
}

const [path = ''] = process.argv.slice(2)
const list = JSON.parse(readFileSync(path, 'utf8')) as TokenList
const byPlace = new Map(
  list.tokens
    .filter(
      ({ chainId, address }) => !isTestNetwork(chainId) && isAddress(address, { strict: false }),
    )
    .map(({ chainId, address, symbol, name, decimals }) => {
      const place = `${String(chainId).padStart(16, '0')}/${address.toLowerCase()}`
      return [place, [chainId, getAddress(address), symbol, name, decimals]] as const
    }),
)
const tokens = [...byPlace].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, token]) => token)
const { major, minor, patch } = list.version
const source = `${list.name} ${major}.${minor}.${patch}`
const lines = tokens.map((token) => `  ${JSON.stringify(token)}`).join(',\n')
const target = new URL(
  '../src/families/intelligence/discovery/catalogue/generated/tokens.json',
  import.meta.url,
)
writeFileSync(
  fileURLToPath(target),
  `{"source":${JSON.stringify(source)},"version":"${major}.${minor}.${patch}","at":"${list.timestamp}","tokens":[\n${lines}\n]}\n`,
)
