import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type Pair = Static<typeof contract.Pair>

/** True if two pairs are equal in every field, decimals included. */
export function isSamePair(a: Pair, b: Pair): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

const sorted = (pair: Pair) => Object.entries(pair).sort(([a], [b]) => (a < b ? -1 : 1))

const members = ['chainId', 'base', 'quote', 'baseDecimals', 'quoteDecimals'] as const

/**
 * Differences between the pair of a request and the pair of a venue that it names, by path.
 *
 * @param at path of the pair in the request
 */
export const validatePair = (requested: Pair, ofVenue: Pair, at: string): FieldErrors =>
  Object.fromEntries(
    members.flatMap((member) =>
      requested[member] === ofVenue[member]
        ? []
        : [
            [
              `${at}.${member}`,
              [`must match the venue, ${ofVenue[member]}, got ${requested[member]}`],
            ],
          ],
    ),
  )

/** Key of a pair of tokens on a chain, independent of the address notation. */
export const pairKey = ({ chainId, base, quote }: Pick<Pair, 'chainId' | 'base' | 'quote'>) =>
  `${chainId}|${base.toLowerCase()}|${quote.toLowerCase()}`

/** Key of a pair in paths and answers. */
export const marketKey = ({ chainId, base, quote }: Pick<Pair, 'chainId' | 'base' | 'quote'>) =>
  `${chainId}-${base.toLowerCase()}-${quote.toLowerCase()}`
