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
  /** Of amounts whose names do not say of which of the two they are. */
  own: Asset | null
}

/** An asset by its key: `eip155:1/erc20:0x…`, `eip155:1/slip44:60` or `iso4217:USD`; null where nobody knows its decimals. */
export type Assets = (key: string) => Asset | null

export const noUnits: Units = { base: null, quote: null, own: null }
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

/** A text that names an asset, whether anybody knows it or not. */
const isAssetKey = (value: unknown): value is string =>
  typeof value === 'string' && /^(eip155:\d+\/(erc20|slip44):|iso4217:)/.test(value)

/**
 * In what the amounts of an object are counted: what it names itself, else what holds around it. An asset that it names and nobody
 * knows leaves its amounts without a unit: they are not of the asset around.
 */
export function unitsWithin(value: object, around: Units, assetOf: Assets): Units {
  const named = value as Record<string, unknown>
  const first = (names: readonly string[], otherwise: Asset | null): Asset | null => {
    const key = names.map((name) => named[name]).find(isAssetKey)
    return key === undefined ? otherwise : assetOf(key)
  }
  const own = ['asset', 'assetKey']
  return {
    base: first(['token'], around.base),
    quote: first(['quote', 'quoteKey', 'quoteAsset'], around.quote),
    own: first(own, around.own),
  }
}

/**
 * The same of a whole record: what its members name, at most three deep, the outer before the inner. Decimals that it tells itself
 * (`tokenDecimals`, `quoteDecimals`) hold for assets that the organization does not know.
 */
export function unitsOfKeys(payload: object, assetOf: Assets): Units {
  const told = payload as Record<string, unknown>
  const knownOr = (decimals: unknown): Assets => {
    return (key) => {
      const [, address] = /\/erc20:(0x[0-9a-f]{40})$/.exec(key) ?? []
      const isTold = typeof decimals === 'number' && address !== undefined
      return assetOf(key) ?? (isTold ? assetAt(address, decimals, new Map()) : null)
    }
  }
  const find = (name: keyof Units, assets: Assets, value: object, depth: number): Asset | null => {
    const here = unitsWithin(value, noUnits, assets)[name]
    if (here !== null || depth === 0) return here
    for (const inside of Object.values(value)) {
      if (typeof inside !== 'object' || inside === null || Array.isArray(inside)) continue
      const found = find(name, assets, inside, depth - 1)
      if (found) return found
    }
    return null
  }
  return {
    base: find('base', knownOr(told.tokenDecimals), payload, 3),
    quote: find('quote', knownOr(told.quoteDecimals), payload, 3),
    own: unitsWithin(payload, noUnits, assetOf).own,
  }
}

/** Symbols by address in lower case. */
export type Symbols = ReadonlyMap<string, string>

const assetAt = (address: string, decimals: number, symbols: Symbols): Asset => ({
  symbol: symbols.get(address.toLowerCase()) ?? `${address.slice(0, 6)}…${address.slice(-4)}`,
  decimals,
  address,
})

export function unitsOf(pair: Pair | null, symbols: Symbols): Units {
  if (!pair) return noUnits
  return {
    base: assetAt(pair.base, pair.baseDecimals, symbols),
    quote: assetAt(pair.quote, pair.quoteDecimals, symbols),
    own: null,
  }
}

/** Money, whose decimals ISO 4217 gives, the coin of a chain, and the tokens of the organization's venues. */
export function assetsOf(venues: readonly { payload: { pair: Pair } }[], symbols: Symbols): Assets {
  const tokens = new Map(
    venues.flatMap(({ payload: { pair } }) =>
      [
        assetAt(pair.base, pair.baseDecimals, symbols),
        assetAt(pair.quote, pair.quoteDecimals, symbols),
      ].map((asset) => [`eip155:${pair.chainId}/erc20:${asset.address.toLowerCase()}`, asset]),
    ),
  )
  return (key) => {
    const [, currency] = /^iso4217:([A-Z]{3})$/.exec(key) ?? []
    if (currency) return { symbol: currency, decimals: decimalsOfMoney(currency), address: '' }
    if (/\/slip44:60$/.test(key)) return { symbol: 'ETH', decimals: 18, address: '' }
    return tokens.get(key) ?? null
  }
}

const decimalsOfMoney = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2

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
