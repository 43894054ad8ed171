import { operation, paging, scoped, session } from '../operation.ts'

export const listAttributions = operation({
  id: 'listAttributions',
  method: 'GET',
  path: '/attributions',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List attributions',
  description: 'Collection of ExecutionAttribution: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: scoped('receipts:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createAttributions = operation({
  id: 'createAttributions',
  method: 'POST',
  path: '/attributions',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Create attributions',
  description: 'Create attributions.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getAttributions = operation({
  id: 'getAttributions',
  method: 'GET',
  path: '/attributions/{id}',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Get attributions',
  description: 'One ExecutionAttribution record with its strong ETag (quoted resourceVersion).',
  auth: scoped('receipts:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})
