import Type, { type Static } from 'typebox'
import { Block, Ref } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, scoped } from '../operation.ts'
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
  Reason,
  Timestamp,
} from '../scalars.ts'
import { AutonomyPolicyInput, policyExample } from './autonomy-policy.ts'
import { PolicyRuleResult, PolicyVerdict } from './policy-rules.ts'

const CheckedCall = closed({
  to: Address,
  value: AtomicAmount,
  data: Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 65_538 }),
  operation: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: '0: call (default); 1: delegate call.',
    }),
  ),
})

export const PolicyCheckAction = named(
  'PolicyCheckAction',
  closed({
    purpose: Type.Optional(
      oneOf(['PREPARE', 'STAGE', 'BOUNDED'], 'Purpose of the check. Default: PREPARE.'),
    ),
    kind: oneOf(
      ['SWAP', 'ADD_LIQUIDITY', 'REMOVE_LIQUIDITY', 'COLLECT', 'TRANSFER', 'APPROVE'],
      'Action kind; for a SWAP the adapter must decode both tokens.',
    ),
    chainId: ChainId,
    adapterId: Type.String({ minLength: 1, maxLength: 80 }),
    calls: list(CheckedCall, 16, { minItems: 1 }),
    amountIn: Type.Optional(AtomicAmount),
    assetIn: Type.Optional(Address),
    expectedOut: Type.Optional(AtomicAmount),
    minimumOut: Type.Optional(AtomicAmount),
    route: oneOf(
      ['PRIVATE', 'BATCH_AUCTION', 'SIGNED_QUOTE', 'PUBLIC_MEMPOOL'],
      'Delivery route to the chain.',
    ),
  }),
)
export type PolicyCheckAction = Static<typeof PolicyCheckAction>

const CheckedPolicy = Type.Union(
  [closed({ ref: Ref }), closed({ draft: Ref }), closed({ inline: AutonomyPolicyInput })],
  {
    description:
      'A policy in its current version; the candidate of a draft; or limits without a policy. The last two are checked as if active.',
  },
)

export const PolicyCheckRequest = named(
  'PolicyCheckRequest',
  closed({
    payload: closed({ policy: CheckedPolicy, action: PolicyCheckAction }),
    reason: Reason,
  }),
)
export type PolicyCheckRequest = Static<typeof PolicyCheckRequest>

export const PolicyCheckResult = named(
  'PolicyCheckResult',
  closed({
    checkHash: Hash,
    verdict: PolicyVerdict,
    policyHash: Hash,
    policyRef: orNull(Ref),
    evaluatedAt: Timestamp,
    block: Block,
    rules: list(PolicyRuleResult, 16, { description: 'All sixteen, in their order.' }),
    fix: orNull(
      closed({
        changes: list(
          closed({
            pointer: Type.String({ maxLength: 120 }),
            from: Type.String({ maxLength: 120 }),
            to: Type.String({ maxLength: 120 }),
          }),
          8,
        ),
        reachable: Type.Boolean({
          description:
            'True if these changes turn every DENY into ALLOW; if false, no change does.',
        }),
      }),
    ),
    gaps: list(
      closed({ code: Type.String({ maxLength: 80 }), detail: Type.String({ maxLength: 500 }) }),
      32,
    ),
    policyActivated: Type.Literal(false),
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type PolicyCheckResult = Static<typeof PolicyCheckResult>

export const checkAutonomyPolicy = operation({
  id: 'checkAutonomyPolicy',
  method: 'POST',
  path: '/policy-checks',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Check autonomy policy',
  description:
    'Checks an action against all sixteen rules of a policy; returns each denial, its excess, and the smallest allowed change. The service determines turnover, last action, prices, epoch and time. Without an admissible price, a fresh snapshot or decodable calldata the affected rules are INDETERMINATE, which is never ALLOW. Activates no policy and grants no authority.',
  auth: scoped('policies:check'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [200],
  body: PolicyCheckRequest,
  response: data(PolicyCheckResult),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    'LIQUIDITY_POLICY_CHECK_CONTRADICTS',
    'LIQUIDITY_POLICY_DERIVED_FIELD_SUPPLIED',
    'LIQUIDITY_POLICY_NOT_CANONICAL',
    'LIQUIDITY_POLICY_CAPS_INVERTED',
    'LIQUIDITY_POLICY_PRICE_BAND_INVERTED',
    'LIQUIDITY_POLICY_EXPIRY_PAST',
    'LIQUIDITY_POLICY_EXECUTABLE_SETS_EMPTY',
    'LIQUIDITY_POLICY_NOT_ENCODABLE',
  ],
  example: {
    body: {
      payload: {
        policy: { inline: policyExample },
        action: {
          kind: 'TRANSFER',
          chainId: 31337,
          adapterId: 'erc20-allowance',
          route: 'PRIVATE',
          calls: [{ to: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', value: '0', data: '0x' }],
        },
      },
      reason: 'Check before preparation',
    },
  },
})

/** Checks store no records: the event is in the chain of the policy or vault. */
export const policyCheckFamily = declareFamily({
  module: 'operate/autonomy-policies',
  operations: [checkAutonomyPolicy],
})
