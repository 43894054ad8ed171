import Type, { type Static } from 'typebox'
import { Block, Evidence, Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import {
  atoms,
  type Better,
  count,
  each,
  measured,
  pips,
  priceX18,
  priceX36,
  seconds,
  titled,
  unitless,
} from '../measures.ts'
import { data, operation, record, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  AtomicAmount,
  closed,
  EvidenceHashes,
  Hash,
  list,
  MidCoarse,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  PriceX36,
  Reason,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { Depth } from './venue-observations.ts'
import { Pair } from './venues.ts'

export const scoreComponents = [
  'DEPTH',
  'EXECUTION_COST',
  'SPREAD',
  'RESILIENCE',
  'CONTINUITY',
  'BALANCE',
  'CONCENTRATION',
  'FLOW_INTEGRITY',
  'PRICE_INTEGRITY',
] as const

export const MarketQualityRequest = named(
  'MarketQualityRequest',
  closed({
    schemaVersion: Type.Literal('market-quality-request-v1'),
    pair: Pair,
    venues: list(Ref, 32, {
      minItems: 1,
      uniqueItems: true,
      description: 'Venues of the market, in exact versions.',
    }),
    window: Type.Optional(
      closed(
        { from: Timestamp, to: Timestamp },
        {
          description: 'Window of six hours to ninety days. Default: the last seven days.',
        },
      ),
    ),
    sampleSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        description:
          'Interval between samples, in seconds. Default: 300; 3,600 for windows above seven days.',
      }),
    ),
    referenceTradeSizeQuote: AtomicAmount,
    tradeSizesQuote: list(AtomicAmount, 12, { minItems: 1, uniqueItems: true }),
    usableSlippagePips: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Slippage limit of usable depth, in pips. Default: 20,000.',
      }),
    ),
    reference: Type.Optional(
      closed(
        { kind: Type.Literal('VENUE'), venue: Ref },
        { description: 'A venue of the pair that only provides a price.' },
      ),
    ),
    weightSet: Type.Literal('mqs-1'),
  }),
)
export type MarketQualityRequest = Static<typeof MarketQualityRequest>

export const GradedSize = named(
  'GradedSize',
  closed(
    {
      currency: oneOf(
        ['USD', 'EUR', 'ETH', 'BTC', 'BNB', 'POL', 'TEST'],
        'Currency of the quote token. TEST: any token of a local or test chain.',
      ),
      tradeSizeQuote: AtomicAmount,
    },
    {
      description:
        'Published trade size of a score and its grade. Scores of different sizes are not comparable.',
    },
  ),
)

const RatioPips = Type.Integer({ minimum: 0, description: 'Millionths; may exceed a million.' })

export const ScoreComponent = named(
  'ScoreComponent',
  measured(
    closed({
      code: oneOf(scoreComponents, 'Assessed area.'),
      weightPips: Pips,
      raw: orNull(
        Type.String({ maxLength: 40, description: 'Measured value in `unit`; null without data.' }),
      ),
      unit: oneOf(['RATIO_PIPS', 'PIPS', 'SECONDS'], 'Unit of raw.'),
      subScorePips: orNull(Pips),
      contributionPips: Pips,
      samples: Type.Integer({ minimum: 0 }),
      coveragePips: Pips,
      method: Type.String({ maxLength: 60, description: 'Measurement method.' }),
    }),
    {
      weightPips: pips('{1/code} weight'),
      subScorePips: pips('{1/code} score', 'HIGHER'),
      contributionPips: pips('{1/code} contribution', 'HIGHER'),
      samples: count('{1/code} samples', 'HIGHER'),
      coveragePips: pips('{1/code} coverage', 'HIGHER'),
    },
  ),
)

const inQuote = (title: string, better?: Better) =>
  atoms('/payload/request/pair/quote', title, better)

export const UsableDepth = measured(
  closed({
    tradeSizeQuote: AtomicAmount,
    buySlippagePips: Pips,
    sellSlippagePips: Pips,
  }),
  {
    tradeSizeQuote: inQuote('Trade size'),
    buySlippagePips: pips('BUY slippage', 'LOWER'),
    sellSlippagePips: pips('SELL slippage', 'LOWER'),
  },
)

/** Medians of the samples in a period. */
const CoursePoint = measured(
  closed({
    from: Timestamp,
    samples: Type.Integer({ minimum: 0 }),
    midX18: orNull(PriceX18),
    midX36: Type.Optional(orNull(PriceX36)),
    isMidCoarse: Type.Optional(MidCoarse),
    depthBuyQuote: orNull(AtomicAmount),
    depthSellQuote: orNull(AtomicAmount),
    slippagePips: orNull(Pips),
    spreadPips: orNull(Pips),
    deviationPips: orNull(Type.Integer({ minimum: 0 })),
  }),
  {
    samples: count('Samples'),
    midX18: priceX18('Median mid price'),
    midX36: priceX36('Median mid price, X36'),
    depthBuyQuote: inQuote('Median BUY depth', 'HIGHER'),
    depthSellQuote: inQuote('Median SELL depth', 'HIGHER'),
    slippagePips: pips('Median slippage', 'LOWER'),
    spreadPips: pips('Median spread', 'LOWER'),
    deviationPips: pips('Median deviation from the reference', 'LOWER'),
  },
)

export const ScoreDiagnostics = named(
  'ScoreDiagnostics',
  measured(
    closed(
      {
        kyleLambdaX18: orNull(SignedAmount),
        amihudX18: orNull(AtomicAmount),
        rollSpreadPips: orNull(RatioPips),
        realizedVolAnnualPips: orNull(RatioPips),
        turnoverRatioPips: orNull(RatioPips),
        lvrPerVolumePips: orNull(RatioPips),
        markout300Pips: orNull(
          Type.Integer({ description: 'Below zero: traders lost to the pool.' }),
        ),
      },
      { description: 'Displayed, never scored; null if the window has no data.' },
    ),
    {
      kyleLambdaX18: unitless,
      amihudX18: unitless,
      ...each(pips, {
        rollSpreadPips: 'Roll spread',
        realizedVolAnnualPips: 'Realized volatility, annual',
        turnoverRatioPips: 'Turnover ratio',
        lvrPerVolumePips: 'LVR per volume',
        markout300Pips: 'Markout after 300 s',
      }),
    },
  ),
)

export const OwnFlow = named(
  'OwnFlow',
  measured(
    closed(
      {
        trades: Type.Integer({ minimum: 0, description: 'Number of trades.' }),
        volumeQuote: AtomicAmount,
        sharePips: Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'Share of the volume of all trades.',
        }),
        issuerSharePips: Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description:
            'Part of sharePips by declared accounts (treasury containers, vaults, claimants of project control, owners of positions), and by signers that got tokens from one or passed proceeds to one.',
        }),
        // Optional: absent in scores sealed before this field existed.
        assertedSharePips: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description:
              'Part of issuerSharePips that rests on accounts without a control proof or custody evidence of their holders. The score is the lower one with and without this flow.',
          }),
        ),
      },
      {
        description:
          'Trades that recovery, volume and confidence leave out: of declared accounts and their counterparts, and of signers that share a source or a receiver of tokens. Customers of one exchange can be among the latter. Null without trades or without their signers.',
      },
    ),
    {
      trades: count('Own trades', 'LOWER'),
      volumeQuote: inQuote('Own volume', 'LOWER'),
      sharePips: pips('Own flow', 'LOWER'),
      issuerSharePips: pips('Own flow of the issuer', 'LOWER'),
      assertedSharePips: pips('Own flow without proof', 'LOWER'),
    },
  ),
)

export const MarketQualityScore = named(
  'MarketQualityScore',
  measured(
    closed({
      request: MarketQualityRequest,
      window: measured(
        closed({
          from: Timestamp,
          to: Timestamp,
          sampleSeconds: Type.Integer({ minimum: 60 }),
        }),
        { sampleSeconds: seconds('Sample interval') },
      ),
      state: oneOf(
        ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
        'COMPLETED carries a score, PARTIAL an indicative score, ABSTAINED no score.',
      ),
      assessesMarketHealth: Type.Boolean(),
      reasons: list(Type.String({ maxLength: 80 }), 32),
      scorePips: orNull(Pips),
      indicativeScorePips: orNull(Pips),
      grade: orNull(
        oneOf(
          ['A', 'B', 'C', 'D', 'E'],
          'Grade by score in pips, from 850k (A), 700k (B), 550k (C), 400k (D), below (E).',
        ),
      ),
      interval90: orNull(
        Type.Unsafe<readonly [number, number]>(
          list(Pips, 2, { minItems: 2, description: 'Low and high end of the score.' }),
        ),
      ),
      gradedSize: Type.Optional(orNull(GradedSize)),
      requestedSize: Type.Optional(
        measured(
          closed(
            { tradeSizeQuote: AtomicAmount, medianSlippagePips: orNull(Pips) },
            {
              description:
                'Median slippage of the worse side at the requested reference size. Not graded.',
            },
          ),
          {
            tradeSizeQuote: inQuote('Requested trade size'),
            medianSlippagePips: pips('Median slippage at the requested size', 'LOWER'),
          },
        ),
      ),
      confidencePips: Pips,
      caps: list(Type.String({ maxLength: 40 }), 6, { description: 'Caps that bind.' }),
      components: list(ScoreComponent, scoreComponents.length),
      diagnostics: ScoreDiagnostics,
      // Optional: absent in scores sealed before this field existed.
      ownFlow: Type.Optional(orNull(OwnFlow)),
      passportClaims: orNull(
        measured(
          closed({
            usableDepthByTradeSize: list(UsableDepth, 12, {
              description: 'Values at the end of the window, by ascending size.',
            }),
            historicalReliabilityPips: Pips,
            dataFreshnessSeconds: Type.Integer({ minimum: 0 }),
            majorIncidentCount: Type.Integer({ minimum: 0 }),
          }),
          {
            usableDepthByTradeSize: titled('Usable depth'),
            historicalReliabilityPips: pips('Historical reliability', 'HIGHER'),
            dataFreshnessSeconds: seconds('Age of the data', 'LOWER'),
            majorIncidentCount: count('Major incidents', 'LOWER'),
          },
        ),
      ),
      depth: list(Depth, 8, {
        description:
          'Total of all venues at the end of the window, at most the median of the samples of its last day.',
      }),
      shortLivedDepthPips: Type.Optional(
        orNull(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description:
              'Share of depth over time from liquidity that was removed within ten minutes of its addition. Null for StableSwap pools and without samples; absent in older scores.',
          }),
        ),
      ),
      course: list(CoursePoint, 200),
      validUntil: Timestamp,
      keepActive: Type.Optional(
        Type.Literal(true, {
          description:
            'True if an operator enabled automatic refresh: the score of the pair is measured again on schedule and each new score activated.',
        }),
      ),
      lastBlocks: list(Block, 33, { description: 'Last block read per venue.' }),
      evidence: Evidence,
    }),
    {
      request: unitless,
      scorePips: pips('Market quality score', 'HIGHER'),
      indicativeScorePips: pips('Indicative market quality score', 'HIGHER'),
      interval90: pips('90 % interval of the score'),
      gradedSize: unitless,
      confidencePips: pips('Confidence of the score', 'HIGHER'),
      depth: inQuote('Depth', 'HIGHER'),
      shortLivedDepthPips: pips('Short-lived depth', 'LOWER'),
      course: titled('Score history'),
      lastBlocks: unitless,
      evidence: unitless,
    },
  ),
)
export type MarketQualityScore = Static<typeof MarketQualityScore>
export const MarketQualityScoreRecord = versioned('MarketQualityScore', MarketQualityScore)

const MarketQualityCreate = named(
  'MarketQualityCreate',
  closed({
    payload: MarketQualityRequest,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const ScoreActivation = named(
  'ScoreActivation',
  closed({
    resourceVersion: Type.Optional(Hash),
    keepActive: Type.Optional(
      Type.Literal(true, {
        description:
          "Automatic refresh of the pair's score: the schedule SCORE_REFRESH repeats the measurement for a window that ends now. A COMPLETED score with sufficient confidence replaces this score.",
      }),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const family = 'Market quality, attribution and alerts'

const heading = { tag: 'Intelligence', family: 'Market quality, attribution and alerts' } as const

const scores = {
  path: '/scores',
  ...heading,
  one: 'MarketQualityScore',
  record: MarketQualityScoreRecord,
  auth: scoped('scores:read'),
} as const

const moves = {
  COMPLETED: ['ACTIVE'],
  ACTIVE: ['RETIRED', 'EXPIRED'],
  PARTIAL: [],
  ABSTAINED: [],
  RETIRED: [],
  EXPIRED: [],
} as const

export const listScores = listOperation(scores, {
  id: 'listScores',
  summary: 'List scores',
  query: recordQuery(moves),
})

export const createScores = operation({
  id: 'createScores',
  method: 'POST',
  path: '/scores',
  tag: 'Intelligence',
  family,
  summary: 'Score the market quality of a pair',
  description:
    'Measures the venues of a pair over a window of sealed observations and scores them by the published weight set, at the published trade size of the quote currency. COMPLETED includes a score; missing data gives PARTIAL or ABSTAINED, with reasons. A passport names a score by marketQualityScoreId.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: MarketQualityCreate,
  response: record(MarketQualityScoreRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_VENUE_NOT_VALIDATED',
    'LIQUIDITY_SCORE_REQUEST_INVALID',
    'LIQUIDITY_SCORE_SAMPLING_TOO_FINE',
  ],
  example: {
    body: {
      payload: {
        schemaVersion: 'market-quality-request-v1',
        pair: {
          chainId: 31337,
          base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
          quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          baseDecimals: 18,
          quoteDecimals: 18,
        },
        venues: [
          {
            id: 'venue_example',
            resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
          },
        ],
        referenceTradeSizeQuote: '1000000000000000000',
        tradeSizesQuote: ['1000000000000000000', '10000000000000000000'],
        weightSet: 'mqs-1',
      },
      reason: 'Weekly market quality score',
    },
  },
})

export const getScores = getOperation(scores, { id: 'getScores', summary: 'Read one score' })

export const activateMarketQualityScore = operation({
  id: 'activateMarketQualityScore',
  method: 'POST',
  path: '/scores/{id}/activate',
  tag: 'Intelligence',
  family,
  summary: 'Activate a score',
  description:
    'Activates a COMPLETED score for its pair, at most a day after its window, and retires the previous score. It expires seven days after its window, unless automatic refresh is on: then newer scores replace it until PATCH /schedules/{id} turns this off.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: ScoreActivation,
  response: data(MarketQualityScoreRecord),
  errors: [
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_SCORE_NOT_ACTIVATABLE',
    'LIQUIDITY_SCORE_STALE',
    'LIQUIDITY_SCORE_SUPERSEDED',
  ],
  example: { body: { reason: 'Published with the weekly report' } },
})

export const scoreFamily = declareFamily({
  module: 'intelligence/scores',
  operations: [listScores, createScores, getScores, activateMarketQualityScore],
  type: 'MarketQualityScore',
  prefix: 'score',
  name: 'score',
  plural: 'market quality scores',
  payload: MarketQualityScore,
  moves,
  events: ['score.computed', 'score.activated', 'score.retired', 'score.expired'],
  title: null,
  columns: [
    'payload.grade',
    'payload.scorePips',
    'payload.confidencePips',
    'payload.window.to',
    'status',
  ],
  ui: {
    page: 'markets/quality',
    task: 'Market quality',
    icon: 'gauge',
    summary: 'Market quality scores and components.',
    empty: 'Index a venue first, then compute a score.',
    head: ['payload.grade', 'payload.scorePips', 'payload.confidencePips'],
    actions: {
      createScores: { label: 'Compute score' },
      activateMarketQualityScore: { label: 'Activate score', when: ['COMPLETED'] },
    },
    docs: 'scores',
  },
})
