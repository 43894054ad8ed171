import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, Hash, list, named, oneOf, orNull, Timestamp } from '../scalars.ts'
import { treasuryPurposes } from './treasury-bucket.ts'
import { TreasuryGap } from './treasury-computation.ts'
import { TreasuryLadder, TreasuryRunway } from './treasury-projection.ts'
import { AssetKey, TreasuryTier } from './treasury-terms.ts'

const Age = Type.Integer({ minimum: 0, description: 'Seconds before `asOf`.' })

const Values = list(closed({ quoteKey: AssetKey, amount: AtomicAmount }), 64, {
  description: 'By quote; values in different quotes are not added. Rounded down.',
})

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
  evidenceHash: orNull(Hash),
  observedAt: Timestamp,
  ageSeconds: Age,
})

const Latest = (what: string) =>
  closed(
    {
      availability: oneOf(
        ['FOUND', 'NONE', 'NOT_SERVED'],
        'NONE: there is none yet. NOT_SERVED: this version of the service makes none.',
      ),
      source: orNull(SourceRef),
      status: orNull(Type.String({ maxLength: 40 })),
      ageSeconds: orNull(Age),
    },
    { description: what },
  )

/** What the treasury comes to by stored records. */
export const TreasurySummary = named(
  'TreasurySummary',
  closed({
    asOf: Timestamp,
    holdings: list(Holding, 1000, {
      description: 'Entries of the tiers T0 to T3, oldest first, each at its own block.',
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
        unrestricted: AtomicAmount,
        restricted: AtomicAmount,
        reserved: AtomicAmount,
        values: Values,
      }),
      1000,
    ),
    ownToken: list(Holding, 1000, {
      description: 'The own token and every claim on it: told apart, and in no total.',
    }),
    obligations: list(
      closed({ assetKey: AssetKey, entries: Type.Integer(), ladder: TreasuryLadder }),
      1000,
      { description: 'What is owed in each asset, in atoms of that asset.' },
    ),
    latest: closed({
      projection: Latest('The newest projection.'),
      runways: list(
        closed({ scenarioId: Type.String({ maxLength: 60 }), runway: TreasuryRunway }),
        12,
        { description: 'Of the newest projection.' },
      ),
      reconciliation: Latest('The newest reconciliation.'),
      custody: Latest('The newest custody evidence.'),
      control: Latest('The newest proof of control.'),
    }),
    gaps: list(TreasuryGap, 1000),
    currentSpendabilityEstablished: Type.Literal(false, {
      description: 'History never shows what can be spent now.',
    }),
  }),
)
export type TreasurySummary = Static<typeof TreasurySummary>
