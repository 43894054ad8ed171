import type { PairSymbols } from '@liquidity-os/drawing'
import { venuesToEvaluate } from '../market/named-venue.ts'
import { assetKeyOf } from '../market/prices/prices-of-pair.ts'
import { venueTokens } from '../market/venue-tokens.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

interface NamedAssets {
  readonly base: string | null
  readonly quote: string
}

/** Members that name the currency of the amounts of a record without a pair. */
const quoteNames = ['quoteKey', 'quoteAsset'] as const
const maxDepth = 4

/** Asset keys of the first pair in a subject, else of its quote currency; null if it names none. */
export function assetsIn(value: unknown, depth = maxDepth): NamedAssets | null {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null
  const members = value as Readonly<Record<string, unknown>>
  const { chainId, base, quote } = members
  if (typeof chainId === 'number' && typeof base === 'string' && typeof quote === 'string')
    return { base: assetKeyOf({ chainId }, base), quote: assetKeyOf({ chainId }, quote) }
  const named = quoteNames.map((name) => members[name]).find((key) => typeof key === 'string')
  if (typeof named === 'string') return { base: null, quote: named }
  if (depth === 0) return null
  for (const inside of Object.values(members)) {
    const found = assetsIn(inside, depth - 1)
    if (found) return found
  }
  return null
}

/**
 * Symbols of the tokens of a subject, as their contracts stated them to the venues of the
 * organization. A symbol that two tokens state names neither.
 *
 * @param tokens of the organization
 */
export function pairSymbols(
  { base, quote }: NamedAssets,
  tokens: readonly { readonly assetKey: string; readonly symbol: string }[],
): PairSymbols | undefined {
  const keysOf = Map.groupBy(tokens, ({ symbol }) => symbol.toLowerCase())
  const symbolOf = (key: string | null) => {
    const token = tokens.find(({ assetKey }) => assetKey === key)
    const owners = new Set(
      keysOf.get(token?.symbol.toLowerCase() ?? 'none')?.map((one) => one.assetKey),
    )
    return token && owners.size === 1 ? token.symbol : null
  }
  const symbol = /^iso4217:([A-Z]{3})$/.exec(quote)?.[1] ?? symbolOf(quote)
  return symbol === null ? undefined : { base: symbolOf(base), quote: symbol }
}

/** Symbols for the charts of a subject; undefined if it has no known quote token. */
export async function symbolsFor(
  records: TenantRecords,
  subject: object,
): Promise<PairSymbols | undefined> {
  const named = assetsIn(subject)
  return named === null
    ? undefined
    : pairSymbols(named, venueTokens(await venuesToEvaluate(records)))
}
