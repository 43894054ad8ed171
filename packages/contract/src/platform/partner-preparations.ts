import { operation, paging, session } from '../operation.ts'

export const getPartnerPreparationContext = operation({
  id: 'getPartnerPreparationContext',
  method: 'GET',
  path: '/partner-preparation-contexts/{partnerId}',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner preparation context',
  description: 'What a partner needs to prepare a proposal.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const getPartnerPreparationReceiptRecovery = operation({
  id: 'getPartnerPreparationReceiptRecovery',
  method: 'GET',
  path: '/partner-preparation-receipts/{partnerId}',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner preparation receipt recovery',
  description: 'Recovers the receipts of earlier preparations.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const listPartnerPreparations = operation({
  id: 'listPartnerPreparations',
  method: 'GET',
  path: '/partner-preparations',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'List partner preparations',
  description: 'Preparations received by the issuer.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const importPartnerPreparation = operation({
  id: 'importPartnerPreparation',
  method: 'POST',
  path: '/partner-preparations/{eventId}/import',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Import partner preparation',
  description: 'Imports a preparation as a proposal without approvals.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
})

export const declinePartnerPreparation = operation({
  id: 'declinePartnerPreparation',
  method: 'POST',
  path: '/partner-preparations/{eventId}/decline',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Decline partner preparation',
  description: 'Declines a preparation.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [200],
})

export const getPartnerPreparationStatus = operation({
  id: 'getPartnerPreparationStatus',
  method: 'GET',
  path: '/partner-preparation-status/{partnerId}/{eventId}',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner preparation status',
  description: 'State of one preparation as the partner sees it.',
  auth: session,
  permission: 'read',
  success: [200],
})
