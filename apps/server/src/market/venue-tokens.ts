import { plainSymbol } from '../integrations/chain/plain-symbol.ts'
import type { VenueRecord } from './named-venue.ts'
import { assetKeyOf } from './prices/prices-of-pair.ts'

type Payload = Pick<VenueRecord['payload'], 'pair' | 'validation'>

export interface VenueToken {
  readonly assetKey: string
  readonly symbol: string
  readonly decimals: number
}

/**
 * Tokens of venues with the symbols that their contracts stated at validation. Venues of earlier
 * releases have no such check, and give none: their names are free text.
 */
export const venueTokens = (venues: readonly { readonly payload: Payload }[]): VenueToken[] =>
  venues.flatMap(({ payload: { pair, validation } }) => {
    const stated = (code: string) => validation?.checks.find((check) => check.code === code)
    const sides = [
      [pair.base, pair.baseDecimals, stated('BASE_SYMBOL')],
      [pair.quote, pair.quoteDecimals, stated('QUOTE_SYMBOL')],
    ] as const
    return sides.flatMap(([address, decimals, check]) => {
      // An earlier release stored symbols that are dropped today, and `NO_ANSWER` is none.
      const symbol = plainSymbol(check?.observed ?? null)
      return symbol === null || symbol === 'NO_ANSWER'
        ? []
        : [{ assetKey: assetKeyOf(pair, address), symbol, decimals }]
    })
  })
