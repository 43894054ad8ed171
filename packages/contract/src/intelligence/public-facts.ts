import Type, { type Static, type TSchema } from 'typebox'
import { Block } from '../envelope.ts'
import {
  Address,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Timestamp,
} from '../scalars.ts'

/** What answers to strangers have in common: a figure has its source, block and time, or is a gap. */

export const TokenKey = named(
  'TokenKey',
  Type.String({
    pattern: '^eip155:[1-9][0-9]{0,15}/erc20:0x[0-9a-f]{40}$',
    description: 'A token: its chain and its address in lower case.',
    examples: ['eip155:1/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
  }),
)

export const MarketId = Type.Integer({
  minimum: 1,
  maximum: 9_007_199_254_740_991,
  description:
    'Number of a token of the catalogue: 1 + the first 52 bits of its content hash under the tag `market`; the next free number where two fall together.',
  examples: [2930047658016157],
})

export const FactSource = named(
  'FactSource',
  closed({
    kind: oneOf(
      ['CHAIN', 'CATALOGUE', 'MARKET_DATA'],
      'CHAIN: read from the chain at `block`. CATALOGUE: the list that is shipped with the service. MARKET_DATA: a provider of market data.',
    ),
    provider: Type.String({
      maxLength: 600,
      description: 'Hosts that were asked and agree, joined by a comma; or the name of the list.',
    }),
    method: Type.String({
      maxLength: 160,
      description: 'What was called or looked up.',
      examples: ['totalSupply()'],
    }),
    answerHash: Type.Intersect([Hash], {
      description:
        'Content hash, tag `public-answer/v1`, of { method, value }: whoever reads the same finds it again.',
    }),
  }),
)
export type FactSource = Static<typeof FactSource>

/** A value with where it comes from; null is a gap, and `gaps` says why. */
export const factOf = <const S extends TSchema>(value: S, description: string) =>
  closed(
    {
      value: orNull(value),
      source: FactSource,
      block: orNull(Block),
      at: Timestamp,
    },
    { description },
  )

export const publicGapCodes = [
  'CALL_FAILED',
  'NO_PROVIDER',
  'PROVIDERS_DISAGREE',
  'DEADLINE',
  'TRUNCATED',
  'UNKNOWN_CODE',
] as const

export const PublicGap = named(
  'PublicGap',
  closed({
    code: oneOf(
      publicGapCodes,
      'CALL_FAILED: the contract reverts, has no such function or answers what is no answer. NO_PROVIDER: this deployment has no source for it. PROVIDERS_DISAGREE: two providers of the chain say different things. DEADLINE: the time was over. TRUNCATED: there are more than are told. UNKNOWN_CODE: the contract is of no published build, and its figures are what it says of itself.',
    ),
    pointer: Type.String({
      maxLength: 200,
      description: 'JSON pointer of the member that is missing or that this concerns.',
    }),
    detail: Type.String({ maxLength: 400, description: 'Explanation of the result.' }),
  }),
)
export type PublicGap = Static<typeof PublicGap>

export const gaps = list(PublicGap, 256, {
  description: 'What is missing, and why; ordered by pointer.',
})

export const PublicIdentifier = named(
  'PublicIdentifier',
  closed(
    {
      chainId: Type.Optional(ChainId),
      address: Type.Optional(Address),
      marketId: Type.Optional(MarketId),
      query: Type.Optional(
        Type.String({
          minLength: 2,
          maxLength: 500,
          description:
            'An address, an asset key such as `eip155:1/erc20:0x…`, or the URL of a token on a known explorer, which is read and never fetched. An address that has code on several chains is refused with their names.',
        }),
      ),
    },
    {
      description:
        'A token, in exactly one form: `chainId` with `address`, `marketId` (its number in the catalogue), or `query`.',
    },
  ),
)
export type PublicIdentifier = Static<typeof PublicIdentifier>

export const PublicQuote = named(
  'PublicQuote',
  closed({
    assetKey: TokenKey,
    symbol: orNull(
      Type.String({
        maxLength: 16,
        description: 'As the token says; null where it is no short plain text.',
      }),
    ),
    decimals: orNull(
      Type.Integer({ minimum: 0, maximum: 255, description: 'Null where it says none.' }),
    ),
  }),
)
