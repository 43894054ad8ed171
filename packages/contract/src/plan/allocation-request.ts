import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import { AtomicAmount, closed, EvidenceHashes, list, named, oneOf, Reason } from '../scalars.ts'
import { RangeTemplate } from './strategy-definition.ts'

export const OptionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name of an option inside the plan.',
})
const Side = oneOf(['BUY', 'SELL'], 'Side of the market, seen from the base token.')

/** A possible position for capital: one or several ranges of one venue. */
export const AllocationOption = named(
  'AllocationOption',
  closed({
    optionId: OptionId,
    venue: Ref,
    template: RangeTemplate,
    maxQuote: Type.Optional(AtomicAmount),
  }),
)

export const DepthTarget = named(
  'AllocationDepthTarget',
  closed({
    bandPips: Type.Integer({
      minimum: 1,
      maximum: 999_999,
      description: 'Distance from the price of each venue, in pips.',
    }),
    side: Side,
    minQuote: AtomicAmount,
  }),
)

export const SizeTarget = named(
  'AllocationSizeTarget',
  closed({
    sizeQuote: AtomicAmount,
    side: Side,
    maxSlippagePips: Type.Integer({
      minimum: 1,
      maximum: 999_999,
      description: 'Maximum cost of a trade of the size relative to the price, fee included.',
    }),
  }),
)

const Share = (what: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, description: `${what}, in pips.` })

export const AllocationLimits = named(
  'AllocationLimits',
  closed({
    perOptionPips: Share('Maximum share of the placed value in one option'),
    perVenuePips: Share('Maximum share of the placed value in one venue'),
    perChainPips: Share('Maximum share of the budget on the chain of the pair'),
    minPositionQuote: Type.Optional(AtomicAmount),
    maxPositions: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'Maximum number of options.' }),
    ),
    turnoverQuote: Type.Optional(AtomicAmount),
  }),
)

/** Request for the cheapest allocation that meets the targets within the limits. */
export const AllocationRequest = named(
  'AllocationRequest',
  closed({
    schemaVersion: Type.Literal('allocation-plan-v1'),
    pair: Pair,
    budget: closed(
      { base: AtomicAmount, quote: AtomicAmount },
      { description: 'Total capital, including existing positions.' },
    ),
    options: list(AllocationOption, 64, { minItems: 1 }),
    targets: list(DepthTarget, 12, { minItems: 1 }),
    sizeTargets: Type.Optional(list(SizeTarget, 12, { minItems: 1 })),
    existing: Type.Optional(
      list(closed({ optionId: OptionId, valueQuote: AtomicAmount }), 64, {
        description: 'Existing capital in the options; the observed pools include it.',
      }),
    ),
    limits: AllocationLimits,
    risk: Type.Optional(
      closed(
        {
          study: Ref,
          confidencePips: Type.Optional(
            Type.Integer({
              minimum: 500_000,
              maximum: 999_999,
              description: 'Confidence of the CVaR, in pips. Default: 950,000.',
            }),
          ),
          maxCvarQuote: AtomicAmount,
        },
        {
          description:
            'CVaR vs HODL, before fees, on the price paths of a completed MONTE_CARLO study of the pair.',
        },
      ),
    ),
    horizonSeconds: Type.Integer({
      minimum: 3600,
      maximum: 94_608_000,
      description: 'Horizon of income and losses.',
    }),
    toleranceBps: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description:
          'Maximum shortfall of an exact quote vs its target, in basis points. Default: 10.',
      }),
    ),
    maxStateAgeSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 3_153_600_000,
        description: 'Maximum age of an observed state, in seconds. Default: 21,600.',
      }),
    ),
  }),
)
export type AllocationRequest = Static<typeof AllocationRequest>

export const AllocationPlanRequest = named(
  'AllocationPlanRequest',
  closed({
    payload: AllocationRequest,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const pair = {
  chainId: 31337,
  base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
  quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  baseDecimals: 18,
  quoteDecimals: 18,
} as const
const venue = {
  id: 'venue_example',
  resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
} as const

/**
 * Two ranges and a full range of one pool, with a depth target of 0.2 within 2 %, on a chain with a
 * frozen clock.
 */
export const allocationExample = {
  schemaVersion: 'allocation-plan-v1',
  pair,
  budget: { base: '2000000000000000000000', quote: '10000000000000000000' },
  options: [
    { optionId: 'whole', venue, template: { kind: 'FULL_RANGE' } },
    {
      optionId: 'wide',
      venue,
      template: { kind: 'RANGE', lowerPips: 400_000, upperPips: 400_000 },
    },
    {
      optionId: 'narrow',
      venue,
      template: { kind: 'RANGE', lowerPips: 100_000, upperPips: 100_000 },
    },
  ],
  targets: [
    { bandPips: 20_000, side: 'BUY', minQuote: '200000000000000000' },
    { bandPips: 20_000, side: 'SELL', minQuote: '200000000000000000' },
  ],
  limits: { perOptionPips: 800_000, perVenuePips: 1_000_000, perChainPips: 1_000_000 },
  horizonSeconds: 604_800,
  maxStateAgeSeconds: 3_153_600_000,
} as const
