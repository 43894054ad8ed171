import Type, { type Static } from 'typebox'
import { Evidence, noAuthority, versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import {
  annotated,
  atoms,
  type Better,
  measured,
  pips,
  priceX18,
  titled,
  unitless,
} from '../measures.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  AtomicAmount,
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
import { Dist } from '../simulate/study-statistics.ts'
import {
  AllocationPlanRequest,
  AllocationRequest,
  allocationExample,
  DepthTarget,
  OptionId,
  SizeTarget,
} from './allocation-request.ts'
import { RangeEdges } from './range.ts'

export { AllocationPlanRequest, AllocationRequest } from './allocation-request.ts'

const Path = Type.String({
  maxLength: 120,
  description: 'Request field, for example limits.perOptionPips.',
})

const inQuote = (title: string, better?: Better) =>
  atoms('/payload/request/pair/quote', title, better)

/** Capital in one position: one entry per range, so a ladder has several. */
export const AllocatedPosition = named(
  'AllocatedPosition',
  measured(
    closed({
      optionId: OptionId,
      venueId: RecordId,
      valueQuote: AtomicAmount,
      base: AtomicAmount,
      quote: AtomicAmount,
      liquidity: AtomicAmount,
      tickLower: Type.Optional(RangeEdges.properties.tickLower),
      tickUpper: Type.Optional(RangeEdges.properties.tickUpper),
      lowerPriceX36: Type.Optional(RangeEdges.properties.lowerPriceX36),
      upperPriceX36: Type.Optional(RangeEdges.properties.upperPriceX36),
      sharePips: Pips,
    }),
    {
      valueQuote: inQuote('Value'),
      base: atoms('/payload/request/pair/base', 'Base'),
      quote: inQuote('Quote'),
      liquidity: unitless,
      sharePips: pips('Share of the capital'),
    },
  ),
)

/** A target, measured by exact quotes before the plan and with it. */
export const AchievedTarget = named(
  'AchievedTarget',
  measured(
    closed({
      target: Type.Union([DepthTarget, SizeTarget]),
      beforeQuote: AtomicAmount,
      exactQuote: AtomicAmount,
      attainmentPips: Pips,
      slippagePips: Type.Optional(Pips),
    }),
    {
      target: unitless,
      beforeQuote: inQuote('Depth before the plan', 'HIGHER'),
      exactQuote: inQuote('Depth with the plan', 'HIGHER'),
      attainmentPips: pips('Attainment', 'HIGHER'),
      slippagePips: pips('Slippage', 'LOWER'),
    },
  ),
)

export const AllocationExpectation = named(
  'AllocationExpectation',
  measured(
    closed({
      feesBand: orNull(
        measured(closed({ low: AtomicAmount, high: AtomicAmount }), {
          low: inQuote('LP fees, low end of the range', 'HIGHER'),
          high: inQuote('LP fees, high end of the range', 'HIGHER'),
        }),
      ),
      lvr: orNull(AtomicAmount),
      gas: orNull(AtomicAmount),
      net: orNull(Dist),
      cvar: orNull(AtomicAmount),
    }),
    {
      lvr: inQuote('LVR', 'LOWER'),
      gas: inQuote('Gas', 'LOWER'),
      net: inQuote('Net P&L', 'HIGHER'),
      cvar: inQuote('Conditional value at risk', 'LOWER'),
    },
  ),
)

export const ShadowPrice = named(
  'ShadowPrice',
  closed({
    constraint: Path,
    stage: oneOf(
      ['ATTAINMENT', 'CAPITAL', 'INCOME'],
      'Limiting effect of the constraint: on the attained share of the targets, the capital, or the income.',
    ),
    quotePerUnitX18: Type.String({
      pattern: '^(0|-?[1-9][0-9]{0,77})$',
      description:
        'For CAPITAL and INCOME: gain in quote per quote of relaxation, times 10^18. For ATTAINMENT: pips of the minimum attainment gained per percent of the budget, times 10^18.',
    }),
    meaning: Type.String({ maxLength: 240 }),
  }),
)

export const AllocationInfeasibility = named(
  'AllocationInfeasibility',
  closed({
    constraints: list(Path, 128, {
      description: 'Conflicting limits and targets.',
    }),
    relaxation: list(
      closed({
        constraint: Path,
        from: AtomicAmount,
        to: AtomicAmount,
        by: SignedAmount,
      }),
      128,
      { description: 'Smallest combined change that makes the request feasible.' },
    ),
  }),
)

const StageCertificate = closed({
  stage: oneOf(['ATTAINMENT', 'CAPITAL', 'INCOME'], 'Objective of the solver stage.'),
  modelHash: Hash,
  isFeasible: Type.Boolean(),
  violationE12: AtomicAmount,
  gapPips: AtomicAmount,
})

export const AllocationSolver = named(
  'AllocationSolver',
  closed({
    version: Type.String({ maxLength: 120 }),
    modelHash: Hash,
    status: oneOf(
      ['OPTIMAL', 'INFEASIBLE', 'TIME_LIMIT', 'UNDECIDED'],
      'Status of the solver. UNDECIDED: the magnitudes differ too much for a numerical decision.',
    ),
    gapPips: AtomicAmount,
    stages: list(StageCertificate, 3),
    rounds: Type.Integer({ minimum: 0, description: 'Rounds of exact verification.' }),
    cuts: Type.Integer({ minimum: 0, description: 'Tail-loss constraint rows.' }),
    ms: Type.Integer({
      minimum: 0,
      description: 'Solve time in milliseconds; the only field that varies between runs.',
    }),
  }),
)

/** A plan for allocating capital. It executes no transaction. */
export const AllocationPlan = named(
  'AllocationPlan',
  measured(
    closed({
      request: AllocationRequest,
      state: oneOf(
        ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
        'PARTIAL misses some targets; ABSTAINED makes no statement on the allocation of capital.',
      ),
      reasons: list(Type.String({ maxLength: 80 }), 16),
      priceX18: orNull(Type.String({ pattern: '^[1-9][0-9]{0,77}$' })),
      allocation: list(annotated(AllocatedPosition, titled('Position {0/optionId}')), 768),
      capitalQuote: AtomicAmount,
      achieved: list(annotated(AchievedTarget, titled('Target')), 24),
      expected: AllocationExpectation,
      shadowPrices: list(ShadowPrice, 256),
      frontier: list(
        measured(closed({ capitalQuote: AtomicAmount, minAttainmentPips: orNull(Pips) }), {
          capitalQuote: inQuote('Capital of the frontier', 'LOWER'),
          minAttainmentPips: pips('Lowest attainment of the frontier', 'HIGHER'),
        }),
        21,
        {
          description: 'Maximum attainable share of every target, by capital.',
        },
      ),
      solver: orNull(AllocationSolver),
      infeasibility: orNull(AllocationInfeasibility),
      validUntil: Timestamp,
      ...noAuthority,
      evidence: Evidence,
    }),
    {
      request: unitless,
      priceX18: priceX18('Price'),
      capitalQuote: inQuote('Capital used', 'LOWER'),
      // Solver values are in units of its model.
      shadowPrices: unitless,
      solver: unitless,
      infeasibility: unitless,
      evidence: unitless,
    },
  ),
)
export type AllocationPlan = Static<typeof AllocationPlan>
export const AllocationPlanRecord = versioned('AllocationPlan', AllocationPlan)

const heading = { tag: 'Plan', family: 'Venues, allocations and migrations' } as const

const allocationPlans = {
  path: '/allocation-plans',
  ...heading,
  one: 'AllocationPlan',
  record: AllocationPlanRecord,
} as const

const moves = { COMPLETED: ['EXPIRED'], PARTIAL: ['EXPIRED'], ABSTAINED: [], EXPIRED: [] } as const

export const listAllocationPlans = listOperation(allocationPlans, {
  id: 'listAllocationPlans',
  summary: 'List allocation plans',
  query: recordQuery(moves),
})

export const createAllocationPlans = operation({
  id: 'createAllocationPlans',
  method: 'POST',
  path: '/allocation-plans',
  ...heading,
  summary: 'Create allocation plan',
  description:
    'Computes the cheapest allocation that meets depth targets within the limits, verifies it by exact quotes and records it. For an infeasible request the record lists the limiting constraints. Executes no transaction.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: AllocationPlanRequest,
  response: record(AllocationPlanRecord),
  errors: [
    'LIQUIDITY_ALLOCATION_OPTION_INVALID',
    'LIQUIDITY_ALLOCATION_TARGET_INVALID',
    'LIQUIDITY_ALLOCATION_RISK_STUDY_INCOMPATIBLE',
    'LIQUIDITY_ALLOCATION_VENUE_NOT_VALIDATED',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
  ],
  example: { body: { payload: allocationExample, reason: 'Treasury allocation of this week' } },
})

export const previewAllocationPlans = operation({
  id: 'previewAllocationPlans',
  isExtension: true,
  method: 'POST',
  path: '/allocation-plans/preview',
  ...heading,
  summary: 'Preview allocation plans',
  description:
    'Previews a plan for this request, computed and verified like createAllocationPlans, with the same error codes. Stores no data, including the artifacts in its evidence, so it takes no Idempotency-Key.',
  auth: session,
  permission: 'prepare',
  success: [200],
  body: named('AllocationPlanPreview', closed({ payload: AllocationRequest })),
  response: data(AllocationPlan),
  errors: createAllocationPlans.errors,
  example: { body: { payload: allocationExample } },
})

export const getAllocationPlans = getOperation(allocationPlans, {
  id: 'getAllocationPlans',
  summary: 'Get allocation plan',
})

export const allocationPlanFamily = declareFamily({
  module: 'plan/allocation-plans',
  operations: [
    listAllocationPlans,
    createAllocationPlans,
    previewAllocationPlans,
    getAllocationPlans,
  ],
  type: 'AllocationPlan',
  prefix: 'allocation_plan',
  name: 'allocation plan',
  plural: 'allocation plans',
  payload: AllocationPlan,
  moves,
  events: ['allocation.computed', 'allocation.expired'],
  title: null,
  columns: ['payload.state', 'payload.validUntil', 'status'],
  ui: {
    page: 'plan/allocation',
    task: 'Allocation',
    icon: 'scale',
    summary: 'Allocate capital across venues to meet depth targets.',
    empty: 'Compute a capital requirement first, then allocate it.',
    head: ['payload.state', 'payload.validUntil'],
    actions: {
      createAllocationPlans: { label: 'Create allocation plan' },
    },
    docs: 'allocation',
  },
})
