import { operation, paging, session } from '../operation.ts'

export const listQuoteSets = operation({
  id: 'listQuoteSets',
  method: 'GET',
  path: '/quote-sets',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'List quote sets',
  description: 'Collection of admitted quote sets.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const admitProtectedExecutionQuoteSet = operation({
  id: 'admitProtectedExecutionQuoteSet',
  method: 'POST',
  path: '/quote-sets',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Admit protected execution quote set',
  description: 'Admits a quote set.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
})

export const getQuoteSets = operation({
  id: 'getQuoteSets',
  method: 'GET',
  path: '/quote-sets/{id}',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Get quote sets',
  description: 'One quote set record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const createProtectedExecutionQuoteRequest = operation({
  id: 'createProtectedExecutionQuoteRequest',
  method: 'POST',
  path: '/quote-requests',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Create protected execution quote request',
  description: 'Opens a quote request.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
})

export const admitProtectedExecutionQuotesForRequest = operation({
  id: 'admitProtectedExecutionQuotesForRequest',
  method: 'POST',
  path: '/quote-requests/{id}/quotes',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Admit protected execution quotes for request',
  description: 'Admits quotes for one request.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
})

export const listProtectedExecutionPlans = operation({
  id: 'listProtectedExecutionPlans',
  method: 'GET',
  path: '/protected-execution-plans',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'List protected execution plans',
  description: 'Collection of protected execution plans.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const prepareProtectedExecutionPlan = operation({
  id: 'prepareProtectedExecutionPlan',
  method: 'POST',
  path: '/protected-execution-plans',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Prepare protected execution plan',
  description:
    'Prepares a plan from admitted quotes; preparation only (executionAuthorityGranted:false, executionPerformed:false).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
})

export const getProtectedExecutionPlans = operation({
  id: 'getProtectedExecutionPlans',
  method: 'GET',
  path: '/protected-execution-plans/{id}',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Get protected execution plans',
  description: 'One protected execution plan record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const getProtectedExecutionPlanState = operation({
  id: 'getProtectedExecutionPlanState',
  method: 'GET',
  path: '/protected-execution-plans/{id}/state',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Get protected execution plan state',
  description:
    'State of the legs folded from the transitions. Id ours, after getMigrationPlanState.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const appendProtectedExecutionLegTransition = operation({
  id: 'appendProtectedExecutionLegTransition',
  method: 'POST',
  path: '/protected-execution-plans/{id}/transitions',
  tag: 'Operate',
  family: 'Protected execution planning',
  summary: 'Append protected execution leg transition',
  description: 'Appends one leg transition as evidence; executes nothing.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})
