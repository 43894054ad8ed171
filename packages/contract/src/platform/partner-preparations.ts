import { operation, paging, session, undesigned } from '../operation.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

export const getPartnerPreparationContext = operation({
  id: 'getPartnerPreparationContext',
  method: 'GET',
  path: '/partner-preparation-contexts/{partnerId}',
  ...heading,
  summary: 'Get partner preparation context',
  description: 'What a partner needs to prepare a proposal.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const getPartnerPreparationReceiptRecovery = operation({
  id: 'getPartnerPreparationReceiptRecovery',
  method: 'GET',
  path: '/partner-preparation-receipts/{partnerId}',
  ...heading,
  summary: 'Get partner preparation receipt recovery',
  description: 'Recovers the receipts of earlier preparations.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const listPartnerPreparations = operation({
  id: 'listPartnerPreparations',
  method: 'GET',
  path: '/partner-preparations',
  ...heading,
  summary: 'List partner preparations',
  description: 'Preparations received by the issuer.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: undesigned,
})

export const importPartnerPreparation = operation({
  id: 'importPartnerPreparation',
  method: 'POST',
  path: '/partner-preparations/{eventId}/import',
  ...heading,
  summary: 'Import partner preparation',
  description: 'Imports a preparation as a proposal without approvals.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const declinePartnerPreparation = operation({
  id: 'declinePartnerPreparation',
  method: 'POST',
  path: '/partner-preparations/{eventId}/decline',
  ...heading,
  summary: 'Decline partner preparation',
  description: 'Declines a preparation.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const getPartnerPreparationStatus = operation({
  id: 'getPartnerPreparationStatus',
  method: 'GET',
  path: '/partner-preparation-status/{partnerId}/{eventId}',
  ...heading,
  summary: 'Get partner preparation status',
  description: 'State of one preparation as the partner sees it.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})
