import Type, { type Static } from 'typebox'
import { Address, ChainId, closed, list, oneOf } from '../scalars.ts'

const Url = (description: string) =>
  Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 400, description })

const Chain = closed({
  chainId: ChainId,
  endpoints: list(Url('JSON-RPC address of a node.'), 4, {
    minItems: 1,
    uniqueItems: true,
    description: 'All are asked, and must agree.',
  }),
  finalityBlocks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Blocks below the latest, on a chain without the `finalized` tag.',
    }),
  ),
  referenceQuote: Type.Optional(Address),
  quotes: Type.Optional(
    list(Address, 7, { uniqueItems: true, description: 'Further quote assets that are tried.' }),
  ),
  factories: Type.Optional(
    list(
      closed({
        kind: oneOf(['UNISWAP_V2', 'UNISWAP_V3'], 'Pool type of the factory.'),
        address: Address,
        feesPips: Type.Optional(
          list(Type.Integer({ minimum: 1, maximum: 999_999 }), 6, {
            minItems: 1,
            description: 'Fee tiers of a v3 factory, in pips. Default: 100, 500, 3000 and 10000.',
          }),
        ),
      }),
      8,
      { minItems: 1 },
    ),
  ),
  explorer: Type.Optional(Url('Beginning of its explorer, to which `/token/0x…` is added.')),
})

/**
 * Content of the PUBLIC_CHAINS file: chains for public queries, through nodes of the deployment.
 * Reference quote and factories are optional for chains in `chain-defaults.json`.
 */
export const PublicChainsFile = closed({ chains: list(Chain, 16, { minItems: 1 }) })
export type PublicChainsFile = Static<typeof PublicChainsFile>
