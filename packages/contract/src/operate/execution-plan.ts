import Type, { type Static } from 'typebox'
import { Evidence, Ref, SourceRef, versioned } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import {
  annotated,
  atoms,
  type Better,
  count,
  measured,
  pips,
  priceX36,
  titled,
  unitless,
} from '../measures.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Reason,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { AmountKind, QuoteSide } from './execution-quote.ts'
import { PolicyRuleResult, PolicyVerdict } from './policy-rules.ts'

/** Split of an order over the sources of a quote set, leg by leg, with leg states. */

export const executionRoutes = [
  'SIGNED_QUOTE',
  'BATCH_AUCTION',
  'PRIVATE',
  'PUBLIC_MEMPOOL',
] as const
const ExecutionRoute = oneOf(
  executionRoutes,
  'Delivery route of a leg. SIGNED_QUOTE, BATCH_AUCTION: a solver settles a signed order. PRIVATE, PUBLIC_MEMPOOL: the transaction of the vault, hidden from or visible to third parties before inclusion.',
)

export const ExecutionConstraints = named(
  'ExecutionConstraints',
  closed({
    maximumSlippagePips: Pips,
    maximumLegs: Type.Integer({ minimum: 1, maximum: 16 }),
    deadline: Timestamp,
    routes: list(ExecutionRoute, 4, {
      minItems: 1,
      uniqueItems: true,
      description:
        'Allowed routes; if several fit a leg, the first of SIGNED_QUOTE, BATCH_AUCTION, PRIVATE, PUBLIC_MEMPOOL. PUBLIC_MEMPOOL is dropped unless the policy allows it.',
    }),
    minimumFirmPips: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Minimum share of the input for firm quotes. Default: 0.',
      }),
    ),
    allowLastLook: Type.Optional(
      Type.Boolean({
        description: 'True to allow quotes with a last look. Default: false.',
      }),
    ),
    includeInformational: Type.Optional(
      Type.Boolean({
        description:
          'True to allow quotes without a settlement contract; their legs have no call and cannot be armed. Default: false.',
      }),
    ),
    maximumMakerShare: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Maximum share of the input per market maker; the request may set a lower share.',
      }),
    ),
    settlementBufferSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        description: 'Minimum remaining validity of planned quotes, in seconds. Default: 30.',
      }),
    ),
  }),
)
export type ExecutionConstraints = Static<typeof ExecutionConstraints>

export const ExecutionGas = named(
  'ExecutionGas',
  closed({
    baseFeeWei: Type.Optional(AtomicAmount),
    nativePriceX18: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,59}$',
        description: 'Quote atoms for a wei, times 10^18.',
      }),
    ),
  }),
)
export type ExecutionGas = Static<typeof ExecutionGas>

export const ExecutionPlanInput = named(
  'ExecutionPlanInput',
  closed({
    quoteSet: Ref,
    policy: Ref,
    constraints: ExecutionConstraints,
    gas: Type.Optional(ExecutionGas),
  }),
)
export type ExecutionPlanInput = Static<typeof ExecutionPlanInput>

export const ExecutionCall = named(
  'ExecutionCall',
  closed({
    to: Address,
    value: AtomicAmount,
    data: Type.String({ pattern: '^0x([0-9a-f]{2})*$', maxLength: 16_386 }),
  }),
)
export type ExecutionCall = Static<typeof ExecutionCall>

const sold = (title: string, better?: Better) => atoms('/payload/sellToken', title, better)
const bought = (title: string, better?: Better) => atoms('/payload/buyToken', title, better)
const inQuote = (title: string, better?: Better) => atoms('/payload/pair/quote', title, better)

const LegCheck = closed({
  verdict: PolicyVerdict,
  rules: list(PolicyRuleResult, 16),
  turnoverBeforeQuote: orNull(AtomicAmount),
})

/**
 * Settlement data of a leg for solvers: the vault's order, and a call that any permitted sender can
 * submit.
 */
const LegSettlement = named(
  'LegSettlement',
  closed({
    orderUid: Type.String({ pattern: '^0x[0-9a-f]{112}$' }),
    contract: Address,
    relayer: Address,
    settle: ExecutionCall,
  }),
)

export const ExecutionLeg = named(
  'ExecutionLeg',
  measured(
    closed({
      legIndex: Type.Integer({ minimum: 0, maximum: 15 }),
      kind: oneOf(['QUOTE', 'POOL'], 'Counterparty type.'),
      source: SourceRef,
      sourceId: Type.String({
        maxLength: 160,
        description: 'Hash of the quote, or id of the venue.',
      }),
      maker: orNull(Address),
      poolAddress: orNull(Address),
      firm: orNull(Type.Boolean()),
      sellAmount: AtomicAmount,
      expectedBuy: AtomicAmount,
      minimumBuy: AtomicAmount,
      marginalPriceX36: orNull(
        Type.String({
          pattern: '^(0|[1-9][0-9]{0,113})$',
          description:
            'Marginal price: quote atoms per base atom of the last input atom, times 10^36; null if rounding leaves no atom.',
        }),
      ),
      gasUnits: Type.Integer({ minimum: 0 }),
      gasQuote: orNull(AtomicAmount),
      deadline: Timestamp,
      route: ExecutionRoute,
      adapterId: orNull(Type.String({ maxLength: 80 })),
      call: orNull(ExecutionCall),
      callHash: orNull(Hash),
      settlement: orNull(LegSettlement),
      sandwichBoundQuote: AtomicAmount,
      sandwich: orNull(
        measured(
          closed({
            boundSell: AtomicAmount,
            foundSell: AtomicAmount,
            frontRunSell: AtomicAmount,
          }),
          {
            boundSell: sold('Bound of the sandwich loss', 'LOWER'),
            foundSell: sold('Sandwich loss found', 'LOWER'),
            frontRunSell: unitless,
          },
        ),
      ),
      check: LegCheck,
    }),
    {
      legIndex: unitless,
      sellAmount: sold('Sold'),
      expectedBuy: bought('Expected proceeds', 'HIGHER'),
      minimumBuy: bought('Minimum proceeds', 'HIGHER'),
      marginalPriceX36: priceX36('Marginal price'),
      gasUnits: count('Gas units', 'LOWER'),
      gasQuote: inQuote('Gas', 'LOWER'),
      call: unitless,
      settlement: unitless,
      sandwichBoundQuote: inQuote('Bound of the sandwich loss', 'LOWER'),
      check: unitless,
    },
  ),
)
export type ExecutionLegRecord = Static<typeof ExecutionLeg>

const AllowanceCall = closed({
  spender: Address,
  amount: AtomicAmount,
  call: ExecutionCall,
  callHash: Hash,
})

export const ProtectedExecutionPlan = named(
  'ProtectedExecutionPlan',
  measured(
    closed({
      quoteSet: Ref,
      setHash: Hash,
      vaultId: RecordId,
      chainId: ChainId,
      taker: Address,
      pair: Pair,
      sellToken: Address,
      buyToken: Address,
      side: QuoteSide,
      amountKind: AmountKind,
      amount: AtomicAmount,
      policy: Ref,
      policyHash: Hash,
      policyLevel: Type.Integer({ minimum: 0, maximum: 4 }),
      constraints: ExecutionConstraints,
      gas: ExecutionGas,
      effective: closed(
        {
          maximumSlippagePips: Pips,
          maximumMakerShare: orNull(Pips),
          routes: list(ExecutionRoute, 4),
          minimumPriceX18: orNull(AtomicAmount),
          maximumPriceX18: orNull(AtomicAmount),
          deadline: Timestamp,
        },
        { description: 'The tighter of policy, request and constraints, field by field.' },
      ),
      legs: list(annotated(ExecutionLeg, titled('Leg {0/legIndex}')), 16),
      allowances: list(AllowanceCall, 8, {
        description: 'Missing allowances for the calls of legs, in the exact amounts.',
      }),
      totals: measured(
        closed({
          sell: AtomicAmount,
          expectedBuy: AtomicAmount,
          minimumBuy: AtomicAmount,
          gasQuote: orNull(AtomicAmount),
          versusMidPips: orNull(Type.Integer()),
          versusBestSinglePips: orNull(Type.Integer()),
        }),
        {
          sell: sold('Sold'),
          expectedBuy: bought('Expected proceeds', 'HIGHER'),
          minimumBuy: bought('Minimum proceeds', 'HIGHER'),
          gasQuote: inQuote('Gas', 'LOWER'),
          versusMidPips: pips('Proceeds vs the mid price', 'HIGHER'),
          versusBestSinglePips: pips('Proceeds vs the best single source', 'HIGHER'),
        },
      ),
      bestSingle: orNull(
        measured(closed({ sourceId: Type.String({ maxLength: 160 }), expectedBuy: AtomicAmount }), {
          expectedBuy: bought('Expected proceeds of the best single source', 'HIGHER'),
        }),
      ),
      optimality: measured(
        closed({
          method: oneOf(
            ['EXHAUSTIVE', 'BOUNDED'],
            'EXHAUSTIVE: every choice of sources was filled or ruled out. BOUNDED: the search ended before.',
          ),
          upperBoundBuy: AtomicAmount,
          gapPips: Pips,
          filled: Type.Integer({ minimum: 0 }),
          nodes: Type.Integer({ minimum: 0 }),
        }),
        {
          upperBoundBuy: bought('Upper bound of the proceeds', 'HIGHER'),
          gapPips: pips('Gap to the upper bound', 'LOWER'),
          filled: unitless,
          nodes: unitless,
        },
      ),
      rejected: list(
        closed({
          sourceId: Type.String({ maxLength: 160 }),
          reason: Type.String({ maxLength: 60 }),
          detail: Type.String({ maxLength: 300 }),
        }),
        64,
      ),
      routeNotes: list(Type.String({ maxLength: 400 }), 16),
      resultState: oneOf(['COMPLETED', 'PARTIAL'], 'PARTIAL: see `reasons` for missing data.'),
      reasons: list(Type.String({ maxLength: 80 }), 16),
      isArmable: Type.Boolean({
        description: 'True if the policy allows every leg; an INDETERMINATE check arms no leg.',
      }),
      expiresAt: Timestamp,
      evidence: Evidence,
      executionAuthorityGranted: Type.Literal(false),
      executionPerformed: Type.Literal(false),
    }),
    {
      chainId: unitless,
      pair: unitless,
      amount: unitless,
      policyLevel: unitless,
      constraints: unitless,
      gas: unitless,
      effective: unitless,
      allowances: unitless,
      evidence: unitless,
    },
  ),
)
export type ProtectedExecutionPlan = Static<typeof ProtectedExecutionPlan>
export const ProtectedExecutionPlanRecord = versioned(
  'ProtectedExecutionPlan',
  ProtectedExecutionPlan,
)

export const legStates = [
  ...(['PLANNED', 'ARMED', 'SUBMITTED', 'INCLUDED', 'FINALIZED'] as const),
  ...(['RECONCILED', 'REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED'] as const),
] as const
export const LegState = oneOf(legStates, 'State of the leg.')

export const LegTransition = named(
  'LegTransition',
  closed({
    legIndex: Type.Integer({ minimum: 0, maximum: 15 }),
    to: LegState,
    previousTransitionHash: Hash,
    proposal: Type.Optional(Ref),
    transactionHash: Type.Optional(Hash),
    resourceVersion: Type.Optional(Hash),
    reason: Reason,
  }),
)
export type LegTransition = Static<typeof LegTransition>

const Realised = closed({
  sell: AtomicAmount,
  buy: AtomicAmount,
})

export const LegStanding = named(
  'LegStanding',
  closed({
    legIndex: Type.Integer({ minimum: 0, maximum: 15 }),
    state: LegState,
    sequence: Type.Integer({ minimum: 0, description: 'Transitions so far.' }),
    head: Hash,
    proposal: orNull(Ref),
    transactionHash: orNull(Hash),
    block: orNull(closed({ number: Type.Integer({ minimum: 0 }), hash: Hash })),
    realised: orNull(Realised),
    realisedVersusExpectedPips: orNull(Type.Integer()),
    note: orNull(Type.String({ maxLength: 200 })),
    allowedTransitions: list(LegState, 10),
  }),
)
export type LegStanding = Static<typeof LegStanding>

export const ExecutionPlanState = named(
  'ExecutionPlanState',
  closed({
    planId: RecordId,
    resourceVersion: Hash,
    status: Type.String({ maxLength: 20 }),
    legs: list(LegStanding, 16),
    totals: closed({
      realisedSell: AtomicAmount,
      realisedBuy: AtomicAmount,
      expectedBuyOfRealised: AtomicAmount,
      liveLegs: Type.Integer({ minimum: 0 }),
      gainedBuy: SignedAmount,
    }),
    chainValid: Type.Boolean({
      description: 'True if every transition has a correct hash and links to the previous one.',
    }),
    executionAuthorityGranted: Type.Literal(false),
    executionPerformed: Type.Literal(false),
  }),
)
export type ExecutionPlanState = Static<typeof ExecutionPlanState>
