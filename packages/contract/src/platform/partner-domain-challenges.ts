import { operation, paging, session } from '../operation.ts'

export const listPartnerDomainChallenges = operation({
  id: 'listPartnerDomainChallenges',
  method: 'GET',
  path: '/partner-domain-challenges',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'List partner domain challenges',
  description: 'Domain challenges.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createPartnerDomainChallenge = operation({
  id: 'createPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Create partner domain challenge',
  description: 'Opens a DNS challenge for a partner host.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
})

export const getPartnerDomainChallenge = operation({
  id: 'getPartnerDomainChallenge',
  method: 'GET',
  path: '/partner-domain-challenges/{id}',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner domain challenge',
  description: 'One domain challenge; we send its ETag.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const getPartnerDomainStatus = operation({
  id: 'getPartnerDomainStatus',
  method: 'GET',
  path: '/partner-domain-challenges/{id}/status',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner domain status',
  description: 'Verification and provisioning state of the domain.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const verifyPartnerDomainChallenge = operation({
  id: 'verifyPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/verify',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Verify partner domain challenge',
  description: 'Checks the challenge in the DNS.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

export const provisionPartnerDomainChallenge = operation({
  id: 'provisionPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/provision',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Provision partner domain challenge',
  description: 'Provisions a verified domain.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})

export const revokePartnerDomainChallenge = operation({
  id: 'revokePartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/revoke',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Revoke partner domain challenge',
  description: 'Revokes the challenge and its binding.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})
