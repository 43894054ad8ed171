import Type, { type Static } from 'typebox'
import { declareFamily } from '../family.ts'
import { collection, operation, session } from '../operation.ts'
import { AssetKey } from '../plan/treasury-terms.ts'
import { ChainId, closed, named, oneOf, orNull } from '../scalars.ts'

export const KnownAsset = named(
  'KnownAsset',
  closed({
    assetKey: AssetKey,
    symbol: Type.String({ minLength: 1, maxLength: 40 }),
    name: orNull(Type.String({ maxLength: 80, description: 'Null if no source states it.' })),
    decimals: Type.Integer({ minimum: 0, maximum: 255, description: 'Decimals of the token.' }),
    chainId: ChainId,
    isOwn: Type.Boolean({
      description: 'True for the own token: by declaration, or because a record binds it.',
    }),
    source: oneOf(
      ['CHAIN', 'CATALOGUE'],
      'CHAIN: from the token contract, as a record of the organization states it. CATALOGUE: from the token list of the release.',
    ),
  }),
)
export type KnownAsset = Static<typeof KnownAsset>

/** Tokens of an answer if the query sets no limit. */
export const defaultKnownAssets = 20

export const listAssets = operation({
  id: 'listAssets',
  isExtension: true,
  method: 'GET',
  path: '/assets',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List tokens',
  description:
    'Tokens by symbol, name or address: own tokens first, then other tokens of the organization, then the catalog of the release. Without a query: tokens of the organization only. Symbols are from the token contract or the catalog, never from venue names.',
  auth: session,
  permission: 'read',
  query: {
    query: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, description: 'Symbol, name or address.' }),
    ),
    chainId: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991, description: 'Chain ID.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: `Maximum number of tokens. Default: ${defaultKnownAssets}.`,
      }),
    ),
  },
  cacheControl: 'private, no-store',
  success: [200],
  response: collection(KnownAsset),
})

export const assetFamily = declareFamily({
  module: 'intelligence/assets',
  operations: [listAssets],
})
