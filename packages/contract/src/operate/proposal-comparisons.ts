import Type, { type Static } from 'typebox'
import { noAuthority, Ref, SourceRef, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { operation, record, scoped } from '../operation.ts'
import { listOperation } from '../reading.ts'
import {
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

const heading = { tag: 'Operate', family: 'Proposal review and safe evidence' } as const

export const proposalMetricIds = [
  ...(['costQuote', 'minimumOut', 'priceImpactPips', 'gasUnits', 'turnoverPips'] as const),
  ...(['smallestMarginPips', 'exposureAfterPips', 'irreversibleCalls'] as const),
  ...(['blockFlags', 'warnFlags', 'oldestSourceSeconds'] as const),
] as const

const Metric = closed({
  metricId: oneOf(proposalMetricIds, 'Compared metric; the methodology has its formula.'),
  unit: oneOf(['QUOTE_ATOMS', 'ATOMS', 'PIPS', 'GAS', 'COUNT', 'SECONDS'], 'Unit of the value.'),
  better: oneOf(
    ['LOWER', 'HIGHER', 'NEITHER'],
    'Better direction; NEITHER is excluded from the relation.',
  ),
  value: orNull(SignedAmount),
  reason: orNull(Type.String({ maxLength: 300, description: 'Reason for a missing value.' })),
})

export const ProposalComparison = named(
  'ProposalComparison',
  closed({
    vaultId: RecordId,
    comparedAt: Timestamp,
    state: oneOf(
      ['COMPLETED', 'PARTIAL'],
      'PARTIAL: one proposal lacks a directional figure that another has.',
    ),
    proposals: list(
      closed({
        proposal: Ref,
        title: Type.String({ maxLength: 160 }),
        metrics: list(Metric, proposalMetricIds.length),
        flags: list(Type.String({ maxLength: 40 }), 64),
      }),
      4,
    ),
    relations: list(
      closed({
        first: RecordId,
        second: RecordId,
        relation: oneOf(
          ['DOMINATES', 'DOMINATED', 'TRADE_OFF', 'EQUAL'],
          'Relation of the first proposal to the second. DOMINATES: equal or better in every directional metric, and better in one.',
        ),
        betterIn: list(Type.String({ maxLength: 40 }), 16, {
          description: 'Metrics of the first proposal.',
        }),
        worseIn: list(Type.String({ maxLength: 40 }), 16, {
          description: 'Metrics of the first proposal.',
        }),
        notCompared: list(Type.String({ maxLength: 40 }), 16, {
          description: 'Metrics known for only one proposal, so neither can dominate.',
        }),
      }),
      6,
    ),
    sources: list(SourceRef, 8),
    comparisonHash: Hash,
    ...noAuthority,
  }),
)
export type ProposalComparison = Static<typeof ProposalComparison>
export const ProposalComparisonRecord = versioned('ProposalComparison', ProposalComparison)

const moves = { COMPLETED: [], PARTIAL: [] } as const

export const compareProposals = operation({
  id: 'compareProposals',
  method: 'POST',
  path: '/proposal-comparisons',
  ...heading,
  summary: 'Compare proposals',
  description:
    'Comparison of two to four proposals of one vault, each in its current version: cost, minimum output, price impact, use of the daily cap, remaining limits, irreversible effects, and age of the sources. For each pair the dominance in directional metrics. No weights, no winner.',
  auth: scoped('proposals:prepare'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'ProposalComparisonRequest',
    closed({
      payload: closed({ proposals: list(Ref, 4, { minItems: 2 }) }),
      reason: Reason,
    }),
  ),
  response: record(ProposalComparisonRecord),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    'LIQUIDITY_PROPOSAL_COMPARISON_INCOMPATIBLE',
  ],
  example: {
    body: {
      payload: {
        proposals: [
          { id: 'proposal_first_example', resourceVersion: `0x${'aa'.repeat(32)}` },
          { id: 'proposal_second_example', resourceVersion: `0x${'bb'.repeat(32)}` },
        ],
      },
      reason: 'Choice between two proposals',
    },
  },
})

export const listProposalComparisons = {
  ...listOperation(
    {
      path: '/proposal-comparisons',
      ...heading,
      one: 'ProposalComparison',
      record: ProposalComparisonRecord,
      auth: scoped('proposals:read'),
    },
    {
      id: 'listProposalComparisons',
      summary: 'List proposal comparisons',
      query: recordQueryOf(moves, 'the vault'),
    },
  ),
  isExtension: true as const,
}

export const proposalComparisonFamily = declareFamily({
  module: 'operate/proposals',
  operations: [compareProposals, listProposalComparisons],
  type: 'ProposalComparison',
  prefix: 'proposal_comparison',
  name: 'proposal comparison',
  plural: 'proposal comparisons',
  payload: ProposalComparison,
  moves,
  events: ['proposal.compared'],
  title: null,
  columns: ['payload.state', 'payload.comparedAt', 'status', 'createdAt'],
  subject: 'payload.vaultId',
  ui: {
    page: 'proposals/compare',
    task: 'Proposal comparisons',
    icon: 'scale',
    summary: 'Cost, price impact and limits of two to four proposals.',
    empty: 'Compare two to four proposals for the same Safe.',
    head: ['payload.state', 'payload.comparedAt'],
    actions: { compareProposals: { label: 'Compare proposals' } },
    docs: 'proposals',
  },
})
