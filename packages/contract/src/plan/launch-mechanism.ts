import Type, { type Static } from 'typebox'
import { AtomicAmount, closed, list, named, Pips, PriceX18, Timestamp } from '../scalars.ts'

/** Launch mechanisms of a token, and a demand model to compare them. */

const Weight = Type.Integer({
  minimum: 10_000,
  maximum: 990_000,
  description: 'Value weight of the token in the pool, millionths.',
})
const FeePips = Type.Integer({ minimum: 0, maximum: 100_000, description: 'Millionths.' })
const Seconds = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 31_622_400, description })

const Lbp = closed({
  kind: Type.Literal('LBP', { description: 'A pool with linearly changing weights.' }),
  startAt: Timestamp,
  endAt: Timestamp,
  tokenStart: AtomicAmount,
  quoteStart: AtomicAmount,
  startWeightPips: Weight,
  endWeightPips: Weight,
  feePips: FeePips,
})

const Cca = closed({
  kind: Type.Literal('CCA', {
    description: 'A supply that is released block by block, each cleared at one price.',
  }),
  tokens: AtomicAmount,
  startBlock: Type.Integer({ minimum: 0 }),
  endBlock: Type.Integer({ minimum: 1 }),
  claimBlock: Type.Integer({ minimum: 1 }),
  blockSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3_600,
      description:
        'Time between two blocks, in seconds. Default: the published block time of the chain. Required for the result of a demand if none of a whole second is published.',
    }),
  ),
  floorPriceX96: AtomicAmount,
  tickSpacing: AtomicAmount,
  requiredCurrencyRaised: AtomicAmount,
  steps: list(
    closed({
      mps: Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description: 'Ten-millionths of the supply that each block releases.',
      }),
      blocks: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Number of blocks.' }),
    }),
    64,
    { minItems: 1, description: 'Together all blocks, and 10,000,000 units.' },
  ),
  liquiditySharePips: Pips,
})

const Dutch = closed({
  kind: Type.Literal('DUTCH_DYNAMIC', {
    description: 'A price that falls by the same amount in each epoch.',
  }),
  startPriceX18: PriceX18,
  endPriceX18: PriceX18,
  epochSeconds: Seconds('Length of an epoch.'),
  durationSeconds: Seconds('Length of the sale, at most 1,000 epochs.'),
  tokens: AtomicAmount,
  minimumProceeds: AtomicAmount,
  maximumProceeds: AtomicAmount,
})

const Fixed = closed({
  kind: Type.Literal('FIXED_PRICE', { description: 'One price, first come, first served.' }),
  priceX18: PriceX18,
  tokens: AtomicAmount,
  cap: AtomicAmount,
})

export const launchMechanismKinds = [
  'V2_SEED',
  'V3_SEED',
  'LBP',
  'CCA',
  'DUTCH_DYNAMIC',
  'FIXED_PRICE',
] as const

export const LaunchMechanism = named(
  'LaunchMechanism',
  Type.Union([
    closed({
      kind: Type.Literal('V2_SEED', {
        description: 'A constant-product pool with the amounts of the capital study.',
      }),
    }),
    closed({
      kind: Type.Literal('V3_SEED', {
        description: 'Positions in ranges with the ticks and liquidity of the study of capital.',
      }),
    }),
    Lbp,
    Cca,
    Dutch,
    Fixed,
  ]),
)
export type LaunchMechanism = Static<typeof LaunchMechanism>

const DeclaredBid = closed({
  budget: AtomicAmount,
  maximumPriceX18: PriceX18,
  atSeconds: Type.Integer({
    minimum: 0,
    maximum: 31_622_400,
    description: 'Time after the sale opens, in seconds.',
  }),
})

export const LaunchDemand = named(
  'LaunchDemand',
  Type.Union(
    [
      closed({
        kind: Type.Literal('DECLARED', { description: 'A book of bids of the caller.' }),
        bids: list(DeclaredBid, 500, { minItems: 1 }),
      }),
      closed({
        kind: Type.Literal('DRAWN', {
          description:
            'Bids simulated from a seed: lognormal limits about a median, lognormal budgets, even arrivals.',
        }),
        bidders: Type.Integer({ minimum: 1, maximum: 500, description: 'Number of bidders.' }),
        totalBudget: AtomicAmount,
        medianPriceX18: PriceX18,
        spreadPips: Type.Integer({
          minimum: 0,
          maximum: 3_000_000,
          description: 'Deviation of the logarithm of limits, millionths.',
        }),
        windowSeconds: Seconds('Bidding period, in seconds.'),
        seed: Type.Optional(
          Type.String({
            pattern: '^0x[0-9a-f]{64}$',
            description: 'Seed, 32 bytes. Default: derived from the request.',
          }),
        ),
      }),
    ],
    { description: "Caller's assumptions, equal for every mechanism." },
  ),
)
export type LaunchDemand = Static<typeof LaunchDemand>
