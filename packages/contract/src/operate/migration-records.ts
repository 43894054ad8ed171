import Type, { type Static } from 'typebox'
import { Block, Evidence, noAuthority, Ref, versioned } from '../envelope.ts'
import { RangeEdges } from '../plan/range.ts'
import {
  Address,
  AtomicAmount,
  closed,
  decimals64,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX36,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { DepthFloor, MigrationPlanRequest } from './migration-request.ts'

export const migrationStepKinds = [
  'REMOVE',
  'COLLECT',
  'SWAP',
  'CREATE_POOL',
  'APPROVE',
  'MINT',
  'REVOKE_APPROVAL',
  'SOAK',
  'VERIFY',
] as const
export const mostMigrationSteps = 400

const Index = Type.Integer({ minimum: 0, maximum: 4 * mostMigrationSteps })
const StepKind = oneOf(migrationStepKinds, 'Action of the step.')
const TokenAmounts = closed({ base: SignedAmount, quote: SignedAmount })

/** An unsigned call that a wallet can execute unchanged. */
const UnsignedCall = named(
  'UnsignedCall',
  closed({
    to: Address,
    value: AtomicAmount,
    data: Type.String({ pattern: '^0x([0-9a-f]{2})*$', maxLength: 4096 }),
  }),
)

/** Edges of a range; null for a v2 pair. */
const Edges = {
  tickLower: orNull(Type.Integer()),
  tickUpper: orNull(Type.Integer()),
  lowerPriceX36: Type.Optional(RangeEdges.properties.lowerPriceX36),
  upperPriceX36: Type.Optional(RangeEdges.properties.upperPriceX36),
}
const PlannedPosition = closed({
  owner: Address,
  ...Edges,
  tokenId: orNull(Type.String({ maxLength: 78 })),
})

export const MigrationStep = named(
  'MigrationStep',
  closed({
    step: Index,
    tranche: Type.Integer({ minimum: 0, maximum: 64, description: '0 is the pilot.' }),
    kind: StepKind,
    venueId: orNull(RecordId),
    position: orNull(PlannedPosition),
    swap: orNull(
      closed({
        side: oneOf(['BUY', 'SELL'], 'Side of the trade in the base token.'),
        amountIn: AtomicAmount,
      }),
    ),
    amounts: orNull(
      closed(
        { base: AtomicAmount, quote: AtomicAmount },
        { description: 'Maximum amounts of a MINT.' },
      ),
    ),
    soakSeconds: orNull(Type.Integer({ minimum: 1 })),
    adapterId: orNull(Type.String({ examples: ['uniswap-v3-position-manager'] })),
    calls: list(UnsignedCall, 8, {
      description: 'Unsigned calls; empty for SOAK and VERIFY.',
    }),
    callsHash: orNull(Hash),
    preconditions: list(Type.String(), 8, {
      description: 'Codes of the checks before sending.',
    }),
    expected: closed({
      delta: TokenAmounts,
      liquidity: AtomicAmount,
      wallet: TokenAmounts,
      depth: list(DepthFloor, 48),
    }),
    tolerancePips: Pips,
    rollback: closed({
      possible: Type.Boolean(),
      steps: list(
        closed({
          kind: StepKind,
          venueId: orNull(RecordId),
          count: Type.Integer({ minimum: 1 }),
        }),
        128,
        { description: 'Rollback steps to the start, grouped by kind.' },
      ),
      costs: list(closed({ movePips: Type.Integer(), costQuote: orNull(SignedAmount) }), 8, {
        description: 'Cost of a rollback to the start: now, and after price moves.',
      }),
    }),
    pointOfNoReturn: Type.Boolean(),
  }),
)
export type MigrationStep = Static<typeof MigrationStep>

export const MigrationPlan = named(
  'MigrationPlan',
  closed({
    request: MigrationPlanRequest,
    simulatedAt: Block,
    tranches: Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'Number of tranches without the pilot.',
    }),
    targets: list(
      closed({
        venueId: RecordId,
        ...Edges,
        sharePips: Pips,
      }),
      16,
    ),
    start: closed({
      wallet: closed({ base: AtomicAmount, quote: AtomicAmount }),
      depth: list(DepthFloor, 48),
      midX18: AtomicAmount,
      midX36: Type.Optional(PriceX36),
      holdings: list(
        closed({ venueId: RecordId, tokenId: orNull(Type.String()), liquidity: AtomicAmount }),
        16,
      ),
    }),
    steps: list(MigrationStep, mostMigrationSteps),
    back: orNull(
      closed(
        {
          checkpoint: Index,
          plannedAt: Block,
          possible: Type.Boolean(),
          costQuote: SignedAmount,
          steps: list(MigrationStep, 4 * mostMigrationSteps),
        },
        { description: 'Rollback steps, after a rollback was chosen.' },
      ),
    ),
    gas: orNull(closed({ units: Type.Integer({ minimum: 0 }), quote: AtomicAmount })),
    decision: orNull(Ref),
    evidence: Evidence,
    ...noAuthority,
  }),
)
export type MigrationPlan = Static<typeof MigrationPlan>
export const MigrationPlanRecord = versioned('MigrationPlan', MigrationPlan)

export const MigrationInvariant = named(
  'MigrationInvariant',
  closed({
    code: Type.String({ examples: ['DEPTH_FLOORS'] }),
    ok: Type.Boolean(),
    observed: Type.String({ maxLength: 500 }),
    block: orNull(Block),
  }),
)
export type MigrationInvariant = Static<typeof MigrationInvariant>

const migrationTransitions = [
  'VALIDATE',
  'START',
  'STEP_SUBMITTED',
  'STEP_CONFIRMED',
  'STEP_VERIFIED',
  'STEP_FAILED',
  'PAUSE',
  'RESUME',
  'ROLLBACK',
  'COMPLETE',
  'CANCEL',
] as const

export const RealizedStep = named(
  'RealizedStep',
  closed({
    delta: TokenAmounts,
    liquidity: AtomicAmount,
    tokenId: orNull(Type.String({ maxLength: 78 })),
    depth: list(DepthFloor, 48),
  }),
)
export type RealizedStep = Static<typeof RealizedStep>

export const MigrationPlanState = named(
  'MigrationPlanState',
  closed({
    planId: RecordId,
    resourceVersion: Hash,
    phase: oneOf(
      [
        ...['DRAFT', 'VALIDATED', 'ACTIVE', 'PAUSED', 'ROLLING_BACK'],
        ...['COMPLETED', 'RETIRED', 'REVOKED', 'EXPIRED'],
      ] as const,
      'Folded from the transitions; a plan that is ROLLING_BACK has the status PAUSED.',
    ),
    way: oneOf(['FORWARD', 'BACK'], 'Direction of the counted steps.'),
    step: orNull(Index),
    inFlight: orNull(
      closed({
        state: oneOf(['SUBMITTED', 'CONFIRMED'], 'Progress.'),
        txHash: orNull(Hash),
        safeTxHash: orNull(Hash),
        nonce: AtomicAmount,
      }),
    ),
    pause: orNull(
      oneOf(['OPERATOR', 'FAILED', 'DIVERGED', 'STOP_RULE', 'DEADLINE'], 'Cause of the pause.'),
    ),
    isOverdue: Type.Boolean(),
    checkpoints: list(
      closed({
        checkpoint: Index,
        checkpointHash: orNull(Hash),
        block: orNull(Block),
        at: Timestamp,
      }),
      mostMigrationSteps + 1,
    ),
    invariants: list(MigrationInvariant, 16),
    invariantsHash: orNull(Hash),
    allowedTransitions: list(oneOf(migrationTransitions, 'A transition.'), 16, {
      description:
        'Transitions available now: START only with a decision that approves this version of the plan and no other plan on the wallet, RESUME after a stop rule only by an owner. Chain conditions are checked at the transition.',
    }),
    simulatedVsRealized: list(
      closed({
        way: oneOf(['FORWARD', 'BACK'], 'Direction of the step.'),
        step: Index,
        kind: StepKind,
        state: oneOf(['VERIFIED', 'DIVERGED'], 'Within tolerance, or not.'),
        simulated: TokenAmounts,
        realized: orNull(RealizedStep),
        block: orNull(Block),
      }),
      4 * mostMigrationSteps,
    ),
    executionPerformed: Type.Literal(false),
  }),
)
export type MigrationPlanState = Static<typeof MigrationPlanState>

const transitionOf = <const K extends (typeof migrationTransitions)[number]>(transition: K) => ({
  transition: Type.Literal(transition),
  resourceVersion: Type.Optional(Hash),
})
const StepNumber = Type.Integer({ minimum: 0, maximum: 4 * mostMigrationSteps })
const Nonce = Type.String({
  pattern: decimals64,
  description:
    'Nonce of the wallet; after another transaction uses it, this one can never be sent.',
})

export const MigrationTransition = named(
  'MigrationTransition',
  Type.Union([
    closed(transitionOf('VALIDATE')),
    closed({
      ...transitionOf('START'),
      decision: Ref,
      acknowledgedNoReturn: list(StepNumber, mostMigrationSteps, { uniqueItems: true }),
    }),
    closed({ ...transitionOf('STEP_SUBMITTED'), step: StepNumber, txHash: Hash, nonce: Nonce }),
    closed({ ...transitionOf('STEP_SUBMITTED'), step: StepNumber, safeTxHash: Hash, nonce: Nonce }),
    closed({ ...transitionOf('STEP_CONFIRMED'), step: StepNumber, txHash: Hash }),
    closed({ ...transitionOf('STEP_VERIFIED'), step: StepNumber }),
    closed({ ...transitionOf('STEP_FAILED'), step: StepNumber, txHash: Type.Optional(Hash) }),
    closed(transitionOf('PAUSE')),
    closed(transitionOf('RESUME')),
    closed({ ...transitionOf('ROLLBACK'), checkpoint: StepNumber }),
    closed(transitionOf('COMPLETE')),
    closed(transitionOf('CANCEL')),
  ]),
)
export type MigrationTransition = Static<typeof MigrationTransition>
