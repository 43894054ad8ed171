import { operation, scoped, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Operate', family: 'Autonomy policies and intent compilation' } as const

const policyIntentDrafts = {
  path: '/policy-intent-drafts',
  ...heading,
  one: 'PolicyIntentDraft',
  record: undesigned,
} as const

export const listPolicyIntentDrafts = listOperation(policyIntentDrafts, {
  id: 'listPolicyIntentDrafts',
  summary: 'List policy intent drafts',
  note: 'No scope reads drafts, though policies:compile writes them.',
})

export const createPolicyIntentDrafts = operation({
  id: 'createPolicyIntentDrafts',
  method: 'POST',
  path: '/policy-intent-drafts',
  ...heading,
  summary: 'Create policy intent drafts',
  description:
    'Body PolicyExtractRequest; 201 data PolicyDraftResult. Extraction output is not executable. The result has to carry the draft resourceVersion, since a credential with policies:compile cannot GET it and compile needs If-Match.',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const createStructuredPolicyIntentDraft = operation({
  id: 'createStructuredPolicyIntentDraft',
  method: 'POST',
  path: '/policy-intent-drafts/structured',
  ...heading,
  summary: 'Create structured policy intent draft',
  description: 'Creates a draft from structured input, without text extraction.',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getPolicyIntentDrafts = getOperation(policyIntentDrafts, {
  id: 'getPolicyIntentDrafts',
  summary: 'Get policy intent drafts',
})

export const compilePolicyIntent = operation({
  id: 'compilePolicyIntent',
  method: 'POST',
  path: '/policy-intent-drafts/{id}/compile',
  ...heading,
  summary: 'Compile policy intent',
  description:
    'Compiles the exact draft generation. Compilation grants no authority (executionAuthorityGranted:false).',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [412, 428],
  body: undesigned,
  response: undesigned,
})
