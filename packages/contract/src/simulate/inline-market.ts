import Type, { type Static } from 'typebox'
import {
  Address,
  AtomicAmount,
  closed,
  list,
  named,
  oneOf,
  Pips,
  SignedAmount,
} from '../scalars.ts'

/** Builds of the StableSwap contract, which round differently. */
export const stableVariants = ['CLASSIC', 'A100', 'A100_TWO_COIN', 'NG'] as const

const Tick = Type.Integer({ minimum: -887_272, maximum: 887_272, description: 'Tick of the pool.' })

/**
 * A market described by the caller, without a chain, so it is unverified. Token order follows from
 * the pair's addresses, as in the contracts.
 */
export const InlineMarket = named(
  'InlineMarket',
  Type.Union([
    closed({
      kind: Type.Literal('UNISWAP_V3'),
      feePips: Type.Integer({ minimum: 0, maximum: 999_999 }),
      tickSpacing: Type.Integer({ minimum: 1, maximum: 16_383 }),
      sqrtPriceX96: AtomicAmount,
      ticks: list(
        closed({
          index: Tick,
          liquidityGross: AtomicAmount,
          liquidityNet: SignedAmount,
        }),
        5000,
        { minItems: 2, description: 'Initialised ticks, in any order; their nets sum to zero.' },
      ),
      feeProtocol0: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 10, description: '1/n of the fee: 0 or 4 to 10.' }),
      ),
      feeProtocol1: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 10, description: '1/n of the fee: 0 or 4 to 10.' }),
      ),
    }),
    closed({
      kind: Type.Literal('UNISWAP_V2'),
      reserve0: AtomicAmount,
      reserve1: AtomicAmount,
      totalSupply: AtomicAmount,
      feePips: Type.Optional(Pips),
    }),
    closed({
      kind: Type.Literal('STABLESWAP'),
      variant: oneOf(stableVariants, 'Contract build, see the engine.'),
      coins: list(Address, 2, {
        minItems: 2,
        description: 'The tokens of the pair, in pool order.',
      }),
      balances: list(AtomicAmount, 2, { minItems: 2 }),
      rates: list(AtomicAmount, 2, {
        minItems: 2,
        description: 'Factor from one atom of each coin to the common scale, times 10^18.',
      }),
      amplification: Type.String({
        pattern: '^[1-9][0-9]{0,9}$',
        description: 'Amplification in the unit of the variant: times 100 unless CLASSIC.',
      }),
      feeX10: Type.Integer({ minimum: 0, maximum: 5_000_000_000 }),
      adminFeeX10: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000_000 })),
      offpegFeeMultiplierX10: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
      ),
      totalSupply: AtomicAmount,
    }),
  ]),
)
export type InlineMarket = Static<typeof InlineMarket>
