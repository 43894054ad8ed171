import { operation, paging, scoped, session } from '../operation.ts'

export const listStrategies = operation({
  id: 'listStrategies',
  method: 'GET',
  path: '/strategies',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'List strategies',
  description:
    'Collection of StrategyDefinitionV2: {data[], meta{count, hasMore, nextCursor?}}. For service credentials this GET spends the strategies:validate budget (200 per 900 s).',
  auth: scoped('strategies:validate'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createStrategies = operation({
  id: 'createStrategies',
  method: 'POST',
  path: '/strategies',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Create strategies',
  description:
    'Input StrategyDefinitionV2Input; 201 data {strategy, compilation}. Common mutation body.',
  auth: scoped('strategies:validate'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getStrategies = operation({
  id: 'getStrategies',
  method: 'GET',
  path: '/strategies/{id}',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Get strategies',
  description:
    'One StrategyDefinitionV2 record with its strong ETag (quoted resourceVersion). Spends the strategies:validate budget.',
  auth: scoped('strategies:validate'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const supersedeStrategies = operation({
  id: 'supersedeStrategies',
  method: 'PATCH',
  path: '/strategies/{id}',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Supersede strategies',
  description:
    'Body {payload?, status?, evidenceHashes?, reason}; status one of DRAFT, VALIDATED, PAUSED, REVOKED. 200 data {strategy, compilation, compilationEvidence (OperatingSystemEvent)}. 400 payload or transition outside the bounded operation; 409 a typed authority workflow is needed; 412 stale.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
})

export const wrapLegacyStrategyDefinition = operation({
  id: 'wrapLegacyStrategyDefinition',
  method: 'POST',
  path: '/strategies/legacy-wrappers',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Wrap legacy strategy definition',
  description:
    'Wraps v1 Bootstrap, Maintain or Diversify evidence into the declarative v2 strategy schema.',
  auth: scoped('strategies:validate'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const admitStrategyProposal = operation({
  id: 'admitStrategyProposal',
  method: 'POST',
  path: '/strategies/{id}/proposal-admissions',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Admit strategy proposal',
  description:
    'Admits a strategy generation as the basis of a proposal; produces the strategy-admission evidence which POST /proposals checks (409 there when it is missing or superseded).',
  auth: scoped('strategies:validate'),
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})

export const getStrategyEvidence = operation({
  id: 'getStrategyEvidence',
  method: 'GET',
  path: '/strategies/{id}/evidence',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Get strategy evidence',
  description:
    'Combines the strategy and the full study evidence, hence session only: strategies:validate does not reach it.',
  auth: session,
  permission: 'read',
  success: [200],
})
