import { type Address, getAddress } from 'viem'
import { AnswerJsonError } from '../../answer-json.ts'

/** A token as a market data provider lists it. Its texts are the provider's. */
export interface ListedToken {
  readonly chainId: number
  readonly address: Address
  readonly name: string
  readonly symbol: string
  /** Null if the provider does not state them. */
  readonly decimals: number | null
}

/** A pool as a provider reports it. Amounts are decimal text in US dollars; null if not reported. */
export interface ReportedPool {
  readonly address: Address
  readonly dex: string
  readonly quote: Address | null
  readonly liquidityUsd: string | null
}

/** The market of a token as a provider reports it. */
export interface ReportedMarket {
  readonly volume24hUsd: string | null
  readonly liquidityUsd: string | null
  /** Pools of the response that have an address, the largest first. Pools that have only a 32-byte id are left out. */
  readonly pools: readonly ReportedPool[]
  /** True if the response is full, so the provider can know more pools. */
  readonly hasMorePools: boolean
}

/**
 * Requests JSON of a provider; numbers arrive as text. Null means HTTP 404.
 *
 * @param path segments behind the endpoint
 */
export type AskProvider = (
  path: readonly string[],
  query?: Readonly<Record<string, string>>,
) => Promise<unknown>

/** The API of a market data provider. */
export interface MarketDialect {
  /** Public endpoint of the provider, without a slash at its end. */
  readonly endpoint: string
  /** Requests per minute that the provider allows without a key. */
  readonly requestsPerMinute: number
  /** Chain names of the provider by chain id. */
  readonly chains: Readonly<Record<number, string>>
  /** How the provider reports each figure. */
  readonly methods: { readonly volume: string; readonly liquidity: string; readonly pool: string }
  /** @throws AnswerJsonError if the response has another form */
  search(ask: AskProvider, query: string): Promise<ListedToken[]>
  /**
   * @returns null if the provider does not list the token
   * @throws AnswerJsonError if the response has another form
   */
  readMarket(ask: AskProvider, chain: string, token: Address): Promise<ReportedMarket | null>
}

/** Name of an exchange, or `unknown`. */
export const dexOf = (value: unknown): string => textOf(value, 80) ?? 'unknown'

/** Largest first; pools without a figure last. */
export const byLiquidity = (a: ReportedPool, b: ReportedPool): number =>
  Number(b.liquidityUsd ?? -1) - Number(a.liquidityUsd ?? -1) || (a.address < b.address ? -1 : 1)

/** Chain ids by the names of a provider. */
export const chainIdsOf = (chains: MarketDialect['chains']): ReadonlyMap<string, number> =>
  new Map(Object.entries(chains).map(([id, name]) => [name, Number(id)]))

export const shapeFault = (what: string) => new AnswerJsonError('SHAPE', what)

/** @throws AnswerJsonError */
export function membersOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw shapeFault(`${what} is not an object`)
}

/** @throws AnswerJsonError */
export function itemsOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw shapeFault(`${what} is not a list`)
}

/** A 20-byte address, or null for any other text. */
export const addressOf = (value: unknown): Address | null =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
    ? getAddress(value.toLowerCase())
    : null

/** Plain decimal text of a JSON number that is not negative, or null. Exponents are written out. */
export function decimalText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const parts = /^(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(value)
  if (parts === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const shift = Number(exponent)
  if (Math.abs(shift) > 30) return null
  const digits = `${'0'.repeat(30)}${whole}${fraction}${'0'.repeat(30)}`
  const point = 30 + whole.length + shift
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const right = digits.slice(point).replace(/0+$/, '')
  return right === '' ? left : `${left}.${right}`
}

/**
 * Letters, digits, marks, punctuation and symbols of any script, and plain spaces. Excludes
 * characters that hide or reverse text.
 */
const plainText = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u

/**
 * A token of a provider, or null if its address or texts cannot be shown.
 *
 * @param chainId null if the service does not know the chain
 */
export function listedToken(
  chainId: number | null,
  given: { address: unknown; name: unknown; symbol: unknown; decimals?: unknown },
): ListedToken | null {
  const address = addressOf(given.address)
  const [name, symbol] = [textOf(given.name, 80), textOf(given.symbol, 40)]
  if (chainId === null || address === null || name === null || symbol === null) return null
  const text = typeof given.decimals === 'string' ? given.decimals : ''
  const decimals = /^\d{1,3}$/.test(text) ? Number(text) : null
  return {
    chainId,
    address,
    name,
    symbol,
    decimals: decimals !== null && decimals < 256 ? decimals : null,
  }
}

/** Plain text of a provider; null if it is longer than `maxLength` or contains unsafe characters. */
export function textOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text.length <= maxLength && plainText.test(text) ? text : null
}
