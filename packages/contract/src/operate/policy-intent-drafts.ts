import { operation, paging, scoped, session } from '../operation.ts'

export const listPolicyIntentDrafts = operation({
  id: 'listPolicyIntentDrafts',
  method: 'GET',
  path: '/policy-intent-drafts',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'List policy intent drafts',
  description:
    'Collection of PolicyIntentDraft: {data[], meta{count, hasMore, nextCursor?}}. No scope reads drafts, though policies:compile writes them.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createPolicyIntentDrafts = operation({
  id: 'createPolicyIntentDrafts',
  method: 'POST',
  path: '/policy-intent-drafts',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Create policy intent drafts',
  description:
    'Body PolicyExtractRequest; 201 data PolicyDraftResult. Extraction output is not executable. The result has to carry the draft resourceVersion, since a credential with policies:compile cannot GET it and compile needs If-Match.',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const createStructuredPolicyIntentDraft = operation({
  id: 'createStructuredPolicyIntentDraft',
  method: 'POST',
  path: '/policy-intent-drafts/structured',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Create structured policy intent draft',
  description: 'Creates a draft from structured input, without text extraction.',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getPolicyIntentDrafts = operation({
  id: 'getPolicyIntentDrafts',
  method: 'GET',
  path: '/policy-intent-drafts/{id}',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Get policy intent drafts',
  description: 'One PolicyIntentDraft record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const compilePolicyIntent = operation({
  id: 'compilePolicyIntent',
  method: 'POST',
  path: '/policy-intent-drafts/{id}/compile',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Compile policy intent',
  description:
    'Compiles the exact draft generation. Compilation grants no authority (executionAuthorityGranted:false).',
  auth: scoped('policies:compile'),
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [412, 428],
})

export const checkAutonomyPolicy = operation({
  id: 'checkAutonomyPolicy',
  method: 'POST',
  path: '/policy-checks',
  tag: 'Operate',
  family: 'Autonomy policies and intent compilation',
  summary: 'Check autonomy policy',
  description: 'Checks against a policy; activates nothing.',
  auth: scoped('policies:check'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [200],
})
