export interface Provider {
  id: string
  status: string
  payload: {
    providerId: string
    displayName?: string
    kind: string
    endpoint: string | null
    configuration: { chainId?: number }
    capabilities: string[]
    probe: { facts: Record<string, string> } | null
  }
}
export interface Token {
  address: string
  symbol: string | null
  decimals: number | null
}
export interface Market {
  kind: string
  address: string
  tokens: Token[]
  heldOfBase: string | null
  venueId: string | null
  profile: {
    name: string
    feePips: number
    pair: { base: string; baseDecimals: number }
    read: { startBlock: number }
  } | null
  missing: string[]
}
export interface Detection {
  block: { number: number }
  address: string
  is: 'MARKET' | 'TOKEN' | 'CONTRACT' | 'NOTHING'
  token: Token | null
  markets: Market[]
  limitations: string[]
}

/** Change reason of every record from setup. */
export const reason = 'Set up in the console'
