import { operation, paging, session } from '../operation.ts'

export const listAllocationPlans = operation({
  id: 'listAllocationPlans',
  method: 'GET',
  path: '/allocation-plans',
  tag: 'Plan',
  family: 'Venues, allocations and migrations',
  summary: 'List allocation plans',
  description: 'Collection of AllocationPlan: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createAllocationPlans = operation({
  id: 'createAllocationPlans',
  method: 'POST',
  path: '/allocation-plans',
  tag: 'Plan',
  family: 'Venues, allocations and migrations',
  summary: 'Create allocation plans',
  description:
    'Creates a AllocationPlan record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getAllocationPlans = operation({
  id: 'getAllocationPlans',
  method: 'GET',
  path: '/allocation-plans/{id}',
  tag: 'Plan',
  family: 'Venues, allocations and migrations',
  summary: 'Get allocation plans',
  description: 'One AllocationPlan record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
})
