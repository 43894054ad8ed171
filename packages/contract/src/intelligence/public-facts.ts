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

/** Common parts of public responses: each value has source, block and time, or is a gap. */

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
    'Public number of a token: 1 + the first 52 bits of its content hash under the tag `market`; the next free number on a collision.',
  examples: [2930047658016157],
})

export const FactSource = named(
  'FactSource',
  closed({
    kind: oneOf(
      ['CHAIN', 'CATALOGUE', 'MARKET_DATA'],
      'CHAIN: read from the chain at `block`. CATALOGUE: the list shipped with the service. MARKET_DATA: a market data provider.',
    ),
    provider: Type.String({
      maxLength: 600,
      description: 'Hosts with equal responses, joined by a comma; or the name of the list.',
    }),
    method: Type.String({
      maxLength: 160,
      description: 'Contract call or lookup.',
      examples: ['totalSupply()'],
    }),
    answerHash: Type.Intersect([Hash], {
      description:
        'Content hash, tag `public-answer/v1`, of { method, value }; reproducible by any reader.',
    }),
  }),
)
export type FactSource = Static<typeof FactSource>

/** A value with its source; null is a gap, explained in `gaps`. */
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
      'CALL_FAILED: the contract reverts, lacks the function or returns invalid data, or a provider gave no usable answer. NO_PROVIDER: this deployment has no source that reports it. PROVIDERS_DISAGREE: two nodes of the chain differ, or two market data providers are more than two times apart. DEADLINE: time limit reached. TRUNCATED: the list is incomplete. UNKNOWN_CODE: the contract matches no published build; its figures are self-reported.',
    ),
    pointer: Type.String({
      maxLength: 200,
      description: 'JSON pointer of the field that is missing or that this concerns.',
    }),
    detail: Type.String({ maxLength: 400, description: 'Explanation of the result.' }),
  }),
)
export type PublicGap = Static<typeof PublicGap>

export const gaps = list(PublicGap, 256, {
  description: 'Missing data with reasons, ordered by pointer.',
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
            'An address, an asset key such as `eip155:1/erc20:0x…`, or the URL of a token on a known explorer, which the service parses and never fetches. An address with code on several chains is rejected with the chain names.',
        }),
      ),
    },
    {
      description:
        'A token in exactly one form: `chainId` with `address`, `marketId` (its public number), or `query`.',
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
        description: 'Symbol from the token contract; null unless it is short plain text.',
      }),
    ),
    decimals: orNull(
      Type.Integer({
        minimum: 0,
        maximum: 255,
        description: 'Null if the token reports no decimals.',
      }),
    ),
  }),
)
