import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { measured, pips, priceX36, seconds, titled, unitless } from '../measures.ts'
import {
  BlockNumber,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { AssetKey } from './treasury-terms.ts'

/** What figures of the treasury rest on: blocks of several chains at one moment, prices, exact records. */

const SnapshotChain = closed({
  chainId: ChainId,
  blockNumber: BlockNumber,
  blockHash: Hash,
  stateRoot: Hash,
  timestamp: Timestamp,
  finality: oneOf(
    ['FINALIZED_TAG', 'CONFIRMATION_DEPTH'],
    'FINALIZED_TAG: the node calls the block final; on a rollup its batch lies in a final block of the chain below. CONFIRMATION_DEPTH: it lies `depth` blocks below the head.',
  ),
  depth: orNull(Type.Integer({ minimum: 1, description: 'Blocks; null with FINALIZED_TAG.' })),
  isHashVerified: Type.Boolean({
    description: 'Whether the hash was computed again from the fields of the header.',
  }),
  providers: list(Type.String({ maxLength: 80 }), 16, {
    minItems: 1,
    description: 'Who named this hash, by provider id; each was asked.',
  }),
})

export const TreasurySnapshot = named(
  'TreasurySnapshot',
  closed({
    asOf: Timestamp,
    snapshotHash: Hash,
    chains: list(SnapshotChain, 32, {
      description:
        'Of each chain the highest final block whose time is at most `asOf`, ascending by chain.',
    }),
  }),
)
export type TreasurySnapshot = Static<typeof TreasurySnapshot>

export const TreasuryPrice = named(
  'TreasuryPrice',
  measured(
    closed({
      assetKey: AssetKey,
      quoteKey: AssetKey,
      priceX36: Type.String({
        pattern: '^[1-9][0-9]{0,77}$',
        description: 'Atoms of the quote for one atom of the asset, times 10^36.',
        examples: ['2500000000000000000000000000'],
      }),
      source: Type.String({ maxLength: 400, description: 'Whose price: provider and feed.' }),
      generation: Hash,
      observedAt: Timestamp,
      maximumAgeSeconds: Type.Integer({
        minimum: 0,
        description:
          'How long the source lets a price hold, seconds; 0 for one that is no observation.',
      }),
      errorPips: Type.Integer({
        minimum: 0,
        description: 'How far it may be off, millionths of it.',
      }),
    }),
    {
      priceX36: priceX36('Price of {1/assetKey}'),
      maximumAgeSeconds: seconds('Maximum age of the price of {1/assetKey}'),
      errorPips: pips('Error of the price of {1/assetKey}', 'LOWER'),
    },
  ),
)
export type TreasuryPrice = Static<typeof TreasuryPrice>

export const treasuryGapEffects = ['EXCLUDED', 'BOUNDED', 'FLAGGED'] as const

export const TreasuryGap = named(
  'TreasuryGap',
  closed({
    code: Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,79}$', examples: ['PRICE_UNAVAILABLE'] }),
    subject: Type.String({
      maxLength: 300,
      description: 'What is concerned: an asset, a container, a record.',
    }),
    detail: Type.String({ maxLength: 500 }),
    effect: oneOf(
      treasuryGapEffects,
      'EXCLUDED: it is left out of sums. BOUNDED: a bound stands in its place. FLAGGED: it is counted, and this is to be known.',
    ),
  }),
)
export type TreasuryGap = Static<typeof TreasuryGap>

const never = (description: string) => Type.Literal(false, { description })

export const TreasuryComputation = named(
  'TreasuryComputation',
  measured(
    closed({
      engine: Type.Literal('liquidity-os/treasury', { description: 'What computed it.' }),
      engineVersion: Type.String({ maxLength: 40 }),
      inputsHash: Hash,
      sources: list(SourceRef, 5000, { description: 'Exact versions of records that were read.' }),
      snapshot: orNull(TreasurySnapshot),
      prices: list(TreasuryPrice, 400),
      seed: orNull(
        Type.String({ maxLength: 20, description: 'Of drawn figures, a decimal of 64 bits.' }),
      ),
      completeness: oneOf(
        ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
        'COMPLETED: nothing was missing. PARTIAL: see `gaps`. ABSTAINED: nothing could be computed.',
      ),
      gaps: list(TreasuryGap, 400),
      limitations: list(Type.String({ maxLength: 80 }), 32, {
        description: 'What holds for every figure, such as SINGLE_RPC_PROVIDER.',
      }),
      currentSpendabilityEstablished: never('History never shows what can be spent now.'),
      executionAuthorityGranted: never('No figure is an authority to act.'),
      executionPerformed: never('Nothing was sent to a chain.'),
    }),
    { snapshot: unitless, seed: unitless, completeness: titled('Completeness') },
  ),
)
export type TreasuryComputation = Static<typeof TreasuryComputation>

/** A finished transfer of the chain, by its place. */
export const TransferPlace = closed({
  chainId: ChainId,
  txHash: Hash,
  logIndex: Type.Integer({ minimum: 0, description: 'Place of the log in its block.' }),
})

/** Records that hold what the treasury owns or owes. */
export const EntryRef = closed({
  resourceType: Type.Literal('TreasuryBucket'),
  id: RecordId,
  resourceVersion: Hash,
})
