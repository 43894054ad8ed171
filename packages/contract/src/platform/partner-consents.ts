import { operation, paging, session } from '../operation.ts'

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
})

export const listPartnerConsents = operation({
  id: 'listPartnerConsents',
  method: 'GET',
  path: '/partner-consents',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'List partner consents',
  description: 'Collection of partner consents: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
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
})

export const getPartnerConsents = operation({
  id: 'getPartnerConsents',
  method: 'GET',
  path: '/partner-consents/{id}',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Get partner consents',
  description: 'One partner consent record with its strong ETag (quoted resourceVersion).',
  auth: session,
  permission: 'read',
  success: [200],
  statedErrors: [404],
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
})
