import { parsePastedAddress } from './pasted-address.ts'

/** A token or pool that the URL of a public page names. */
export interface MarketPage {
  readonly chainId: number
  readonly address: string
  readonly kind: 'TOKEN' | 'POOL' | 'TOKEN_OR_POOL'
}

interface Site {
  /** Path with the groups `chain` (if the host does not determine it), `kind` and `address`. */
  readonly path: RegExp
  readonly chains: Readonly<Record<string, number>>
}

const address = '(?<address>0x[0-9a-fA-F]{40})'
const end = '(?:/.*)?$'

/** Block explorers by host. Their pages show tokens and other contracts. */
const explorerChains: Readonly<Record<string, number>> = {
  'etherscan.io': 1,
  'optimistic.etherscan.io': 10,
  'bscscan.com': 56,
  'polygonscan.com': 137,
  'basescan.org': 8453,
  'arbiscan.io': 42161,
  'snowtrace.io': 43114,
}
const explorerPath = new RegExp(`^/(?<kind>token|address)/${address}/?$`)

/** Market pages by host, with their names of chains. */
const sites: Readonly<Record<string, Site>> = {
  'geckoterminal.com': {
    // The language comes first on translated pages.
    path: new RegExp(
      `^(?:/[a-z]{2}(?:-[a-z]+)?)?/(?<chain>[a-z0-9_-]+)/(?<kind>pools|tokens)/${address}${end}`,
    ),
    chains: { eth: 1, optimism: 10, bsc: 56, polygon_pos: 137, base: 8453, arbitrum: 42161 },
  },
  'dexscreener.com': {
    path: new RegExp(`^/(?<chain>[a-z0-9]+)/${address}/?$`),
    chains: { ethereum: 1, optimism: 10, bsc: 56, polygon: 137, base: 8453, arbitrum: 42161 },
  },
  'app.uniswap.org': {
    path: new RegExp(`^/explore/(?<kind>pools|tokens)/(?<chain>[a-z0-9_]+)/${address}/?$`),
    chains: { ethereum: 1, optimism: 10, bnb: 56, polygon: 137, base: 8453, arbitrum: 42161 },
  },
}

/** Hosts whose pages `parseMarketPage` reads. */
export const marketPageHosts: readonly string[] = [
  ...Object.keys(explorerChains),
  ...Object.keys(sites),
]

const kinds: Readonly<Record<string, MarketPage['kind']>> = {
  token: 'TOKEN',
  tokens: 'TOKEN',
  pools: 'POOL',
}

/**
 * Parses the URL of a token or pool at a block explorer, GeckoTerminal, DEX Screener or Uniswap. It
 * makes no request. The address keeps the case of the URL.
 *
 * @returns null for any other text, host, chain or page
 */
export function parseMarketPage(text: string): MarketPage | null {
  const trimmed = text.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return null
  const { hostname, pathname } = new URL(trimmed)
  const host = hostname.replace(/^www\./, '')
  const site = own(sites, host)
  const explorerChain = own(explorerChains, host)
  const groups = (site?.path ?? explorerPath).exec(pathname)?.groups
  if (groups?.address === undefined) return null
  const chainId = site ? own(site.chains, groups.chain ?? '') : explorerChain
  if (chainId === undefined) return null
  const kind = own(kinds, groups.kind ?? '') ?? 'TOKEN_OR_POOL'
  return { chainId, address: groups.address, kind }
}

/**
 * The address in a pasted text: a plain or prefixed address, or the URL of a market page.
 *
 * @param chainId chain of the form field; null if it accepts any chain
 * @returns null if the text has no address, or is of another chain
 */
export function parsePastedMarket(text: string, chainId: number | null): string | null {
  const page = parseMarketPage(text)
  if (page === null) return parsePastedAddress(text, chainId)
  return chainId === null || page.chainId === chainId ? page.address : null
}

/** A URL can contain the name of an inherited property. */
const own = <Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined
