import Type, { type Static } from 'typebox'
import { Ref, SourceRef, versioned } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  Label,
  list,
  named,
  oneOf,
  Pips,
  Timestamp,
} from '../scalars.ts'

/** Metrics that a public link shows. Loan coverage would reveal a loan. */
export const sharedKpiMetrics = [
  'UPTIME_PIPS',
  'SPREAD_PIPS',
  'DEPTH_QUOTE',
  'TOP_SIZE_QUOTE',
  'PRESENCE_AT_BEST_PIPS',
  'DEPTH_SHARE_PIPS',
] as const
export const kpiMetrics = [...sharedKpiMetrics, 'LOAN_COVERAGE_PIPS'] as const
export type KpiMetric = (typeof kpiMetrics)[number]

export const MandateSignerKey = Type.Union(
  [
    closed({
      algorithm: Type.Literal('ED25519', { description: 'Over the bytes D themselves.' }),
      publicKey: Type.String({
        pattern: '^[A-Za-z0-9+/]{43}=$',
        description: 'The 32 raw bytes in base64.',
        examples: ['O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik='],
      }),
    }),
    closed({
      algorithm: Type.Literal('EIP191', { description: 'personal_sign of the bytes D.' }),
      address: Address,
    }),
  ],
  { description: "Signing key of the market maker's order reports." },
)
export type MandateSignerKey = Static<typeof MandateSignerKey>

export const VenueKey = Type.String({
  pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,39}$',
  description: 'Name of a venue within the mandate; never ALL.',
  examples: ['kraken'],
})

const MandateVenue = closed({
  venueKey: VenueKey,
  kind: oneOf(['CEX', 'DEX'], 'CEX: an order book. DEX: a pool.'),
  name: Label,
  venue: Type.Optional(Ref),
  feed: Type.Optional(
    closed(
      {
        providerId: Type.String({ maxLength: 63, description: 'An active MARKET_DATA provider.' }),
        feed: Type.String({
          maxLength: 40,
          description: 'A BOOK feed of this provider, of the same pair.',
        }),
      },
      {
        description:
          'Source of the public book; the service fetches it automatically, at the interval of the schedule MANDATE_READ.',
      },
    ),
  ),
})

export const MandateKpi = named(
  'MandateKpi',
  closed({
    kpiId: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,39}$',
      description: 'Unique within the mandate.',
      examples: ['uptime'],
    }),
    metric: oneOf(
      kpiMetrics,
      "UPTIME_PIPS: share of time with at least `sizeQuote` on a side within `bandPips` of the mid. SPREAD_PIPS: best ask less best bid, relative to the mid. DEPTH_QUOTE: quote atoms within `bandPips`. TOP_SIZE_QUOTE: quote atoms at the best price. PRESENCE_AT_BEST_PIPS: share of time at the best public price. DEPTH_SHARE_PIPS: market maker's share of public depth. LOAN_COVERAGE_PIPS: market maker's balance relative to its loan. Uptime, presence and coverage are not means over time, the others are; coverage is the minimum of its readings.",
    ),
    venueKey: Type.Union([Type.Literal('ALL'), VenueKey], {
      description:
        'A venue, or ALL: the combined books of all venues, known only while every book is known. Best prices are the best of all; sizes and depths are summed, each depth around the mid of its venue.',
    }),
    side: oneOf(['BID', 'ASK', 'BOTH'], 'BOTH: the weaker side counts at every moment.'),
    bandPips: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Distance from the mid.' }),
    ),
    sizeQuote: Type.Optional(AtomicAmount),
    comparator: oneOf(
      ['GTE', 'LTE'],
      'Comparison with the threshold: at least (GTE) or at most (LTE).',
    ),
    threshold: AtomicAmount,
    window: oneOf(['DAY', 'WEEK', 'MONTH'], 'In UTC; weeks begin on Monday.'),
    minimumCoveragePips: Type.Optional(Pips),
  }),
)
export type MandateKpi = Static<typeof MandateKpi>

const Exclusion = closed({
  from: Timestamp,
  to: Timestamp,
  reason: Type.String({ minLength: 3, maxLength: 200, description: 'Reason for the exclusion.' }),
})

const Compensation = closed({
  model: oneOf(
    ['RETAINER', 'LOAN_OPTION', 'HYBRID'],
    'RETAINER has `feeQuotePerMonth`, LOAN_OPTION `loan`, HYBRID both.',
  ),
  loan: Type.Optional(SourceRef),
  feeQuotePerMonth: Type.Optional(AtomicAmount),
})

const maker = closed({
  name: Label,
  legalEntity: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  signerKeys: list(MandateSignerKey, 8),
  wallets: list(closed({ chainId: ChainId, address: Address }), 32, {
    description: 'Accounts that may contain lent tokens.',
  }),
})

export const MarketMakerMandate = named(
  'MarketMakerMandate',
  closed({
    title: Label,
    marketMaker: maker,
    pair: Pair,
    venues: list(MandateVenue, 16, { minItems: 1 }),
    kpis: list(MandateKpi, 32, { minItems: 1 }),
    samplingSeconds: Type.Integer({
      minimum: 10,
      maximum: 600,
      description:
        'Sample interval of books, in seconds. A sample is valid until the next one, at most for twice the interval.',
    }),
    exclusions: list(Exclusion, 64, {
      description: 'Excluded times, agreed before they begin.',
    }),
    compensation: Compensation,
    period: closed({ from: Timestamp, to: Timestamp }),
    documentHash: Type.Optional(Hash),
  }),
)
export type MarketMakerMandate = Static<typeof MarketMakerMandate>
export const MarketMakerMandateRecord = versioned('MarketMakerMandate', MarketMakerMandate)
