import { mutation } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  PartnerDomainChallenge,
  PartnerDomainChallengeCreate,
  PartnerDomainChallengeRecord,
  PartnerDomainCommand,
  PartnerDomainStatus,
} from './partner-domain.ts'

export * from './partner-domain.ts'

const heading = { tag: 'Platform', family: 'Other API resources' } as const

const moves = {
  DRAFT: ['VALIDATED', 'REVOKED', 'EXPIRED'],
  VALIDATED: ['ACTIVE', 'PAUSED', 'REVOKED', 'EXPIRED'],
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED'],
  PAUSED: ['REVOKED'],
  REVOKED: [],
  EXPIRED: [],
} as const

const partnerDomainChallenges = {
  path: '/partner-domain-challenges',
  ...heading,
  one: 'partner domain challenge',
  record: PartnerDomainChallengeRecord,
} as const

export const listPartnerDomainChallenges = listOperation(partnerDomainChallenges, {
  id: 'listPartnerDomainChallenges',
  summary: 'List partner domain challenges',
  description: 'Lists the domain challenges of the organization.',
  query: recordQuery(moves),
})

export const createPartnerDomainChallenge = operation({
  id: 'createPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges',
  ...heading,
  summary: 'Create partner domain challenge',
  description:
    'Opens a DNS challenge for a partner host: a TXT record at a name of this organization, with a token that is valid for seven days. The scope is this exact host. An organization has at most one challenge per host at a time. Names that resemble a bound host or the deployment are rejected.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  success: [201],
  body: mutation(PartnerDomainChallengeCreate),
  response: record(PartnerDomainChallengeRecord),
  errors: ['LIQUIDITY_PARTNER_HOST_INVALID', 'LIQUIDITY_PARTNER_DOMAIN_OPEN'],
  example: {
    body: {
      payload: { host: 'liquidity.partner.example' },
      reason: 'Proof of control of the host',
    },
  },
})

export const getPartnerDomainChallenge = getOperation(partnerDomainChallenges, {
  id: 'getPartnerDomainChallenge',
  summary: 'Get partner domain challenge',
  description: 'One domain challenge, with its ETag.',
  statedErrors: [],
})

export const getPartnerDomainStatus = operation({
  id: 'getPartnerDomainStatus',
  method: 'GET',
  path: '/partner-domain-challenges/{id}/status',
  ...heading,
  summary: 'Get partner domain status',
  description:
    'Verification and provisioning state of the domain, read-only: queries every name server and checks the route and TLS of the host. Limit: 60 requests per hour.',
  auth: session,
  permission: 'read',
  success: [200],
  response: data(PartnerDomainStatus),
  errors: ['LIQUIDITY_RATE_LIMITED'],
  example: { params: { id: 'partner_domain_example' } },
})

const command = {
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: PartnerDomainCommand,
  response: record(PartnerDomainChallengeRecord),
} as const

export const verifyPartnerDomainChallenge = operation({
  id: 'verifyPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/verify',
  ...heading,
  summary: 'Verify partner domain challenge',
  description:
    'Checks the DNS challenge: queries every authoritative server of the zone and the resolver of the deployment; every response must have this value. `fieldErrors` of a rejection lists each response. The request must name the reviewed version. Limit: ten checks per hour and challenge. If another organization has bound the host, its record is checked again at once; the binding expires if the record is missing.',
  ...command,
  errors: [
    'LIQUIDITY_PARTNER_DOMAIN_NOT_PROVEN',
    'LIQUIDITY_PARTNER_DOMAIN_EXPIRED',
    'LIQUIDITY_PARTNER_DOMAIN_TERMINAL',
    'LIQUIDITY_PARTNER_DOMAIN_STATE',
    'LIQUIDITY_PARTNER_HOST_BOUND',
    'LIQUIDITY_RATE_LIMITED',
  ],
  example: {
    params: { id: 'partner_domain_example' },
    body: { reason: 'The record is published', resourceVersion: `0x${'11'.repeat(32)}` },
  },
})

export const provisionPartnerDomainChallenge = operation({
  id: 'provisionPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/provision',
  ...heading,
  summary: 'Provision partner domain challenge',
  description:
    'Provisions a verified domain: its addresses must belong to the ingress, and https://host/.well-known/liquidity-os/{id} must return the routing value over valid TLS. The request must name the reviewed version.',
  ...command,
  errors: [
    'LIQUIDITY_PARTNER_DOMAIN_ROUTING_NOT_READY',
    'LIQUIDITY_PARTNER_DOMAIN_EXPIRED',
    'LIQUIDITY_PARTNER_DOMAIN_TERMINAL',
    'LIQUIDITY_PARTNER_DOMAIN_STATE',
    'LIQUIDITY_RATE_LIMITED',
  ],
  example: {
    params: { id: 'partner_domain_example' },
    body: { reason: 'The host resolves to this service', resourceVersion: `0x${'11'.repeat(32)}` },
  },
})

export const revokePartnerDomainChallenge = operation({
  id: 'revokePartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges/{id}/revoke',
  ...heading,
  summary: 'Revoke partner domain challenge',
  description:
    'Revokes the challenge and its binding: the host is free, and a partner on it shows no brand any more.',
  ...command,
  errors: ['LIQUIDITY_PARTNER_DOMAIN_TERMINAL'],
  example: {
    params: { id: 'partner_domain_example' },
    body: { reason: 'The partner moves to another host' },
  },
})

export const partnerDomainFamily = declareFamily({
  module: 'platform/partners',
  operations: [
    listPartnerDomainChallenges,
    createPartnerDomainChallenge,
    getPartnerDomainChallenge,
    getPartnerDomainStatus,
    verifyPartnerDomainChallenge,
    provisionPartnerDomainChallenge,
    revokePartnerDomainChallenge,
  ],
  type: 'PartnerDomainChallenge',
  prefix: 'partner_domain',
  name: 'partner domain',
  plural: 'partner domains',
  payload: PartnerDomainChallenge,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_PARTNER_DOMAIN_TERMINAL',
    move: 'LIQUIDITY_PARTNER_DOMAIN_STATE',
    taken: 'LIQUIDITY_PARTNER_DOMAIN_OPEN',
  },
  events: [
    'partner_domain.issued',
    'partner_domain.verified',
    'partner_domain.provisioned',
    'partner_domain.doubted',
    'partner_domain.confirmed',
    'partner_domain.lapsed',
    'partner_domain.revoked',
    'partner_domain.expired',
  ],
  title: 'payload.displayHost',
  columns: ['payload.displayHost', 'status', 'payload.expiresAt', 'createdAt'],
  ui: {
    page: 'makers/partners',
    task: 'Partner domains',
    icon: 'globe',
    summary: 'Domain verification (DNS TXT) of white-label hosts.',
    empty: 'Add a partner with a host to verify its domain.',
    actions: {
      createPartnerDomainChallenge: { label: 'Add domain' },
      verifyPartnerDomainChallenge: { label: 'Verify domain', when: ['DRAFT'] },
      provisionPartnerDomainChallenge: { label: 'Check routing', when: ['VALIDATED'] },
      revokePartnerDomainChallenge: { label: 'Release domain' },
    },
    docs: 'partners',
  },
})
