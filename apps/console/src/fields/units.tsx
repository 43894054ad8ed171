import { createContext, useContext } from 'react'
import { shortAddress } from './numbers.ts'
import { type Symbols, symbolOf } from './symbols.ts'

export interface Asset {
  /** The organization's name for it, or its shortened address. */
  symbol: string
  decimals: number
  address: string
}

/** Tokens of the amounts in this context; null if unknown. */
export interface Units {
  base: Asset | null
  quote: Asset | null
  /** Token of amounts whose names do not specify base or quote; undefined if unknown. */
  own: Asset | null | undefined
  /** Coin that pays for gas on the chain of the record; absent if the chain is unknown. */
  coin?: Asset
}

/**
 * Looks up an asset by its key (`eip155:1/erc20:0x…`, `eip155:1/slip44:60`, `iso4217:USD`), by its
 * address, or as `native`. Returns null if its decimals are unknown.
 */
export type Assets = (key: string) => Asset | null

export const noUnits: Units = { base: null, quote: null, own: undefined }
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

/** The first pair of tokens in a record, at most three members deep. */
export function pairIn(value: unknown, depth = 3): Pair | null {
  if (isPair(value)) return value
  if (typeof value !== 'object' || value === null || depth === 0) return null
  for (const inside of Object.values(value)) {
    const found = pairIn(inside, depth - 1)
    if (found) return found
  }
  return null
}

/** True if the text has the form of an asset key, known or unknown. */
const isAssetKey = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^(eip155:\d+\/(erc20|slip44):|iso4217:|0x[0-9a-fA-F]{40}$|native$)/.test(value)

/** A contract call: its value is in the native coin of the chain. */
const isCall = (value: object) => 'to' in value && 'data' in value && 'value' in value

const namesOf = {
  base: ['token'],
  quote: ['quote', 'quoteKey', 'quoteAsset'],
  own: ['asset', 'assetKey'],
} as const

/**
 * The asset under one of these names; null if the asset is unknown, undefined if no name is
 * present.
 */
function namedBy(value: object, names: readonly string[], assetOf: Assets) {
  const members = value as Record<string, unknown>
  const key = names.map((name) => members[name]).find(isAssetKey)
  return key === undefined ? undefined : assetOf(key)
}

/**
 * Units of the amounts of an object: its own assets, else the units around it. An unknown own asset
 * leaves the amounts without a unit, because the outer asset would be wrong.
 */
export function unitsWithin(value: object, around: Units, assetOf: Assets): Units {
  const first = <Otherwise,>(name: keyof typeof namesOf, otherwise: Otherwise) => {
    const named = namedBy(value, namesOf[name], assetOf)
    return named === undefined ? otherwise : named
  }
  return {
    base: first('base', around.base),
    quote: first('quote', around.quote),
    own: isCall(value) ? assetOf('native') : first('own', around.own),
    ...(around.coin === undefined ? {} : { coin: around.coin }),
  }
}

/**
 * The same for the first object with a unit: the object itself before its members, at most `depth`
 * deep.
 */
function foundBy(
  value: object,
  names: readonly string[],
  assetOf: Assets,
  depth: number,
): Asset | null | undefined {
  const here = namedBy(value, names, assetOf)
  if (here !== undefined || depth === 0) return here
  for (const inside of Object.values(value)) {
    if (typeof inside !== 'object' || inside === null || Array.isArray(inside)) continue
    const found = foundBy(inside, names, assetOf, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The same for a whole record, from members up to three levels deep, outer first. Its own
 * `tokenDecimals` and `quoteDecimals` apply to assets that the organization does not know.
 */
export function unitsOfKeys(payload: object, assetOf: Assets): Units {
  const { tokenDecimals, quoteDecimals } = payload as Record<string, unknown>
  const knownOr = (decimals: unknown): Assets => {
    return (key) => assetOf(key) ?? tokenOf(key, decimals)
  }
  const base = foundBy(payload, namesOf.base, knownOr(tokenDecimals), 3)
  const quote = foundBy(payload, namesOf.quote, knownOr(quoteDecimals), 3) ?? null
  const own = namedBy(payload, namesOf.own, assetOf)
  // Values about a token, such as its supply, are in that token.
  return { base: base ?? null, quote, own: own === undefined ? base : own }
}

function tokenOf(key: string, decimals: unknown): Asset | null {
  const [, address] = /\/erc20:(0x[0-9a-f]{40})$/.exec(key) ?? []
  return address && typeof decimals === 'number'
    ? { symbol: shortAddress(address), decimals, address }
    : null
}

/** Assets whose decimals the record states, for assets that the organization does not know. */
export const AssetsContext = createContext<Assets>(() => null)

export function readAssets(payload: unknown): Assets {
  const { assets, units } = (payload ?? {}) as { assets?: unknown; units?: unknown }
  const entries = [assets, units].flatMap((list) =>
    Array.isArray(list) ? (list as Record<string, unknown>[]) : [],
  )
  return (key) => {
    const one = entries.find(({ asset, assetKey }) => (asset ?? assetKey) === key)
    return one ? tokenOf(key, one.decimals) : null
  }
}

const assetAt = (
  { chainId }: { chainId: number },
  address: string,
  decimals: number,
  symbols: Symbols,
): Asset => ({
  symbol: symbolOf(symbols, address, chainId) ?? shortAddress(address),
  decimals,
  address,
})

export function unitsOf(pair: Pair | null, symbols: Symbols): Units {
  if (!pair) return noUnits
  return {
    base: assetAt(pair, pair.base, pair.baseDecimals, symbols),
    quote: assetAt(pair, pair.quote, pair.quoteDecimals, symbols),
    own: undefined,
  }
}

/**
 * Currencies with ISO 4217 decimals, the native coin of a chain, and the tokens of the
 * organization's venues.
 */
export function assetsOf(venues: readonly { payload: { pair: Pair } }[], symbols: Symbols): Assets {
  const tokens = new Map(
    venues.flatMap(({ payload: { pair } }) =>
      [
        assetAt(pair, pair.base, pair.baseDecimals, symbols),
        assetAt(pair, pair.quote, pair.quoteDecimals, symbols),
      ].flatMap((asset) => {
        const address = asset.address.toLowerCase()
        return [
          [`eip155:${pair.chainId}/erc20:${address}`, asset],
          [address, asset],
        ] as const
      }),
    ),
  )
  return (key) => {
    const [, currency] = /^iso4217:([A-Z]{3})$/.exec(key) ?? []
    if (currency) return { symbol: currency, decimals: decimalsOfMoney(currency), address: '' }
    const [, chainId] = /^eip155:(\d+)\/slip44:60$/.exec(key) ?? []
    if (chainId !== undefined || key === 'native') return coinOf(Number(chainId))
    return tokens.get(key.toLowerCase()) ?? null
  }
}

/** Symbols of native coins by chain ID. */
const coins: Readonly<Record<number, string>> = {
  1: 'ETH',
  10: 'ETH',
  56: 'BNB',
  100: 'xDAI',
  130: 'ETH',
  137: 'POL',
  146: 'S',
  324: 'ETH',
  480: 'ETH',
  5000: 'MNT',
  8453: 'ETH',
  42161: 'ETH',
  42220: 'CELO',
  43114: 'AVAX',
  57073: 'ETH',
  59144: 'ETH',
  80094: 'BERA',
  81457: 'ETH',
  534352: 'ETH',
  11155111: 'ETH',
}

/** Native coin of a record: of its pair, its `chainId` or an asset that it names. */
export function coinIn(value: unknown): Asset | undefined {
  const chainId = pairIn(value)?.chainId ?? chainIn(value, 3)
  return chainId === undefined ? undefined : coinOf(chainId)
}

function chainIn(value: unknown, depth: number): number | undefined {
  if (typeof value === 'string') {
    const [, chainId] = /^eip155:(\d+)[/:]/.exec(value) ?? []
    return chainId === undefined ? undefined : Number(chainId)
  }
  if (typeof value !== 'object' || value === null) return undefined
  if ('chainId' in value && typeof value.chainId === 'number') return value.chainId
  if (depth === 0) return undefined
  return Object.values(value)
    .map((inside) => chainIn(inside, depth - 1))
    .find((chainId) => chainId !== undefined)
}

/** A coin of an unknown chain. */
export const nativeCoin: Asset = { symbol: 'native coin', decimals: 18, address: '' }

/** The native coin of a chain. */
export const coinOf = (chainId: number): Asset => ({
  symbol: coins[chainId] ?? 'native coin',
  decimals: 18,
  address: '',
})

const decimalsOfMoney = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2
