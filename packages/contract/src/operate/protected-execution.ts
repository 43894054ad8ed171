import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Operate', family: 'Protected execution planning' } as const

const quoteSets = { path: '/quote-sets', ...heading, one: 'quote set', record: undesigned } as const

const protectedExecutionPlans = {
  path: '/protected-execution-plans',
  ...heading,
  one: 'protected execution plan',
  record: undesigned,
} as const

export const listQuoteSets = listOperation(quoteSets, {
  id: 'listQuoteSets',
  summary: 'List quote sets',
  description: 'Collection of admitted quote sets.',
})

export const admitProtectedExecutionQuoteSet = operation({
  id: 'admitProtectedExecutionQuoteSet',
  method: 'POST',
  path: '/quote-sets',
  ...heading,
  summary: 'Admit protected execution quote set',
  description: 'Admits a quote set.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getQuoteSets = getOperation(quoteSets, {
  id: 'getQuoteSets',
  summary: 'Get quote sets',
})

export const createProtectedExecutionQuoteRequest = operation({
  id: 'createProtectedExecutionQuoteRequest',
  method: 'POST',
  path: '/quote-requests',
  ...heading,
  summary: 'Create protected execution quote request',
  description: 'Opens a quote request.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const admitProtectedExecutionQuotesForRequest = operation({
  id: 'admitProtectedExecutionQuotesForRequest',
  method: 'POST',
  path: '/quote-requests/{id}/quotes',
  ...heading,
  summary: 'Admit protected execution quotes for request',
  description: 'Admits quotes for one request.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const listProtectedExecutionPlans = listOperation(protectedExecutionPlans, {
  id: 'listProtectedExecutionPlans',
  summary: 'List protected execution plans',
  description: 'Collection of protected execution plans.',
})

export const prepareProtectedExecutionPlan = operation({
  id: 'prepareProtectedExecutionPlan',
  method: 'POST',
  path: '/protected-execution-plans',
  ...heading,
  summary: 'Prepare protected execution plan',
  description:
    'Prepares a plan from admitted quotes; preparation only (executionAuthorityGranted:false, executionPerformed:false).',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getProtectedExecutionPlans = getOperation(protectedExecutionPlans, {
  id: 'getProtectedExecutionPlans',
  summary: 'Get protected execution plans',
})

export const getProtectedExecutionPlanState = operation({
  id: 'getProtectedExecutionPlanState',
  method: 'GET',
  path: '/protected-execution-plans/{id}/state',
  ...heading,
  summary: 'Get protected execution plan state',
  description:
    'State of the legs folded from the transitions. Id ours, after getMigrationPlanState.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const appendProtectedExecutionLegTransition = operation({
  id: 'appendProtectedExecutionLegTransition',
  method: 'POST',
  path: '/protected-execution-plans/{id}/transitions',
  ...heading,
  summary: 'Append protected execution leg transition',
  description: 'Appends one leg transition as evidence; executes nothing.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: undesigned,
  response: undesigned,
})
