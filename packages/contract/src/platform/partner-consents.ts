import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const partnerConsents = {
  path: '/partner-consents',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  one: 'partner consent',
  many: 'partner consents',
  record: undesigned,
} as const

export const getPartnerConsentOptions = operation({
  id: 'getPartnerConsentOptions',
  method: 'GET',
  path: '/partner-consent-options',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner consent options',
  description: 'What a consent may cover.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const listPartnerConsents = listOperation(partnerConsents, {
  id: 'listPartnerConsents',
  summary: 'List partner consents',
})

export const grantPartnerConsent = operation({
  id: 'grantPartnerConsent',
  method: 'POST',
  path: '/partner-consents',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Grant partner consent',
  description: 'Grants a consent to a partner (a create).',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getPartnerConsents = getOperation(partnerConsents, {
  id: 'getPartnerConsents',
  summary: 'Get partner consents',
})

export const revokePartnerConsent = operation({
  id: 'revokePartnerConsent',
  method: 'POST',
  path: '/partner-consents/{id}/revoke',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Revoke partner consent',
  description: 'Revokes a consent (appends a version).',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})
