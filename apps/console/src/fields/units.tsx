import { createContext, useContext } from 'react'

export interface Asset {
  /** As the organization calls it, or its shortened address. */
  symbol: string
  decimals: number
  address: string
}

/** In what the amounts around are counted; null where nothing says so. */
export interface Units {
  base: Asset | null
  quote: Asset | null
}

export const noUnits: Units = { base: null, quote: null }
export const UnitsContext = createContext<Units>(noUnits)
export const useUnits = (): Units => useContext(UnitsContext)

interface Pair {
  chainId: number
  base: string
  quote: string
  baseDecimals: number
  quoteDecimals: number
}

const isPair = (value: unknown): value is Pair =>
  typeof value === 'object' && value !== null && 'baseDecimals' in value && 'quoteDecimals' in value

/** The first pair of tokens that a record names, at most three members deep. */
export function pairIn(value: unknown, depth = 3): Pair | null {
  if (isPair(value)) return value
  if (typeof value !== 'object' || value === null || depth === 0) return null
  for (const inside of Object.values(value)) {
    const found = pairIn(inside, depth - 1)
    if (found) return found
  }
  return null
}

/** The address of the token that a record names as what it is counted in, at most three members deep. */
export function quoteIn(value: unknown, depth = 3): string | null {
  if (typeof value !== 'object' || value === null || depth === 0) return null
  for (const [key, inside] of Object.entries(value)) {
    const named = key === 'quoteAsset' && /\/erc20:(0x[0-9a-f]{40})$/.exec(String(inside))?.[1]
    const found = named || quoteIn(inside, depth - 1)
    if (found) return found
  }
  return null
}

/** Symbols by address in lower case. */
export type Symbols = ReadonlyMap<string, string>

export function unitsOf(pair: Pair | null, symbols: Symbols): Units {
  if (!pair) return noUnits
  const asset = (address: string, decimals: number): Asset => ({
    symbol: symbols.get(address.toLowerCase()) ?? `${address.slice(0, 6)}…${address.slice(-4)}`,
    decimals,
    address,
  })
  return {
    base: asset(pair.base, pair.baseDecimals),
    quote: asset(pair.quote, pair.quoteDecimals),
  }
}

/**
 * Symbols of tokens, as the names of the organization's venues tell them: `ENS / WETH 0.30 %`. The contract has no other place
 * for them.
 */
export function symbolsIn(venues: readonly { payload: { name: string; pair: Pair } }[]): Symbols {
  const symbols = new Map<string, string>()
  for (const { payload } of venues) {
    const [, base, quote] =
      /^\s*([A-Za-z0-9.$]{2,12})\s*[/-]\s*([A-Za-z0-9.$]{2,12})\b/.exec(payload.name) ?? []
    if (!base || !quote) continue
    symbols.set(payload.pair.base.toLowerCase(), base)
    symbols.set(payload.pair.quote.toLowerCase(), quote)
  }
  return symbols
}
