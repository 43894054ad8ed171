import Type, { type Static } from 'typebox'
import { Actor, SourceRef, versioned } from '../envelope.ts'
import {
  Address,
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { SignedAddress, SignedTime } from '../signed-scalars.ts'

export const policyLevels = [0, 1, 2, 3, 4] as const

const Level = Type.Integer({
  minimum: 0,
  maximum: 4,
  description:
    '0 OBSERVE: read only. 1 ADVISE: analyses and checks. 2 PREPARE: packets and plans, each leg under its approved packet. 3 STAGE: one approved packet may arm all legs; the owners still sign every transaction. 4 BOUNDED: an on-chain role may act inside the limits without a signature per action. From 3 on a policy is executable; this service executes at no level.',
})

/** Limits from a person: every member is hashed and signed, so each has one form. */
export const policyMembers = {
  vaultId: RecordId,
  level: Level,
  maximumAmountPerTransaction: AtomicAmount,
  maximumDailyTurnover: AtomicAmount,
  maximumSlippagePips: Pips,
  approvedContracts: list(SignedAddress, 256, {
    description: 'Allowed contracts; a set.',
  }),
  approvedAssets: list(SignedAddress, 256, { description: 'Allowed tokens; a set.' }),
  approvedAdapterIds: list(
    Type.String({ minLength: 1, maxLength: 80, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    256,
    { description: 'Adapters of the signed release that decode calls; a set.' },
  ),
  minimumSecondsBetweenActions: Type.Integer({ minimum: 0, maximum: 31_536_000 }),
  oracleMaximumAgeSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'Maximum age of a price for an action check, in seconds.',
  }),
  expiresAt: SignedTime,
  controlEpoch: AtomicAmount,
  publicMempoolFallbackAllowed: Type.Boolean(),
  minimumPriceX18: Type.Optional(PriceX18),
  maximumPriceX18: Type.Optional(PriceX18),
} as const

export const AutonomyPolicyInput = named('AutonomyPolicyInput', closed(policyMembers))
export type AutonomyPolicyInput = Static<typeof AutonomyPolicyInput>

/** Derived fields; a request that sends one gets a specific error. */
export const derivedPolicyFields = [
  ...(['policyHash', 'approvedAt', 'approvedBy', 'approval', 'admission', 'comparison'] as const),
  ...(['compilation', 'safeAuthority', 'safeAuthorityEvidence', 'safeEnvelope'] as const),
  ...(['safeTxHash', 'proof', 'proofs', 'envelope', 'releaseHash', 'release', 'onChain'] as const),
] as const

export const derivedPolicyMembers = Object.fromEntries(
  derivedPolicyFields.map((field) => [
    field,
    Type.Optional(
      Type.Unknown({ description: 'Determined by the service; rejected in requests.' }),
    ),
  ]),
)

const relations = ['EQUAL', 'NARROWER', 'WIDER', 'INCOMPARABLE'] as const
const PolicyText = Type.String({ maxLength: 16_000 })
export const PolicyComparison = named(
  'PolicyComparison',
  closed({
    relation: oneOf(
      relations,
      'Comparison of the new limits with the previous limits. NARROWER: grants less and no more. INCOMPARABLE: each grants an action that the other does not.',
    ),
    perField: list(
      closed({
        field: Type.String({ maxLength: 80 }),
        relation: oneOf(relations, 'Relation in this field.'),
        before: PolicyText,
        after: PolicyText,
        added: Type.Optional(list(Type.String({ maxLength: 80 }), 256)),
        removed: Type.Optional(list(Type.String({ maxLength: 80 }), 256)),
      }),
      15,
    ),
  }),
)
export type PolicyComparison = Static<typeof PolicyComparison>

const Hex = Type.String({ pattern: '^0x([0-9a-f]{2})*$', maxLength: 131_074 })

export const ConditionFlat = named(
  'ConditionFlat',
  closed({
    parent: Type.Integer({ minimum: 0, description: 'Place of the parent; the root is its own.' }),
    paramType: oneOf(
      ['None', 'Static', 'Dynamic', 'Tuple', 'Array', 'Calldata', 'AbiEncoded'],
      'Type of the parameter.',
    ),
    operator: oneOf(
      [
        ...(['Pass', 'And', 'Or', 'Matches', 'ArrayEvery', 'EqualToAvatar', 'EqualTo'] as const),
        ...(['LessThan', 'WithinAllowance', 'CallWithinAllowance'] as const),
      ],
      'Condition on the parameter.',
    ),
    compValue: Hex,
  }),
)
export type ConditionFlat = Static<typeof ConditionFlat>

const Allowance = closed({
  key: Hash,
  balance: AtomicAmount,
  maxRefill: AtomicAmount,
  refill: AtomicAmount,
  period: AtomicAmount,
  timestamp: AtomicAmount,
})

export const PreparedCall = named(
  'PreparedCall',
  closed({ to: Address, value: AtomicAmount, data: Hex }),
)
export type PreparedCall = Static<typeof PreparedCall>

export const PolicyCompilation = named(
  'PolicyCompilation',
  closed({
    compilerVersion: Type.Literal('policy-compiler-v1'),
    policy: AutonomyPolicyInput,
    policyHash: Hash,
    releaseHash: orNull(Hash),
    role: closed({
      roleKey: Hash,
      allowances: list(Allowance, 512),
      targets: list(
        closed({
          address: Address,
          clearance: Type.Literal('FUNCTION'),
          executionOptions: Type.Literal('NONE'),
          functions: list(
            closed({
              selector: Type.String({ pattern: '^0x[0-9a-f]{8}$' }),
              signature: Type.String({ maxLength: 1000 }),
              conditions: list(ConditionFlat, 2048, {
                description: 'Breadth first, as the Roles modifier v2 takes them.',
              }),
              conditionsHash: Hash,
            }),
            64,
          ),
        }),
        512,
      ),
    }),
    conditionsHash: Hash,
    calls: orNull(
      list(PreparedCall, 512, {
        description: 'Null: no Roles modifier on the vault that the service knows by its code.',
      }),
    ),
    commitment: PreparedCall,
    coverage: list(
      closed({
        field: Type.String({ maxLength: 80 }),
        enforcedBy: oneOf(
          ['ONCHAIN', 'SERVICE_CHECK', 'BOTH'],
          'Enforcement; limits checked only by the service are never labeled as enforced by the chain.',
        ),
        note: Type.String({ maxLength: 400 }),
      }),
      15,
    ),
  }),
)
export type PolicyCompilation = Static<typeof PolicyCompilation>

const OnChain = closed({
  authority: oneOf(
    ['NONE', 'WIDER', 'EQUAL', 'UNKNOWN'],
    'Authority to act for the Safe without its owners, as far as known: NONE if the Safe has no module.',
  ),
  detail: Type.String({ maxLength: 500 }),
  removal: orNull(
    list(PreparedCall, 64, {
      description: 'Calls for the owners to remove the existing role; null if no role exists.',
    }),
  ),
})

export const AutonomyPolicy = named(
  'AutonomyPolicy',
  closed({
    ...policyMembers,
    policyHash: Hash,
    approvedAt: Timestamp,
    approvedBy: Actor,
    admission: oneOf(
      ['ADVISORY', 'NARROWING', 'EXPANSION'],
      'ADVISORY: not executable. NARROWING: no more authority than before. EXPANSION: the Safe owners committed to its hash on chain.',
    ),
    comparison: PolicyComparison,
    compilation: PolicyCompilation,
    safeAuthority: orNull(SourceRef),
    usedEnvelopes: list(RecordId, 256, {
      description:
        "Receipts of the owners' activation of a version of this policy; each counts once.",
    }),
    releaseHash: orNull(Hash),
    onChain: OnChain,
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type AutonomyPolicy = Static<typeof AutonomyPolicy>
export const AutonomyPolicyRecord = versioned('AutonomyPolicy', AutonomyPolicy)

/** Limits of the examples. */
export const policyExample = {
  vaultId: 'vault_example',
  level: 1,
  maximumAmountPerTransaction: '1000000000000000000',
  maximumDailyTurnover: '5000000000000000000',
  maximumSlippagePips: 5000,
  approvedContracts: [],
  approvedAssets: [],
  approvedAdapterIds: [],
  minimumSecondsBetweenActions: 3600,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2026-12-31T00:00:00Z',
  controlEpoch: '1',
  publicMempoolFallbackAllowed: false,
} as const
