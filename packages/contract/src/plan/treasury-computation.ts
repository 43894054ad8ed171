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

/**
 * Inputs of treasury values: blocks of several chains at one moment, prices, and exact record
 * versions.
 */

const SnapshotChain = closed({
  chainId: ChainId,
  blockNumber: BlockNumber,
  blockHash: Hash,
  stateRoot: Hash,
  timestamp: Timestamp,
  finality: oneOf(
    ['FINALIZED_TAG', 'CONFIRMATION_DEPTH'],
    'FINALIZED_TAG: the node reports the block as finalized; on a rollup its batch lies in a finalized block of the parent chain. CONFIRMATION_DEPTH: the block is `depth` blocks below the head.',
  ),
  depth: orNull(Type.Integer({ minimum: 1, description: 'Blocks; null with FINALIZED_TAG.' })),
  isHashVerified: Type.Boolean({
    description: 'True if the hash was recomputed from the header fields.',
  }),
  providers: list(Type.String({ maxLength: 80 }), 16, {
    minItems: 1,
    description: 'Provider ids that reported this hash; each was queried.',
  }),
})

export const TreasurySnapshot = named(
  'TreasurySnapshot',
  closed({
    asOf: Timestamp,
    snapshotHash: Hash,
    chains: list(SnapshotChain, 32, {
      description:
        'For each chain the highest finalized block at or before `asOf`, ascending by chain.',
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
      source: Type.String({ maxLength: 400, description: 'Price source: provider and feed.' }),
      generation: Hash,
      observedAt: Timestamp,
      maximumAgeSeconds: Type.Integer({
        minimum: 0,
        description:
          'Maximum age of the price at its source, in seconds; 0 if it is not an observation.',
      }),
      errorPips: Type.Integer({
        minimum: 0,
        description: 'Maximum error of the price, in millionths of the price.',
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
      description: 'Affected asset, container or record.',
    }),
    detail: Type.String({ maxLength: 500 }),
    effect: oneOf(
      treasuryGapEffects,
      'EXCLUDED: omitted from sums. BOUNDED: replaced by a bound. FLAGGED: counted, with a warning.',
    ),
  }),
)
export type TreasuryGap = Static<typeof TreasuryGap>

const never = (description: string) => Type.Literal(false, { description })

export const TreasuryComputation = named(
  'TreasuryComputation',
  measured(
    closed({
      engine: Type.Literal('liquidity-os/treasury', { description: 'Computation engine.' }),
      engineVersion: Type.String({ maxLength: 40 }),
      inputsHash: Hash,
      sources: list(SourceRef, 5000, { description: 'Exact versions of records that were read.' }),
      snapshot: orNull(TreasurySnapshot),
      prices: list(TreasuryPrice, 400),
      seed: orNull(
        Type.String({
          maxLength: 20,
          description: 'Seed of simulated figures, a decimal of 64 bits.',
        }),
      ),
      completeness: oneOf(
        ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
        'COMPLETED: no data was missing. PARTIAL: see `gaps`. ABSTAINED: no result could be computed.',
      ),
      gaps: list(TreasuryGap, 400),
      limitations: list(Type.String({ maxLength: 80 }), 32, {
        description: 'Limitations of every figure, such as SINGLE_RPC_PROVIDER.',
      }),
      currentSpendabilityEstablished: never(
        'Always false: history never shows the spendable amount.',
      ),
      executionAuthorityGranted: never('Always false: figures grant no authority.'),
      executionPerformed: never('Always false: no transaction was sent.'),
    }),
    { snapshot: unitless, seed: unitless, completeness: titled('Completeness') },
  ),
)
export type TreasuryComputation = Static<typeof TreasuryComputation>

/** A mined transfer, by its position in the chain. */
export const TransferPlace = closed({
  chainId: ChainId,
  txHash: Hash,
  logIndex: Type.Integer({ minimum: 0, description: 'Place of the log in its block.' }),
})

/** Records of assets and liabilities of the treasury. */
export const EntryRef = closed({
  resourceType: Type.Literal('TreasuryBucket'),
  id: RecordId,
  resourceVersion: Hash,
})
