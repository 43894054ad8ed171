import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, list, named, oneOf, orNull, SignedAmount } from '../scalars.ts'

/** Results of policy rules for an action: before it by a check, after it by a receipt. */

export const policyRuleIds = [
  ...(['R01', 'R02', 'R03', 'R04', 'R05', 'R06', 'R07', 'R08'] as const),
  ...(['R09', 'R10', 'R11', 'R12', 'R13', 'R14', 'R15', 'R16'] as const),
] as const

export const PolicyVerdict = oneOf(
  ['ALLOW', 'DENY', 'INDETERMINATE'],
  'INDETERMINATE: data for the rule is missing; it never counts as ALLOW.',
)

export const PolicyRuleResult = named(
  'PolicyRuleResult',
  closed({
    ruleId: oneOf(policyRuleIds, 'Policy rule, one of sixteen.'),
    name: Type.String({ maxLength: 40, description: 'The rule in a word.' }),
    outcome: PolicyVerdict,
    field: Type.String({ maxLength: 80, description: 'The field of the policy that it is about.' }),
    limit: orNull(Type.String({ maxLength: 400, description: 'Limit in the policy.' })),
    observed: orNull(Type.String({ maxLength: 400, description: 'Observed value of the action.' })),
    margin: orNull(SignedAmount),
    explanation: Type.String({ maxLength: 600 }),
    evidence: list(SourceRef, 32, { description: 'Source records of the observed value.' }),
  }),
)
export type PolicyRuleResult = Static<typeof PolicyRuleResult>

/** One call of an account. */
export const DecodedCall = named(
  'DecodedCall',
  closed({
    to: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    value: AtomicAmount,
    selector: orNull(Type.String({ pattern: '^0x[0-9a-f]{8}$' })),
    data: Type.String({
      pattern: '^0x([0-9a-f]{2})*$',
      maxLength: 65_538,
      description: 'Call data, hex.',
    }),
    operation: oneOf(['CALL', 'DELEGATECALL'], 'Call type.'),
    adapterId: orNull(Type.String({ maxLength: 80 })),
    arguments: orNull(
      list(closed({ name: Type.String({ maxLength: 80 }), value: Type.String() }), 64, {
        description: 'Arguments by name; null if no signed release has the function.',
      }),
    ),
  }),
)
export type DecodedCall = Static<typeof DecodedCall>
