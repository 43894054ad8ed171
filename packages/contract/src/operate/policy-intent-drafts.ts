import Type, { type Static } from 'typebox'
import { Ref, versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { operation, record, scoped } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import {
  AutonomyPolicyInput,
  PolicyComparison,
  PolicyCompilation,
  policyExample,
  policyMembers,
} from './autonomy-policy.ts'

const heading = { tag: 'Operate', family: 'Autonomy policies and intent compilation' } as const

const Offset = Type.Integer({
  minimum: 0,
  description: 'Position in the text, in UTF-16 code units.',
})
const Quote = Type.String({ maxLength: 8000 })
const span = { start: Offset, end: Offset, quote: Quote }
const Field = Type.String({ maxLength: 80, description: 'A field of the policy.' })

const RuleId = Type.String({ maxLength: 40 })
const Sentence = Type.String({
  maxLength: 2000,
  description: 'Sentence that the language model in `suggestion` proposed for this text.',
})

const Provenance = Type.Union(
  [
    closed({ ...span, ruleId: RuleId }),
    closed({ ...span, ruleId: RuleId, sentence: Sentence }),
    closed({ pointer: Type.String({ maxLength: 120 }) }),
    closed({ baseline: Ref }),
  ],
  {
    description:
      'Source of a value: a part of the text and its grammar rule, with the sentence of the language model if one was used; a field of the request; or the policy or vault version that supplies the value.',
  },
)

const Baseline = oneOf(
  ['CURRENT', 'NONE'],
  'CURRENT: missing values are taken from the current policy of the vault, and marked. NONE: they stay missing.',
)

const refusalCodes = [
  ...(['UNPARSED_SPAN', 'AMBIGUOUS_NUMBER', 'UNKNOWN_UNIT', 'UNKNOWN_SYMBOL'] as const),
  ...(['UNKNOWN_ALIAS', 'AMOUNT_NOT_ATOMIC', 'OUT_OF_RANGE'] as const),
  ...(['CHECKSUM_INVALID', 'HEDGED_STATEMENT', 'NOT_SAID', 'NOT_PROPOSED'] as const),
] as const

const Suggestion = closed(
  {
    provider: Ref,
    model: Type.String({ maxLength: 120 }),
    questionHash: Hash,
    answerHash: Hash,
    tokens: orNull(
      Type.Integer({
        minimum: 0,
        description: 'Token count of all attempts, reported by the provider.',
      }),
    ),
    attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3,
        description: 'Requests to the model. It corrects rejected sentences at most twice.',
      }),
    ),
    attemptsHash: Type.Optional(Hash),
    proposed: list(
      closed({
        sentence: Sentence,
        quote: Quote,
        at: orNull(closed({ start: Offset, end: Offset })),
        outcome: oneOf(
          ['READ', 'QUOTE_NOT_FOUND', ...refusalCodes],
          'READ, or the reason for rejecting the sentence: its quote does not occur exactly once in the text (QUOTE_NOT_FOUND), the quote does not support it (NOT_SAID), or the grammar does not parse it.',
        ),
      }),
      256,
    ),
  },
  {
    description:
      'Proposal of a language model, with `questionHash` (of the request without address and secret) and `answerHash` (of its message). `attemptsHash` is the artifact with all requests, messages and rejections. Its output is untrusted.',
  },
)

export const PolicyIntentDraft = named(
  'PolicyIntentDraft',
  closed({
    vaultId: RecordId,
    baseline: Baseline,
    text: orNull(Type.String({ maxLength: 8000 })),
    textHash: orNull(Hash),
    grammarVersion: Type.Literal('policy-grammar-v1'),
    extractor: oneOf(
      ['GRAMMAR', 'MODEL', 'STRUCTURED'],
      'Extractor: the grammar, the grammar on sentences of a language model, or none for structured input.',
    ),
    suggestion: Type.Optional(Suggestion),
    values: list(
      closed({
        field: Field,
        value: Type.Unsafe<unknown>({
          description: 'Value in policy form; null for an explicitly absent bound.',
        }),
        provenance: list(Provenance, 64),
      }),
      16,
    ),
    restated: list(Type.String({ maxLength: 20_000 }), 16, {
      description:
        'Limits in one sentence each, as enforced; the grammar parses them to the same limits. Empty while incomplete.',
    }),
    unparsed: list(
      closed({
        ...span,
        code: oneOf(
          refusalCodes,
          'Reason for unparsed text; NOT_SAID: the text does not support the sentence of the language model. NOT_PROPOSED: the language model proposed no sentence for it. Such text has no effect.',
        ),
        hint: Type.String({ maxLength: 300 }),
      }),
      1000,
    ),
    conflicts: list(closed({ field: Field, spans: list(closed(span), 64) }), 16, {
      description: 'Fields with conflicting values; both are ignored.',
    }),
    missing: list(Field, 16),
    coveragePips: Pips,
    candidate: orNull(AutonomyPolicyInput),
    compilation: orNull(PolicyCompilation),
    expiresAt: Timestamp,
  }),
)
export type PolicyIntentDraft = Static<typeof PolicyIntentDraft>
export const PolicyIntentDraftRecord = versioned('PolicyIntentDraft', PolicyIntentDraft)

const authority = {
  executionAuthorityGranted: Type.Literal(false),
  policyActivated: Type.Literal(false),
} as const

export const PolicyDraftResult = named(
  'PolicyDraftResult',
  closed({
    draft: PolicyIntentDraftRecord,
    comparison: orNull(PolicyComparison),
    ...authority,
  }),
)

const moves = {
  DRAFT: ['VALIDATED', 'EXPIRED'],
  VALIDATED: ['VALIDATED', 'EXPIRED'],
  EXPIRED: [],
} as const

const policyIntentDrafts = {
  path: '/policy-intent-drafts',
  ...heading,
  one: 'PolicyIntentDraft',
  record: PolicyIntentDraftRecord,
} as const

export const listPolicyIntentDrafts = listOperation(policyIntentDrafts, {
  id: 'listPolicyIntentDrafts',
  summary: 'List policy intent drafts',
  note: 'Requires a user session. The scope policies:compile only creates and compiles drafts.',
  query: recordQueryOf(moves, 'the vault'),
})

const reading = [
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_PROVIDER_UNKNOWN',
  ...chainErrors,
  'LIQUIDITY_CHAIN_REORGED',
  'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
] as const

export const createPolicyIntentDrafts = operation({
  id: 'createPolicyIntentDrafts',
  method: 'POST',
  path: '/policy-intent-drafts',
  ...heading,
  summary: 'Create policy intent draft',
  description:
    'Extracts limits from a text with a fixed grammar. With extractor MODEL a language model proposes grammar sentences for parts of the text; the text must support each sentence. Every value names its part of the text; unparsed text is returned with its position and never dropped. Body PolicyExtractRequest; 201 data PolicyDraftResult. Extraction output is not executable.',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'PolicyExtractRequest',
    closed({
      payload: closed({
        vaultId: RecordId,
        text: Type.String({ minLength: 1, maxLength: 8000 }),
        baseline: Baseline,
        extractor: Type.Optional(
          oneOf(
            ['GRAMMAR', 'MODEL'],
            'Extractor. Default: GRAMMAR. MODEL: the language model of the organization gets the text and may propose grammar sentences for its parts; a sentence counts only if the grammar parses it and the quoted part supports it.',
          ),
        ),
      }),
      reason: Reason,
    }),
  ),
  response: record(PolicyDraftResult),
  errors: [
    ...reading,
    'LIQUIDITY_POLICY_MODEL_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_UNAVAILABLE',
    'LIQUIDITY_PROVIDER_ANSWER_REFUSED',
  ],
  example: {
    body: {
      payload: {
        vaultId: 'vault_example',
        text: 'level advise\nslippage at most 0.5 %\nwait at least 1 hour between actions\nno contracts; no assets; no adapters',
        baseline: 'NONE',
      },
      reason: 'Text of the board decision',
    },
  },
})

const Partial = closed(
  Object.fromEntries(
    Object.entries(policyMembers)
      .filter(([member]) => member !== 'vaultId' && member !== 'controlEpoch')
      .map(([member, schema]) => [member, Type.Optional(schema)]),
  ) as {
    [M in Exclude<keyof typeof policyMembers, 'vaultId' | 'controlEpoch'>]: ReturnType<
      typeof Type.Optional<(typeof policyMembers)[M]>
    >
  },
)

const { vaultId: _, controlEpoch: __, ...exampleLimits } = policyExample

export const createStructuredPolicyIntentDraft = operation({
  id: 'createStructuredPolicyIntentDraft',
  method: 'POST',
  path: '/policy-intent-drafts/structured',
  ...heading,
  summary: 'Create structured policy intent draft',
  description:
    'Creates a draft from exact limits, without text extraction; vault and control epoch come from the vault.',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: named(
    'PolicyStructuredRequest',
    closed({
      payload: closed({ vaultId: RecordId, policy: Partial, baseline: Baseline }),
      reason: Reason,
    }),
  ),
  response: record(PolicyDraftResult),
  errors: [...reading, 'LIQUIDITY_POLICY_NOT_CANONICAL'],
  example: {
    body: {
      payload: { vaultId: 'vault_example', policy: exampleLimits, baseline: 'NONE' },
      reason: 'Start with advice only',
    },
  },
})

export const getPolicyIntentDrafts = getOperation(policyIntentDrafts, {
  id: 'getPolicyIntentDrafts',
  summary: 'Get policy intent draft',
})

export const compilePolicyIntent = operation({
  id: 'compilePolicyIntent',
  method: 'POST',
  path: '/policy-intent-drafts/{id}/compile',
  ...heading,
  summary: 'Compile policy intent',
  description:
    'Compiles the exact draft version into limits, their hash, the on-chain role for them, and the enforcing party of each. Unparsed, conflicting or missing values are rejected with their position. Compilation grants no authority (executionAuthorityGranted:false).',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [412, 428],
  body: named('PolicyCompileRequest', closed({ reason: Reason })),
  response: record(
    named(
      'PolicyCompileResult',
      closed({
        draft: PolicyIntentDraftRecord,
        compilation: PolicyCompilation,
        comparison: PolicyComparison,
        ...authority,
      }),
    ),
  ),
  errors: [
    'LIQUIDITY_POLICY_INTENT_NOT_COMPILABLE',
    'LIQUIDITY_POLICY_INTENT_EXPIRED',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_POLICY_CAPS_INVERTED',
    'LIQUIDITY_POLICY_PRICE_BAND_INVERTED',
    'LIQUIDITY_POLICY_EXPIRY_PAST',
    'LIQUIDITY_POLICY_EXECUTABLE_SETS_EMPTY',
    'LIQUIDITY_POLICY_NOT_ENCODABLE',
    'LIQUIDITY_POLICY_EPOCH_NOT_CURRENT',
  ],
  example: { body: { reason: 'For the review' } },
})

export const policyDraftFamily = declareFamily({
  module: 'operate/autonomy-policies',
  operations: [
    listPolicyIntentDrafts,
    createPolicyIntentDrafts,
    createStructuredPolicyIntentDraft,
    getPolicyIntentDrafts,
    compilePolicyIntent,
  ],
  type: 'PolicyIntentDraft',
  prefix: 'policy_draft',
  name: 'policy intent draft',
  plural: 'policy intent drafts',
  payload: PolicyIntentDraft,
  moves,
  refusals: { terminal: 'LIQUIDITY_POLICY_INTENT_EXPIRED' },
  events: ['policy_intent.drafted', 'policy_intent.compiled', 'policy_intent.expired'],
  title: null,
  columns: [
    ...(['payload.vaultId', 'payload.extractor', 'payload.coveragePips'] as const),
    ...(['payload.expiresAt', 'status', 'createdAt'] as const),
  ],
  subject: 'payload.vaultId',
  ui: {
    page: 'proposals/policies',
    task: 'Policy drafts',
    icon: 'megaphone',
    summary: 'Write policies in plain English. Unparsed text is rejected.',
    empty: 'Describe the limits of a vault in plain English, or enter them.',
    head: ['payload.coveragePips', 'payload.extractor'],
    actions: {
      createPolicyIntentDrafts: { label: 'Create from text' },
      createStructuredPolicyIntentDraft: { label: 'Create from limits' },
      compilePolicyIntent: { label: 'Compile draft' },
    },
    docs: 'policies',
  },
})
