import { operation, paging, scoped } from '../operation.ts'

export const listAlertsV2 = operation({
  id: 'listAlertsV2',
  method: 'GET',
  path: '/alerts',
  tag: 'Intelligence',
  family: 'Market quality, attribution and alerts',
  summary: 'List alerts',
  description: 'List alerts.',
  auth: scoped('alerts:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})
