import Type, { type Static } from 'typebox'
import { Block, Evidence, noAuthority, Ref } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

export const rewardAdapterIds = ['account-transfer-v1', 'contract-transfer-v1'] as const
const mostVenues = 16

export const IncentiveAdapterAttestation = named(
  'IncentiveAdapterAttestation',
  closed(
    {
      schemaVersion: Type.Literal('incentive-adapter-attestation-v1'),
      adapterId: Type.String({ minLength: 1, maxLength: 63 }),
      chainId: Type.Integer({ minimum: 1 }),
      venue: Address,
      distributor: Address,
      rewardAsset: Address,
      codeHash: Hash,
      expiresAt: Timestamp,
    },
    { description: 'Distributor of the rewards of a venue, and its reviewed code.' },
  ),
)

const IncentiveVenue = closed({
  venue: Ref,
  adapterId: Type.String({
    minLength: 1,
    maxLength: 63,
    description: `One of ${rewardAdapterIds.join(', ')}.`,
  }),
  adapterEvidenceHash: Hash,
  attestation: IncentiveAdapterAttestation,
  maxPips: Type.Optional(Pips),
})

export const IncentiveProgramRequest = named(
  'IncentiveProgramRequest',
  closed({
    schemaVersion: Type.Literal('incentive-program-v1'),
    pair: Pair,
    rewardAsset: Address,
    rewardPriceX18: Type.Optional(PriceX18),
    budget: AtomicAmount,
    start: Timestamp,
    days: Type.Integer({ minimum: 7, maximum: 180 }),
    venues: list(IncentiveVenue, mostVenues, { minItems: 1 }),
    objective: oneOf(
      ['TRADER_COST_SAVED', 'DEPTH_DAYS', 'VOLUME'],
      'Objective of the budget; TRADER_COST_SAVED is net of rewards and dilution.',
    ),
    baseline: closed({
      from: Timestamp,
      to: Timestamp,
      observations: list(Ref, 512, { minItems: 1, uniqueItems: true }),
      controls: Type.Optional(
        list(Ref, mostVenues, {
          uniqueItems: true,
          description: 'Venues without rewards that the rewarded ones are compared with.',
        }),
      ),
    }),
    confidencePips: Type.Integer({ minimum: 500_000, maximum: 999_000 }),
    minimumLiftPips: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
    requireNetPositive: Type.Boolean(),
    mode: oneOf(
      ['PILOT', 'FULL'],
      'A PILOT measures how liquidity responds; FULL needs a program that has measured it.',
    ),
    distribution: Type.Optional(
      closed(
        { feesPips: Pips, basePips: Pips, quotePips: Pips },
        {
          description:
            'Reward weights of a position; rejected, because the adapter determines the sharing of rewards.',
        },
      ),
    ),
    priorPrograms: Type.Optional(list(Ref, 16, { uniqueItems: true })),
  }),
)
export type IncentiveProgramRequest = Static<typeof IncentiveProgramRequest>

export const Dist = named(
  'IncentiveDist',
  closed(
    {
      n: Type.Integer({ minimum: 1 }),
      mean: SignedAmount,
      sd: AtomicAmount,
      q: closed({
        p01: SignedAmount,
        p05: SignedAmount,
        p25: SignedAmount,
        p50: SignedAmount,
        p75: SignedAmount,
        p95: SignedAmount,
        p99: SignedAmount,
      }),
      meanCi95: Type.Unsafe<readonly [string, string]>(list(SignedAmount, 2, { minItems: 2 })),
    },
    { description: 'Over the parameter draws.' },
  ),
)

const SignedPips = Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000_000 })

/** An estimate with its interval at the confidence of the program. */
const Measured = closed({ estimatePips: SignedPips, lowPips: SignedPips, highPips: SignedPips })

const Allocation = closed({
  venueId: RecordId,
  rewardPerDay: AtomicAmount,
  sharePips: Pips,
  weeksOn: orNull(
    list(Type.Boolean(), 26, {
      description: 'For a PILOT: the reward weeks; null in FULL, which pays daily.',
    }),
  ),
})

export const IncentiveForecast = named(
  'IncentiveForecast',
  closed(
    {
      depthLift: orNull(Dist),
      depthLiftPips: orNull(Measured),
      volumeLift: orNull(Dist),
      traderCostSaved: orNull(Dist),
      ownFeeDilution: orNull(Dist),
      cost: Dist,
      net: orNull(Dist),
    },
    { description: 'Quote atoms; null in a PILOT, which measures the response.' },
  ),
)

export const IncentiveResult = named(
  'IncentiveResult',
  closed({
    allocation: list(Allocation, mostVenues),
    forecast: IncentiveForecast,
    marginal: list(
      closed({
        venueId: RecordId,
        nextUnitBenefit: orNull(SignedAmount),
      }),
      mostVenues,
      { description: 'Objective per whole quote token more of spend, in atoms.' },
    ),
    frontier: list(
      closed({
        spendQuote: AtomicAmount,
        low: SignedAmount,
        mean: SignedAmount,
        high: SignedAmount,
      }),
      16,
      { description: 'The best objective at each spend with its band; empty in a PILOT.' },
    ),
    retention: orNull(
      closed({ estimatePips: Pips, lowPips: Pips, highPips: Pips, isMeasured: Type.Boolean() }),
    ),
    alternatives: list(closed({ name: Type.String({ maxLength: 40 }), net: Dist }), 3),
    guards: list(
      closed({
        code: Type.String({ maxLength: 60 }),
        reached: Type.String({ maxLength: 120 }),
        required: Type.String({ maxLength: 120 }),
      }),
      16,
      { description: 'Acceptance thresholds and results of the program.' },
    ),
    solver: orNull(
      closed({
        version: Type.String({ maxLength: 120 }),
        modelHash: Hash,
        primalHash: Hash,
        dualHash: Hash,
        gapPips: Type.Integer({ minimum: 0 }),
        isProved: Type.Boolean(),
        cuts: Type.Integer({ minimum: 0 }),
      }),
    ),
    ...noAuthority,
  }),
)
export type IncentiveResult = Static<typeof IncentiveResult>

export const IncentiveEvaluation = named(
  'IncentiveEvaluation',
  closed(
    {
      state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'ABSTAINED: no statement on the effect.'),
      reasons: list(Type.String({ maxLength: 80 }), 16),
      through: Timestamp,
      dayOfProgram: Type.Integer({ minimum: 0 }),
      method: orNull(
        oneOf(
          ['BEFORE_AFTER', 'DIFFERENCE_IN_DIFFERENCES', 'SYNTHETIC_CONTROL'],
          'Counterfactual method for the depth.',
        ),
      ),
      liftPips: orNull(Measured),
      responsePips: orNull(Measured),
      responseErrorPips: orNull(Type.Integer({ minimum: 0 })),
      speedPerDayPips: orNull(Pips),
      placeboPPips: orNull(Pips),
      // Optional: evaluations of earlier releases lack it.
      paidReward: Type.Optional(
        orNull({
          ...AtomicAmount,
          description:
            'Reward atoms that the distributors sent to others until a day after the end, less what came back; null where the chain could not be read.',
        }),
      ),
      depthDays: orNull(SignedAmount),
      costPerDepthDayPips: orNull(
        Type.Integer({
          minimum: 0,
          description: 'Quote of reward that was really paid, per quote·day of depth.',
        }),
      ),
      retention: list(
        closed({
          daysAfter: oneOf(['7', '30', '60'], 'Days after the end.'),
          keptPips: SignedPips,
        }),
        3,
      ),
      daysUnderForecast: Type.Integer({ minimum: 0 }),
      recommendation: oneOf(['NONE', 'REVOKE'], 'REVOKE after two weeks under the forecast.'),
      inputsHash: Hash,
    },
    { description: 'Effect of a program so far; appended daily as an event.' },
  ),
)
export type IncentiveEvaluation = Static<typeof IncentiveEvaluation>

export const IncentiveProgram = named(
  'IncentiveProgram',
  closed({
    request: IncentiveProgramRequest,
    result: IncentiveResult,
    baseline: closed({
      days: Type.Integer({ minimum: 28 }),
      coveragePips: Pips,
      venues: list(
        closed({
          venueId: RecordId,
          depthQuote: AtomicAmount,
          ownSharePips: Pips,
          volumePerDay: AtomicAmount,
          feesPerDay: AtomicAmount,
          elasticityPips: Pips,
          elasticityErrorPips: Type.Integer({ minimum: 0 }),
          elasticityIsIdentified: Type.Boolean(),
        }),
        mostVenues,
      ),
      pseudoLiftsPips: list(SignedPips, 5),
    }),
    adapters: list(
      closed({
        venueId: RecordId,
        adapterId: Type.String(),
        distributor: Address,
        codeHash: Hash,
        block: Block,
      }),
      mostVenues,
    ),
    firstDistribution: orNull(closed({ block: Block, transactionHash: Hash })),
    notice: orNull(Type.String({ maxLength: 400 })),
    ...noAuthority,
    evidence: Evidence,
  }),
)
export type IncentiveProgram = Static<typeof IncentiveProgram>
