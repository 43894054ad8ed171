import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

const partnerDomainChallenges = {
  path: '/partner-domain-challenges',
  ...heading,
  one: 'partner domain challenge',
  record: undesigned,
} as const

export const listPartnerDomainChallenges = listOperation(partnerDomainChallenges, {
  id: 'listPartnerDomainChallenges',
  summary: 'List partner domain challenges',
  description: 'Domain challenges.',
})

export const createPartnerDomainChallenge = operation({
  id: 'createPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges',
  ...heading,
  summary: 'Create partner domain challenge',
  description: 'Opens a DNS challenge for a partner host.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getPartnerDomainChallenge = getOperation(partnerDomainChallenges, {
  id: 'getPartnerDomainChallenge',
  summary: 'Get partner domain challenge',
  description: 'One domain challenge; we send its ETag.',
  statedErrors: [],
})

export const getPartnerDomainStatus = operation({
  id: 'getPartnerDomainStatus',
  method: 'GET',
  path: '/partner-domain-challenges/{id}/status',
  ...heading,
  summary: 'Get partner domain status',
  description: 'Verification and provisioning state of the domain.',
  auth: session,
  permission: 'read',
  success: [200],
  response: undesigned,
})

export const verifyPartnerDomainChallenge = operation({
  id: 'verifyPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/verify',
  ...heading,
  summary: 'Verify partner domain challenge',
  description: 'Checks the challenge in the DNS.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const provisionPartnerDomainChallenge = operation({
  id: 'provisionPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/provision',
  ...heading,
  summary: 'Provision partner domain challenge',
  description: 'Provisions a verified domain.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})

export const revokePartnerDomainChallenge = operation({
  id: 'revokePartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/revoke',
  ...heading,
  summary: 'Revoke partner domain challenge',
  description: 'Revokes the challenge and its binding.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})
