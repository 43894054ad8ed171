import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import {
  AtomicAmount,
  BlockNumber,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { treasuryPurposes } from './treasury-bucket.ts'
import { TreasuryGap } from './treasury-computation.ts'
import { ControlSplit, TreasuryControl } from './treasury-control.ts'
import { TreasuryLadder, TreasuryRunway } from './treasury-projection.ts'
import { AssetKey, TreasuryTier } from './treasury-terms.ts'

const Age = Type.Integer({ minimum: 0, description: 'Seconds before `asOf`.' })

const Values = list(
  closed({ quoteKey: AssetKey, amount: AtomicAmount, control: ControlSplit }),
  64,
  {
    description: 'Values by quote; values in different quotes are not added. Rounded down.',
  },
)

const Holding = closed({
  entry: SourceRef,
  assetKey: AssetKey,
  tier: TreasuryTier,
  purpose: oneOf(treasuryPurposes, 'Purpose of the holding.'),
  quantity: AtomicAmount,
  unrestricted: AtomicAmount,
  restricted: AtomicAmount,
  reserved: AtomicAmount,
  value: orNull(closed({ quoteKey: AssetKey, amount: AtomicAmount })),
  proof: oneOf(['MERKLE', 'READ', 'SIGNED'], 'Evidence of the quantity.'),
  control: TreasuryControl,
  evidenceHash: orNull(Hash),
  observedAt: Timestamp,
  ageSeconds: Age,
})

const latest = {
  availability: oneOf(['FOUND', 'NONE'], 'NONE: no record yet.'),
  source: orNull(SourceRef),
  status: orNull(Type.String({ maxLength: 40 })),
  ageSeconds: orNull(
    Type.Integer({
      minimum: 0,
      description:
        'Age in seconds at `asOf`: since its blocks; for evidence since its block, or since issue without a block. Later writes to a record do not reset the age.',
    }),
  ),
}
const Latest = (what: string) => closed(latest, { description: what })

const LatestReconciliation = closed(
  {
    ...latest,
    agreement: orNull(oneOf(['AGREED', 'DIFFERENCES', 'INCOMPLETE'], 'Reconciliation result.')),
    openBreaks: orNull(Type.Integer({ minimum: 0, description: 'Lines that do not agree.' })),
    oldestBreakDays: orNull(
      Type.Integer({
        minimum: 0,
        description: 'Whole days at `asOf` since the oldest break was first seen.',
      }),
    ),
  },
  {
    description: 'Reconciliation of the latest blocks; its fields are null if none exists.',
  },
)

const LatestStress = closed(
  {
    ...latest,
    quoteKey: orNull(AssetKey),
    confidencePips: orNull(Pips),
    expectedShortfallQuote: orNull(SignedAmount),
    controlledExpectedShortfallQuote: orNull(SignedAmount),
  },
  {
    description:
      'The newest stress test. The shortfalls are null if none exists, or if it simulated no paths. `controlledExpectedShortfallQuote`, the headline, counts PROVEN and ATTESTED holdings only; it is also null if its evidence has ended.',
  },
)

export const freshFamilies = [
  'ENTRIES',
  'RECONCILIATION',
  'PROJECTION',
  'STRESS',
  'CUSTODY',
  'CONTROL',
] as const

export type FreshFamily = (typeof freshFamilies)[number]

const Freshness = closed({
  family: oneOf(
    freshFamilies,
    'ENTRIES: the holding with the oldest read. CUSTODY: the oldest live evidence, among the latest per container and asset. CONTROL: the oldest live proof, among the latest per claim (chain, token, claimant, method and role). Otherwise the record of `latest`.',
  ),
  ageSeconds: orNull(
    Type.Integer({
      minimum: 0,
      description: 'Age in seconds at `asOf`. Null without a record, or without a live record.',
    }),
  ),
  staleAfterSeconds: orNull(
    Type.Integer({
      minimum: 1,
      description: 'Null if each has a separate end.',
    }),
  ),
  stale: Type.Boolean({
    description:
      'True if older than the limit. CUSTODY and CONTROL: true if evidence has ended for a container or a claim without live evidence. False if no evidence ever existed.',
  }),
})

export const TreasurySummary = named(
  'TreasurySummary',
  closed({
    asOf: Timestamp,
    snapshots: list(
      closed({
        chainId: ChainId,
        blockNumber: BlockNumber,
        blockHash: Hash,
        timestamp: Timestamp,
        entries: Type.Integer({ minimum: 1, description: 'Holdings that were read there.' }),
      }),
      1000,
      {
        description: 'The blocks that holdings were read at, ascending by chain and number.',
      },
    ),
    holdings: list(Holding, 8000, {
      description:
        'Entries of the tiers T0 to T3, oldest first, each at its block. A claim is listed by its legs, each with its asset, quantity, tier and value.',
    }),
    byTier: list(closed({ tier: TreasuryTier, entries: Type.Integer(), values: Values }), 4),
    byPurpose: list(
      closed({
        purpose: oneOf(treasuryPurposes, 'Purpose of the holding.'),
        entries: Type.Integer(),
        values: Values,
      }),
      20,
    ),
    byAsset: list(
      closed({
        assetKey: AssetKey,
        quantity: AtomicAmount,
        quantityControl: ControlSplit,
        unrestricted: AtomicAmount,
        restricted: AtomicAmount,
        reserved: AtomicAmount,
        values: Values,
      }),
      1000,
    ),
    ownToken: list(Holding, 8000, {
      description:
        'The own token, undeclared tokens, and their legs in claims: listed separately, excluded from totals.',
    }),
    encumbered: list(
      closed({ quoteKey: AssetKey, amount: AtomicAmount, control: ControlSplit }),
      64,
      {
        description:
          'Restricted or reserved part of the counted holdings, by quote: its share of each value, rounded up.',
      },
    ),
    obligations: list(
      closed({ assetKey: AssetKey, entries: Type.Integer(), ladder: TreasuryLadder }),
      1000,
      { description: 'Obligations by asset, in atoms of that asset.' },
    ),
    latest: closed({
      projection: Latest('The newest projection.'),
      runways: list(
        closed({
          scenarioId: Type.String({ maxLength: 60 }),
          controlledRunway: orNull(TreasuryRunway),
          runway: TreasuryRunway,
        }),
        12,
        {
          description:
            'Runway of the newest projection. `controlledRunway` is the headline: PROVEN or ATTESTED holdings at projection time; null for projections older than that figure, or after their evidence ended. `runway` also counts ASSERTED holdings.',
        },
      ),
      reconciliation: LatestReconciliation,
      stress: LatestStress,
      custody: Latest('The newest custody evidence, live or not.'),
      control: Latest('The newest control proof by block, live or not.'),
    }),
    custody: closed({
      covered: list(closed({ quoteKey: AssetKey, coveredPips: Pips }), 64, {
        description:
          'Share of the counted value with live signed evidence, by quote, rounded down.',
      }),
      expiringIn7d: list(closed({ evidence: SourceRef, expiresAt: Timestamp }), 1000, {
        description: 'Evidence that ends within seven days, the next to end first.',
      }),
    }),
    control: closed({
      proofs: Type.Integer({ minimum: 0, description: 'Live control proofs.' }),
      nextExpiry: orNull(Timestamp),
    }),
    freshness: list(Freshness, 6),
    gaps: list(TreasuryGap, 1000),
    currentSpendabilityEstablished: Type.Literal(false, {
      description: 'Always false: history never shows the spendable amount.',
    }),
  }),
)
export type TreasurySummary = Static<typeof TreasurySummary>
