import Type, { type Static } from 'typebox'
import { Block, noAuthority, Ref, SourceRef, versioned } from '../envelope.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  PriceX18,
  Reason,
  Timestamp,
} from '../scalars.ts'
import { SignedQuantity, SignedTime } from '../signed-scalars.ts'
import { VenueKey } from './market-maker-mandate.ts'

export const bookSources = ['PUBLIC_BOOK', 'MAKER_ORDERS', 'ONCHAIN'] as const
export const trustClasses = ['SELF_REPORTED', 'MAKER_SIGNED', 'INDEPENDENT', 'ONCHAIN'] as const
export type TrustClass = (typeof trustClasses)[number]

const Trust = oneOf(
  trustClasses,
  'SELF_REPORTED: sent by a member of the organization. MAKER_SIGNED: signed with a declared key of the market maker. INDEPENDENT: fetched by the service from a MARKET_DATA provider. ONCHAIN: derived by the service from proved observations of the bound venue.',
)

const Levels = (description: string) =>
  list(closed({ priceX18: SignedQuantity, size: SignedQuantity }), 200, { description })

export const BookSample = closed({
  at: SignedTime,
  bids: Levels('Best first: price in quote atoms per base atom times 10^18, size in base atoms.'),
  asks: Levels('Best first.'),
  makerBids: Type.Optional(Levels('Own orders in a PUBLIC_BOOK, of the same instant.')),
  makerAsks: Type.Optional(Levels('Own orders in a PUBLIC_BOOK, of the same instant.')),
  sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 9_007_199_254_740_991,
      description: 'Number that the venue gave the book; ascends within a batch.',
    }),
  ),
})
export type BookSample = Static<typeof BookSample>

export const ObservationBatch = named(
  'ObservationBatch',
  closed(
    {
      source: oneOf(
        bookSources,
        "PUBLIC_BOOK: the public book. MAKER_ORDERS: only the market maker's orders. ONCHAIN: the service derives the book of a bound venue at each `at`; bids and asks are then empty.",
      ),
      venueKey: VenueKey,
      samples: list(BookSample, 1440, { minItems: 1, description: 'Ascending, no time twice.' }),
      signature: Type.Optional(
        closed({
          keyIndex: Type.Integer({
            minimum: 0,
            maximum: 7,
            description: 'Place in `marketMaker.signerKeys`.',
          }),
          value: Type.String({
            pattern: '^([A-Za-z0-9+/]{86}==|0x[0-9a-f]{130})$',
            description: 'ED25519: 64 bytes in base64. EIP191: r, s and v of 27 or 28 in hex.',
          }),
        }),
      ),
    },
    {
      description:
        'Signed object. The signed message is `liquidity-os/mm-observation/v1`, a line feed and the RFC 8785 form of this object without `signature`. It is used as sent: scalars must use their canonical form, else 422.',
    },
  ),
)
export type ObservationBatch = Static<typeof ObservationBatch>

export const ObservationBatchWrite = closed({
  payload: ObservationBatch,
  evidenceHashes: Type.Optional(EvidenceHashes),
  reason: Reason,
})
export type ObservationBatchWrite = Static<typeof ObservationBatchWrite>

const WindowSpan = { from: Timestamp, to: Timestamp }
const Value = orNull(AtomicAmount)

export const KpiEvaluation = named(
  'KpiEvaluation',
  closed({
    kpiId: Type.String({ maxLength: 40 }),
    window: closed(
      { ...WindowSpan, isRunning: Type.Boolean() },
      { description: 'Cut by the period and, while it runs, by the moment of the evaluation.' },
    ),
    measured: orNull(
      oneOf(
        ['MAKER_ORDERS', 'PUBLIC_BOOK', 'LOAN'],
        "Quotes used: the market maker's orders if any are known in the window, with data gaps at other times; otherwise the public book.",
      ),
    ),
    observed: Value,
    pessimistic: Value,
    optimistic: Value,
    whileQuoting: Value,
    spread95Pips: Value,
    attestedPips: Value,
    coveragePips: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    gapSeconds: Type.Integer({ minimum: 0 }),
    excludedSeconds: Type.Integer({ minimum: 0 }),
    comparator: oneOf(['GTE', 'LTE'], 'Comparison of the KPI.'),
    threshold: AtomicAmount,
    verdict: oneOf(
      ['MET', 'BREACHED', 'INDETERMINATE'],
      'MET: even with every gap at its worst. BREACHED: even with every gap at its best.',
    ),
    reason: orNull(
      oneOf(
        ['EXCLUDED', 'NO_SAMPLE', 'COVERAGE_BELOW_MINIMUM', 'BETWEEN_BOUNDS'],
        'Reason for INDETERMINATE.',
      ),
    ),
    trust: orNull(Trust),
    contradictions: Type.Integer({ minimum: 0, description: 'Samples that count as not quoted.' }),
    batches: closed({
      count: Type.Integer({ minimum: 0 }),
      root: Hash,
    }),
    told: orNull(
      closed(
        {
          at: Timestamp,
          verdict: oneOf(['MET', 'BREACHED', 'INDETERMINATE'], 'Published result of the window.'),
        },
        { description: 'Published result at window close; null before.' },
      ),
    ),
  }),
)
export type KpiEvaluation = Static<typeof KpiEvaluation>

const SampleContradiction = closed({
  at: Timestamp,
  publicAt: Timestamp,
  ownBatch: Hash,
  publicBatch: Hash,
  publicTrust: Trust,
  side: oneOf(['BID', 'ASK'], 'Side of the order.'),
  code: oneOf(
    ['BETTER_THAN_PUBLIC', 'LARGER_THAN_PUBLIC'],
    'Better than the best public price, or larger than all that was public at its price.',
  ),
  priceX18: PriceX18,
  size: AtomicAmount,
  publicSize: AtomicAmount,
})
export type SampleContradiction = Static<typeof SampleContradiction>

const engine = { engineVersion: Type.String(), engineBuildHash: Hash }

const BookBatch = closed({
  source: oneOf(bookSources, 'Book type.'),
  mandate: Ref,
  number: Type.Integer({ minimum: 1, description: 'Counts the evidence of a mandate.' }),
  venueKey: VenueKey,
  trust: Trust,
  signer: orNull(closed({ keyIndex: Type.Integer(), key: Type.String({ maxLength: 80 }) })),
  batchHash: Hash,
  rawArtifact: Hash,
  rawBytes: Type.Integer({ minimum: 1 }),
  measuresArtifact: Hash,
  from: Timestamp,
  to: Timestamp,
  samples: Type.Integer({ minimum: 1 }),
  repeated: Type.Integer({ minimum: 0, description: 'Samples that other batches had already.' }),
  hasOwnOrders: Type.Boolean(),
  observations: list(Ref, 256, { description: 'For ONCHAIN: the proved observations.' }),
  provider: orNull(Ref),
  contradictions: closed({
    count: Type.Integer({ minimum: 0 }),
    found: list(SampleContradiction, 100, { description: 'First contradictions by time.' }),
  }),
  days: list(
    closed({
      day: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
      artifact: Hash,
      terms: Hash,
    }),
    16,
    {
      description:
        'Affected UTC days, with the sums of each day as of this batch and the hash of the applicable terms.',
    },
  ),
  evaluations: list(KpiEvaluation, 512, {
    description:
      'Results of the affected windows with observations, from all evidence known with this batch.',
  }),
  ...engine,
  ...noAuthority,
})

const LoanReadingView = closed({
  source: Type.Literal('LOAN', { description: "Market maker's balance of lent tokens." }),
  mandate: Ref,
  number: Type.Integer({ minimum: 1 }),
  at: Timestamp,
  blocks: list(Block, 32),
  wallets: list(
    closed({
      chainId: ChainId,
      address: Address,
      balance: AtomicAmount,
      proof: oneOf(
        ['MERKLE', 'READ'],
        'Evidence type: proven with the state root, or reported by a provider.',
      ),
    }),
    32,
  ),
  onChain: AtomicAmount,
  custody: list(closed({ evidence: SourceRef, quantity: AtomicAmount }), 64),
  attested: AtomicAmount,
  loan: SourceRef,
  lent: AtomicAmount,
  coveragePips: AtomicAmount,
  onChainPips: AtomicAmount,
  evidenceHash: Hash,
  ...engine,
  ...noAuthority,
})

/** A batch of order books, or a loan observation. */
export const MarketMakerObservation = named(
  'MarketMakerObservation',
  Type.Union([BookBatch, LoanReadingView]),
)
export type MarketMakerObservation = Static<typeof MarketMakerObservation>
export type MandateBookBatch = Static<typeof BookBatch>
export type MandateLoanReading = Static<typeof LoanReadingView>
export const MarketMakerObservationRecord = versioned(
  'MarketMakerObservation',
  MarketMakerObservation,
)

export const MandateEvaluations = named(
  'MandateEvaluations',
  closed({
    mandate: Ref,
    asOf: Timestamp,
    evaluations: list(KpiEvaluation, 32),
    ...engine,
    ...noAuthority,
  }),
)
export type MandateEvaluations = Static<typeof MandateEvaluations>
