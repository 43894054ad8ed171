import { operation, paging, scoped, session } from '../operation.ts'

export const listAnomalies = operation({
  id: 'listAnomalies',
  method: 'GET',
  path: '/anomalies',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List anomalies',
  description:
    'Collection of anomalies: {data[], meta{count, hasMore, nextCursor?}}. Detector robust-mad-v1; kinds and severities are those of the passport incidentDetails.',
  auth: scoped('alerts:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createAnomalies = operation({
  id: 'createAnomalies',
  method: 'POST',
  path: '/anomalies',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Create anomalies',
  description: 'Create anomalies.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
})

export const getAnomalies = operation({
  id: 'getAnomalies',
  method: 'GET',
  path: '/anomalies/{id}',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'Get anomalies',
  description: 'One anomaly record with its strong ETag (quoted resourceVersion).',
  auth: scoped('alerts:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
})
