import Type from 'typebox'
import { Address, closed, list, named, oneOf } from '../scalars.ts'
import { stableVariants } from '../simulate/inline-market.ts'

const CoinIndex = Type.Integer({ minimum: 0, maximum: 7, description: 'Place of the coin.' })

/** Terms that distinguish a StableSwap pool, in addition to its address. */
export const StableSwapTerms = named(
  'StableSwapTerms',
  closed({
    variant: oneOf(stableVariants, 'Contract build; builds round differently, see the engine.'),
    coins: list(Address, 8, { minItems: 2, uniqueItems: true, description: 'In pool order.' }),
    index: closed({
      base: CoinIndex,
      quote: CoinIndex,
    }),
    lpToken: Type.Optional(Address),
  }),
)
