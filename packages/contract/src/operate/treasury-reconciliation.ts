import Type, { type Static } from 'typebox'
import { Actor, SourceRef } from '../envelope.ts'
import {
  annotated,
  atoms,
  type Better,
  count,
  days,
  measured,
  pips,
  titled,
  unitless,
} from '../measures.ts'
import { ContainerKey } from '../plan/treasury-bucket.ts'
import { EntryRef, TreasuryComputation } from '../plan/treasury-computation.ts'
import { AssetKey, Month } from '../plan/treasury-terms.ts'
import {
  Address,
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
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

export const reconciliationCauses = [
  'AGREED',
  'UNREADABLE',
  'SINGLE_SIDED',
  'DUPLICATE_CLAIM',
  'MISSING_LEDGER',
  'MISSING_CHAIN',
  'CUSTODY_CONFLICT',
  'CUSTODY_EXPIRED',
  'CUSTODY_STALE',
  'CUSTODY_DIFFERS',
  'LEDGER_STALE',
  'REBASE_OR_FEE',
  'UNEXPLAINED',
] as const
export type ReconciliationCause = (typeof reconciliationCauses)[number]

const Cause = oneOf(
  reconciliationCauses,
  "Cause of the difference, first match. AGREED: all present sides are equal, with at least two sides. UNREADABLE: the chain did not respond. SINGLE_SIDED: one side only. DUPLICATE_CLAIM: entries claim more than the container's last observed balance. MISSING_LEDGER: the container has a balance without a ledger entry. MISSING_CHAIN: entries exceed the container's balance, and no transfer explains it. CUSTODY_CONFLICT: two live statements differ. CUSTODY_EXPIRED: the only statement has expired. CUSTODY_STALE: transfers since the statement explain it. CUSTODY_DIFFERS: unexplained. LEDGER_STALE: transfers since the observation explain it exactly. REBASE_OR_FEE: the supply of the token moved without logs. UNEXPLAINED: no known cause.",
)

const BlockPin = closed({ chainId: ChainId, blockNumber: BlockNumber, blockHash: Hash })

const Mapping = closed({
  entryIds: list(RecordId, 50, {
    minItems: 1,
    description: 'Ledger entries of this line.',
  }),
  container: ContainerKey,
  assetKey: AssetKey,
})

/** Scope of the reconciliation; the service reads all other data. */
export const TreasuryReconciliationPreviewRequest = named(
  'TreasuryReconciliationPreviewRequest',
  closed({
    scope: Type.Union(
      [
        closed({
          kind: Type.Literal('ALL_ACTIVE', { description: 'Every holding that is not retired.' }),
        }),
        closed({
          kind: Type.Literal('ENTRIES', { description: 'Named holdings, in exact versions.' }),
          entries: list(EntryRef, 200, { minItems: 1 }),
        }),
      ],
      { description: 'Ledger entries in the comparison.' },
    ),
    evidence: Type.Optional(
      list(SourceRef, 200, {
        description: 'Custody evidence, in exact versions. Default: empty.',
      }),
    ),
    asOf: Type.Optional(
      list(BlockPin, 32, {
        description:
          'Comparison blocks, one for each chain in the scope, each at most seven days old. Default: the last finalized blocks at one moment.',
      }),
    ),
    mappings: Type.Optional(
      list(Mapping, 100, {
        description:
          'Mapping of entries recorded under another container or asset; affected lines are marked.',
      }),
    ),
    period: Type.Optional(Month),
    valuation: Type.Optional(
      closed({
        quoteKey: AssetKey,
        oracleProviderId: Type.String({
          minLength: 1,
          maxLength: 80,
          description: 'Price source.',
        }),
      }),
    ),
    materialityQuote: Type.Optional(AtomicAmount),
  }),
)
export type TreasuryReconciliationPreviewRequest = Static<
  typeof TreasuryReconciliationPreviewRequest
>

/** Atoms of the asset of the line or total, `steps` levels above the field. */
const ofAsset = (steps: number) => (title: string, better?: Better) =>
  atoms(`${steps}/assetKey`, title, better)
const [own, below, deeper, listed] = [ofAsset(1), ofAsset(2), ofAsset(3), ofAsset(4)]

const Transfer = measured(
  closed({
    direction: oneOf(['IN', 'OUT'], 'Direction relative to the container.'),
    counterparty: Address,
    amount: AtomicAmount,
    blockNumber: BlockNumber,
    transactionHash: Hash,
    logIndex: Type.Integer({ minimum: 0 }),
  }),
  { amount: listed('Transfer'), blockNumber: unitless, logIndex: unitless },
)

const Line = measured(
  closed({
    lineKey: Hash,
    container: ContainerKey,
    assetKey: AssetKey,
    ledger: AtomicAmount,
    custody: orNull(AtomicAmount),
    chain: orNull(AtomicAmount),
    chainProof: orNull(oneOf(['MERKLE', 'READ'], 'Evidence of the chain balance.')),
    differences: measured(
      closed({
        ledgerMinusChain: orNull(SignedAmount),
        custodyMinusChain: orNull(SignedAmount),
        ledgerMinusCustody: orNull(SignedAmount),
      }),
      {
        ledgerMinusChain: below('Ledger minus chain'),
        custodyMinusChain: below('Custody minus chain'),
        ledgerMinusCustody: below('Ledger minus custody'),
      },
    ),
    explained: orNull(
      measured(
        closed({
          fromBlock: BlockNumber,
          toBlock: BlockNumber,
          inflow: AtomicAmount,
          outflow: AtomicAmount,
          residual: SignedAmount,
          logs: Type.Integer({ minimum: 0, description: 'Transfer logs that were summed.' }),
          transfers: list(Transfer, 20, { description: 'Largest transfers, in order.' }),
        }),
        {
          fromBlock: unitless,
          toBlock: unitless,
          inflow: below('Inflow since the observation'),
          outflow: below('Outflow since the observation'),
          residual: below('Unexplained difference'),
          logs: count('Transfer logs'),
        },
      ),
    ),
    sides: Type.Integer({
      minimum: 1,
      maximum: 3,
      description: 'Number of known sides: ledger, custody and chain.',
    }),
    cause: Cause,
    alsoHolds: list(Cause, 12, { description: 'Other causes that also apply.' }),
    breakId: orNull(Hash),
    firstSeenAt: orNull(Timestamp),
    ageDays: orNull(
      Type.Integer({ minimum: 0, description: 'Whole days since the break was first seen.' }),
    ),
    mappingAsserted: Type.Boolean({
      description: 'True if a mapping of the request created this line.',
    }),
    material: Type.Boolean({
      description:
        'True if the difference has at least the value `materialityQuote`, or an unknown value.',
    }),
    valueQuote: orNull(AtomicAmount),
    sources: list(SourceRef, 400),
  }),
  {
    ledger: own('Ledger'),
    custody: own('Custody'),
    chain: own('Chain'),
    sides: count('Known sides', 'HIGHER'),
    ageDays: days('Age of the break', 'LOWER'),
    valueQuote: atoms('/payload/request/valuation/quoteKey', 'Value of the difference', 'LOWER'),
  },
)
export type ReconciliationLine = Static<typeof Line>

const Total = measured(
  closed({
    assetKey: AssetKey,
    ledger: AtomicAmount,
    custody: orNull(AtomicAmount),
    chain: orNull(AtomicAmount),
    difference: orNull(SignedAmount),
    byCause: list(
      measured(
        closed({
          cause: Cause,
          lines: Type.Integer({ minimum: 1 }),
          ledgerMinusChain: orNull(SignedAmount),
        }),
        {
          lines: count('Lines of {1/cause}'),
          ledgerMinusChain: deeper('Ledger minus chain of {1/cause}'),
        },
      ),
      13,
    ),
  }),
  {
    ledger: own('Ledger'),
    custody: own('Custody'),
    chain: own('Chain'),
    difference: own('Difference'),
  },
)

const Acknowledgement = closed({
  lineKeys: list(Hash, 400),
  assertion: Type.Literal('MAPPING_CONFIRMED', {
    description: 'Confirmation of the line mapping only, not of numbers.',
  }),
  actor: Actor,
  at: Timestamp,
  note: Type.String({ maxLength: 500 }),
  selfAcknowledged: Type.Boolean({
    description: 'True if the acknowledging user also created it.',
  }),
})

/** Ledger, signed custody and chain at one moment, line by line, without balancing entries. */
export const TreasuryLedgerReconciliation = named(
  'TreasuryLedgerReconciliation',
  measured(
    closed({
      request: TreasuryReconciliationPreviewRequest,
      reconciliationHash: Hash,
      agreement: oneOf(
        ['AGREED', 'DIFFERENCES', 'INCOMPLETE'],
        'INCOMPLETE: a line is UNREADABLE or SINGLE_SIDED. AGREED: every line is. DIFFERENCES: else.',
      ),
      lines: list(annotated(Line, titled('{0/container}')), 400, {
        description: 'Lines in order of container and asset.',
      }),
      totals: list(annotated(Total, titled('Total of {0/assetKey}')), 400, {
        description: 'Sums of lines, by asset.',
      }),
      coverage: measured(
        closed({
          custodyOfLinesPips: Pips,
          containersWithoutEvidence: list(ContainerKey, 400),
        }),
        { custodyOfLinesPips: pips('Lines with custody evidence', 'HIGHER') },
      ),
      acknowledgements: list(Acknowledgement, 100),
      requireSecondPerson: Type.Boolean({
        description: 'True if an author must not acknowledge it.',
      }),
      computation: TreasuryComputation,
    }),
    { request: unitless, agreement: titled('Ledger vs chain') },
  ),
)
export type TreasuryLedgerReconciliation = Static<typeof TreasuryLedgerReconciliation>
