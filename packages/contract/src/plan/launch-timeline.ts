import Type, { type Static } from 'typebox'
import { Block, SourceRef } from '../envelope.ts'
import { roles } from '../identity.ts'
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
  PriceX18,
  RecordId,
  Timestamp,
} from '../scalars.ts'

/** Launch steps: dependencies, required gates and evidence. */

const StepKey = Type.String({
  pattern: '^[a-z0-9-]{3,60}$',
  description: 'A name of the step within the plan; the same key again amends it.',
})

const gate = <const K extends string, const P extends Record<string, Type.TSchema>>(
  kind: K,
  description: string,
  properties: P,
) => closed({ kind: Type.Literal(kind, { description }), ...properties })
const onChain = { chainId: ChainId }

export const LaunchGate = named(
  'LaunchGate',
  Type.Union(
    [
      gate('CAPITAL_RESERVED', 'The capital of the study is reserved in the ledger.', {}),
      gate(
        'RECONCILIATION_AGREED',
        'The newest reconciliation of all current holdings agrees, is within the maximum age, and is acknowledged if a second person is required.',
        {
          maximumAgeDays: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 31,
              description: 'Maximum age in days. Default: 7.',
            }),
          ),
        },
      ),
      gate(
        'CUSTODY_CURRENT',
        'Live custody evidence covers every holding that the plan has reserved, to the share that the treasury settings require.',
        {},
      ),
      gate(
        'PROJECT_CONTROL_PROVEN',
        'Current control of the token is proven, immediate or delayed, and its path is valid when the gate is checked.',
        {},
      ),
      gate(
        'STRESS_WITHIN_LIMITS',
        'The newest stress study of all active entries with the required limits is complete, at most 30 days old, and breaks no limit.',
        {},
      ),
      gate(
        'RUNWAY_AT_LEAST',
        'Minimum runway of net cash after the spend of the plan, in the newest projection of all active entries, at most 31 days old.',
        {
          months: Type.Integer({
            minimum: 1,
            maximum: 60,
            description: 'Minimum runway, in months.',
          }),
          scenarioId: Type.Optional(
            Type.String({
              pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
              description: 'Deciding scenario. Default: the base scenario.',
            }),
          ),
        },
      ),
      gate('STRATEGY_VALIDATED', 'A strategy is VALIDATED.', { strategyId: RecordId }),
      gate('POLICY_ACTIVE', 'A policy is ACTIVE.', { policyId: RecordId }),
      gate('CONTRACT_CODE_HASH', 'The code at an address is that one.', {
        ...onChain,
        address: Address,
        codeHash: Hash,
      }),
      gate(
        'ROLE_HELD_BY',
        'One account alone may act: the owner of a contract, or the one member of a role that can be counted.',
        { ...onChain, address: Address, holder: Address, role: Type.Optional(Hash) },
      ),
      gate(
        'TOKEN_CONTROLLED_AS_PLANNED',
        'ROLE_HELD_BY of the token, by the `control` of the deployment of the plan.',
        {},
      ),
      gate('SUPPLY_EQUALS', 'The supply of the token is that of the plan.', {}),
      gate('VESTING_FUNDED', 'Minimum token balance of a contract.', {
        address: Address,
        tokens: AtomicAmount,
      }),
      gate(
        'VESTING_FUNDED_AS_PLANNED',
        'Every vesting contract of the planned deployment has its code and the vested tokens of its allocation, and the token has the planned supply.',
        {},
      ),
      gate(
        'POOL_UNINITIALISED_OR_PRICE_WITHIN',
        'The pool of the pair does not exist, has no price, or has a price near the reference: a pool that a third party initialized at another price blocks the seed.',
        {
          factory: Address,
          feePips: Type.Integer({
            minimum: 1,
            maximum: 100_000,
            description: 'Fee of the pool, in pips.',
          }),
          tolerancePips: Type.Integer({
            minimum: 0,
            maximum: 500_000,
            description: 'Price tolerance, in pips.',
          }),
          priceX18: Type.Optional(PriceX18),
        },
      ),
      gate(
        'POOL_CLEAR_AS_PLANNED',
        'POOL_UNINITIALISED_OR_PRICE_WITHIN of the pool of the deployment of the plan, by the reference price of the plan.',
        {},
      ),
      gate('LP_CUSTODY_AT', 'A position belongs to an account.', {
        ...onChain,
        manager: Address,
        tokenId: AtomicAmount,
        holder: Address,
      }),
      gate('DOCUMENT_ATTESTED', 'A document is signed by a key, Ed25519 over its hash.', {
        documentHash: Hash,
        publicKey: Type.String({
          pattern: '^[A-Za-z0-9+/]{43}=$',
          description: '32 bytes, base64.',
        }),
      }),
      gate('HUMAN_APPROVAL', 'A decision packet is approved.', {
        packId: Type.Optional(RecordId),
      }),
    ],
    {
      description:
        'Gates checked by the service from records and finalized blocks, never declared. HUMAN_APPROVAL without a decision packet uses one based on this plan.',
    },
  ),
)
export type LaunchGate = Static<typeof LaunchGate>

const evidenceKinds = ['DOCUMENT', 'RECORD', 'TRANSACTION', 'SIGNATURE'] as const
const EvidenceKind = oneOf(
  evidenceKinds,
  'DOCUMENT: a hash alone. RECORD: a record version. TRANSACTION: a successful transaction in a finalized block. SIGNATURE: by the key of the gate.',
)

export const TimelineStepInput = named(
  'TimelineStepInput',
  closed({
    key: StepKey,
    title: Type.String({ minLength: 1, maxLength: 200, description: 'Step title.' }),
    kind: oneOf(
      ['TASK', 'GATE', 'MILESTONE', 'WINDOW'],
      'TASK: work. GATE: a condition. MILESTONE: a moment. WINDOW: a period.',
    ),
    ownerRole: oneOf(roles, 'Role of the owner.'),
    offsetSeconds: Type.Optional(
      Type.Integer({
        minimum: -157_680_000,
        maximum: 157_680_000,
        description:
          'Offset from the launch, in seconds; negative before it. Either this or `plannedAt`.',
      }),
    ),
    plannedAt: Type.Optional(Timestamp),
    durationSeconds: Type.Integer({
      minimum: 0,
      maximum: 31_622_400,
      description: 'Duration of the step, in seconds.',
    }),
    dependsOn: list(StepKey, 32, {
      uniqueItems: true,
      description: 'Steps that must be complete first.',
    }),
    gate: Type.Optional(LaunchGate),
    requiredEvidence: list(
      closed({
        kind: EvidenceKind,
        minimum: Type.Integer({ minimum: 1, maximum: 16, description: 'Minimum number of items.' }),
      }),
      4,
    ),
  }),
)
export type TimelineStepInput = Static<typeof TimelineStepInput>

export const LaunchEvidence = named(
  'LaunchEvidence',
  closed({
    kind: EvidenceKind,
    hash: Hash,
    ref: Type.Optional(SourceRef),
    chain: Type.Optional(closed({ chainId: ChainId, txHash: Hash })),
    signature: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$', description: 'Ed25519, base64.' }),
    ),
  }),
)
export type LaunchEvidence = Static<typeof LaunchEvidence>

export const GateResult = named(
  'GateResult',
  closed({
    result: oneOf(
      ['SATISFIED', 'OPEN', 'UNKNOWN'],
      'UNKNOWN: required data could not be read; counts as open.',
    ),
    detail: Type.String({ maxLength: 500 }),
    read: list(
      closed({ name: Type.String({ maxLength: 80 }), value: Type.String({ maxLength: 500 }) }),
      16,
      {
        description: 'Values read.',
      },
    ),
    sources: list(SourceRef, 64),
    block: orNull(Block),
  }),
)
export type GateResult = Static<typeof GateResult>

const TimelineStep = closed({
  eventId: RecordId,
  ...TimelineStepInput.properties,
  offsetSeconds: Type.Integer({ description: 'Offset from the launch, in seconds.' }),
  plannedAt: Timestamp,
  amendments: list(closed({ plannedAt: Timestamp, amendedAt: Timestamp }), 64, {
    description: 'Previous planned times, and the times of the changes.',
  }),
  state: oneOf(
    ['BLOCKED', 'READY', 'DONE', 'LATE'],
    'LATE: open after its planned end, for any reason.',
  ),
  doneAt: orNull(Timestamp),
  evidence: list(LaunchEvidence, 64),
  earliestStart: Timestamp,
  latestFinish: Timestamp,
  slackSeconds: Type.Integer({ minimum: 0, description: 'Allowed delay, in seconds.' }),
  critical: Type.Boolean({ description: 'True if on the critical path.' }),
  blockedBy: list(StepKey, 32, { description: 'Open steps that it waits for.' }),
  gateResult: orNull(GateResult),
})

export const LaunchTimeline = named(
  'LaunchTimeline',
  closed({
    launchPlanId: RecordId,
    head: Hash,
    launchAt: Timestamp,
    phase: oneOf(
      ['PREPARING', 'READY', 'LIVE', 'DONE', 'SLIPPED'],
      'READY: all steps before the launch are done. LIVE: READY, and the launch time has passed. SLIPPED: the launch is forecast later than planned.',
    ),
    events: list(TimelineStep, 500),
    criticalPath: list(StepKey, 500, {
      description:
        'Open steps that determine the earliest start of the first open step at or after the launch.',
    }),
    forecastLaunchAt: Timestamp,
    evaluatedAt: Timestamp,
  }),
)
export type LaunchTimeline = Static<typeof LaunchTimeline>
