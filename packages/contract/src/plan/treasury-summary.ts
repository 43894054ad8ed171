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
    description: 'By quote; values in different quotes are not added. Rounded down.',
  },
)

const Holding = closed({
  entry: SourceRef,
  assetKey: AssetKey,
  tier: TreasuryTier,
  purpose: oneOf(treasuryPurposes, 'What it is kept for.'),
  quantity: AtomicAmount,
  unrestricted: AtomicAmount,
  restricted: AtomicAmount,
  reserved: AtomicAmount,
  value: orNull(closed({ quoteKey: AssetKey, amount: AtomicAmount })),
  proof: oneOf(['MERKLE', 'READ', 'SIGNED'], 'How the quantity is known.'),
  control: TreasuryControl,
  evidenceHash: orNull(Hash),
  observedAt: Timestamp,
  ageSeconds: Age,
})

const latest = {
  availability: oneOf(['FOUND', 'NONE'], 'NONE: there is none yet.'),
  source: orNull(SourceRef),
  status: orNull(Type.String({ maxLength: 40 })),
  ageSeconds: orNull(
    Type.Integer({
      minimum: 0,
      description:
        'Seconds before `asOf`: since the blocks that it rests on; of evidence since its block, or since it was issued where it names none. What is written of a record later makes it no younger.',
    }),
  ),
}
const Latest = (what: string) => closed(latest, { description: what })

const LatestReconciliation = closed(
  {
    ...latest,
    agreement: orNull(oneOf(['AGREED', 'DIFFERENCES', 'INCOMPLETE'], 'As it was found.')),
    openBreaks: orNull(Type.Integer({ minimum: 0, description: 'Lines that do not agree.' })),
    oldestBreakDays: orNull(
      Type.Integer({
        minimum: 0,
        description: 'Whole days at `asOf` since the oldest of them was first seen.',
      }),
    ),
  },
  {
    description:
      'The reconciliation of the latest blocks; its own members are null where there is none.',
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
      'The newest stress test. The shortfalls are null if there is none, or if it drew no paths. `controlledExpectedShortfallQuote`, the headline, counts PROVEN and ATTESTED holdings only; it is also null if the evidence behind it has ended.',
  },
)

/** Families whose figures grow old, in the order in which they are told. */
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
    'ENTRIES: the holding that was read the longest ago. CUSTODY: of the evidence that holds now and is the latest of its container and asset, the oldest. CONTROL: of the proofs that hold now and are the latest of their claim (chain, token, claimant, method and role), the oldest. Else what `latest` tells.',
  ),
  ageSeconds: orNull(
    Type.Integer({
      minimum: 0,
      description: 'Seconds before `asOf`. Null where there is none, or none that holds.',
    }),
  ),
  staleAfterSeconds: orNull(
    Type.Integer({
      minimum: 1,
      description: 'Null where each has an end of its own.',
    }),
  ),
  stale: Type.Boolean({
    description:
      'Whether it is older. CUSTODY and CONTROL: whether some has ended, of a container or a claim of which nothing holds now. False where there never was any.',
  }),
})

/** What the treasury comes to by stored records. */
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
        'Entries of the tiers T0 to T3, oldest first, each at its own block. A claim is told by its legs, each with its asset, quantity, tier and value.',
    }),
    byTier: list(closed({ tier: TreasuryTier, entries: Type.Integer(), values: Values }), 4),
    byPurpose: list(
      closed({
        purpose: oneOf(treasuryPurposes, 'What it is kept for.'),
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
        'The own token, undeclared tokens, and legs of claims in them: told apart, and in no total.',
    }),
    encumbered: list(
      closed({ quoteKey: AssetKey, amount: AtomicAmount, control: ControlSplit }),
      64,
      {
        description:
          'What is restricted or reserved of the holdings that count, by quote: its share of each value, rounded up.',
      },
    ),
    obligations: list(
      closed({ assetKey: AssetKey, entries: Type.Integer(), ladder: TreasuryLadder }),
      1000,
      { description: 'What is owed in each asset, in atoms of that asset.' },
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
            'Of the newest projection. `controlledRunway` is the headline: of what was PROVEN or ATTESTED when it was projected; null where the projection is older than that figure, or evidence that it counts on holds no more. `runway` counts what is ASSERTED too.',
        },
      ),
      reconciliation: LatestReconciliation,
      stress: LatestStress,
      custody: Latest('The custody evidence of the latest moment, whether it holds or not.'),
      control: Latest('The proof of control at the latest blocks, whether it holds or not.'),
    }),
    custody: closed({
      covered: list(closed({ quoteKey: AssetKey, coveredPips: Pips }), 64, {
        description:
          'Share of the value that counts for which signed evidence stands that holds now, by quote, rounded down.',
      }),
      expiringIn7d: list(closed({ evidence: SourceRef, expiresAt: Timestamp }), 1000, {
        description: 'Evidence that ends within seven days, the next to end first.',
      }),
    }),
    control: closed({
      proofs: Type.Integer({ minimum: 0, description: 'Proofs of control that hold now.' }),
      nextExpiry: orNull(Timestamp),
    }),
    freshness: list(Freshness, 6),
    gaps: list(TreasuryGap, 1000),
    currentSpendabilityEstablished: Type.Literal(false, {
      description: 'History never shows what can be spent now.',
    }),
  }),
)
export type TreasurySummary = Static<typeof TreasurySummary>
