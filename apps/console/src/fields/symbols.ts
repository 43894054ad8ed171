import { shortAddress } from './numbers.ts'

/**
 * Display names of tokens: by `chainId:address`, and by address alone if only one chain has it.
 * Addresses are in lower case.
 */
export type Symbols = ReadonlyMap<string, string>

/** @param chainId absent if the record does not name a chain */
export const symbolOf = (
  symbols: Symbols,
  address: string,
  chainId?: number | string,
): string | undefined =>
  symbols.get(chainId === undefined ? address.toLowerCase() : `${chainId}:${address.toLowerCase()}`)

export interface NamedToken {
  readonly chainId: number
  /** Lower case. */
  readonly address: string
  readonly symbol: string
}

interface NamedVenue {
  payload: {
    name: string
    pair: { chainId: number; base: string; quote: string }
    validation?: { checks: readonly { code: string; observed: string }[] } | null
  }
}

/** An earlier release accepted symbols such as `000`, `-` and `k`; `1INCH` and `T` are real. */
const isPlain = (symbol: string) =>
  /^(?:[A-Z]|(?!\d+(?:[.eEx]\d*)*$)[A-Za-z0-9][A-Za-z0-9.$+_-]{1,15})$/.test(symbol)

/**
 * Token symbols as the token contracts stated them when their venue was validated. Drafts, and
 * venues of earlier releases, have only a name, such as `ENS / WETH 0.30 %`.
 */
export function symbolsIn(venues: readonly NamedVenue[]): NamedToken[] {
  const [named, stated] = [new Map<string, NamedToken>(), new Map<string, NamedToken>()]
  for (const { payload } of venues) {
    const { chainId } = payload.pair
    const put = (to: Map<string, NamedToken>, token: string, symbol: string) => {
      const address = token.toLowerCase()
      to.set(`${chainId}:${address}`, { chainId, address, symbol })
    }
    const { base, quote } = payload.pair
    const [, baseName, quoteName] =
      /^\s*([A-Za-z0-9.$]{1,12})\s*[/-]\s*([A-Za-z0-9.$]{1,12})\b/.exec(payload.name) ?? []
    if (baseName && quoteName) {
      put(named, base, baseName)
      put(named, quote, quoteName)
    }
    for (const { code, observed } of payload.validation?.checks ?? []) {
      if (observed === 'NO_ANSWER' || !isPlain(observed)) continue
      if (code === 'BASE_SYMBOL') put(stated, base, observed)
      if (code === 'QUOTE_SYMBOL') put(stated, quote, observed)
    }
  }
  return [...new Map([...named, ...stated]).values()]
}

const kindOf = ({ chainId, symbol }: Pick<NamedToken, 'chainId' | 'symbol'>) =>
  `${chainId}:${symbol.toLowerCase()}`

/**
 * Display names of tokens. Any contract can state any symbol, so a symbol that another token of the
 * chain has is followed by the short address.
 *
 * @param others tokens that are not shown, such as those of the catalog
 */
export function displaySymbols(
  tokens: readonly NamedToken[],
  others: readonly NamedToken[],
): Symbols {
  const owners = new Map<string, Set<string>>()
  for (const token of [...tokens, ...others]) {
    const addresses = owners.get(kindOf(token)) ?? new Set()
    owners.set(kindOf(token), addresses.add(token.address))
  }
  const names = tokens.map((token) => {
    const isShared = (owners.get(kindOf(token))?.size ?? 0) > 1
    const name = isShared ? `${token.symbol} ${shortAddress(token.address)}` : token.symbol
    return [token, name] as const
  })
  const chainsOf = Map.groupBy(names, ([{ address }]) => address)
  const bare = [...chainsOf].flatMap(([address, [first, ...more]]) =>
    first && more.length === 0 ? [[address, first[1]] as const] : [],
  )
  return new Map([
    ...bare,
    ...names.map(([{ chainId, address }, name]) => [`${chainId}:${address}`, name] as const),
  ])
}

/** Tokens by chain and symbol, to find others with the same symbol. */
export const distinctSymbols = (tokens: readonly NamedToken[]): NamedToken[] => [
  ...new Map(tokens.map((token) => [kindOf(token), token])).values(),
]
