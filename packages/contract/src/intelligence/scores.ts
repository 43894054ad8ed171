import { operation, paging, scoped, session } from '../operation.ts'

export const listScores = operation({
  id: 'listScores',
  method: 'GET',
  path: '/scores',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List scores',
  description: 'Collection of MarketQualityScore: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: scoped('scores:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createScores = operation({
  id: 'createScores',
  method: 'POST',
  path: '/scores',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Create scores',
  description: 'A passport names a score by marketQualityScoreId.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getScores = operation({
  id: 'getScores',
  method: 'GET',
  path: '/scores/{id}',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Get scores',
  description: 'One MarketQualityScore record with its strong ETag (quoted resourceVersion).',
  auth: scoped('scores:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})

export const activateMarketQualityScore = operation({
  id: 'activateMarketQualityScore',
  method: 'POST',
  path: '/scores/{id}/activate',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Activate market quality score',
  description: 'Activates one score generation.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})
