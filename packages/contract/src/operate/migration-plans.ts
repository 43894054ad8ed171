import { operation, paging, session } from '../operation.ts'

export const listMigrationPlans = operation({
  id: 'listMigrationPlans',
  method: 'GET',
  path: '/migration-plans',
  tag: 'Operate',
  family: 'Venues, allocations and migrations',
  summary: 'List migration plans',
  description: 'Collection of migration plans: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createMigrationPlans = operation({
  id: 'createMigrationPlans',
  method: 'POST',
  path: '/migration-plans',
  tag: 'Operate',
  family: 'Venues, allocations and migrations',
  summary: 'Create migration plans',
  description:
    'Creates a migration plan record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getMigrationPlans = operation({
  id: 'getMigrationPlans',
  method: 'GET',
  path: '/migration-plans/{id}',
  tag: 'Operate',
  family: 'Venues, allocations and migrations',
  summary: 'Get migration plans',
  description: 'One migration plan record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const getMigrationPlanState = operation({
  id: 'getMigrationPlanState',
  method: 'GET',
  path: '/migration-plans/{id}/state',
  tag: 'Operate',
  family: 'Venues, allocations and migrations',
  summary: 'Get migration plan state',
  description: 'Current state folded from the transitions.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const appendMigrationPlanTransition = operation({
  id: 'appendMigrationPlanTransition',
  method: 'POST',
  path: '/migration-plans/{id}/transitions',
  tag: 'Operate',
  family: 'Venues, allocations and migrations',
  summary: 'Append migration plan transition',
  description: 'Appends one lifecycle transition as evidence; executes nothing.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
})
