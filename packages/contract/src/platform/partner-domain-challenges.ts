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
  description: 'Domain challenges.',
  query: recordQuery(moves),
})

export const createPartnerDomainChallenge = operation({
  id: 'createPartnerDomainChallenge',
  method: 'POST',
  path: '/partner-domain-challenges',
  ...heading,
  summary: 'Create partner domain challenge',
  description:
    'Opens a DNS challenge for a partner host: a TXT record at a name of this organization, with a token that holds for seven days. The scope is this exact host, and an organization has one challenge of a host at a time. Names that look like a bound host or like the deployment itself are refused.',
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
      reason: 'The partner shows that the host is theirs',
    },
  },
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
  description:
    'Verification and provisioning state of the domain: every name server is asked now, the route of the host is looked at and its TLS, and nothing is changed. At most 60 an hour.',
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
    'Checks the challenge in the DNS: every authoritative server of the zone is asked directly, and the resolver of the deployment; all that answer must have this value. What each of them answered stands in fieldErrors of the refusal. The reviewed version must be named. At most ten an hour of one challenge. A host that another organization has bound is checked there again at once: it lapses where its record is gone.',
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
    'Provisions a verified domain: its addresses are those of the ingress, and https://host/.well-known/liquidity-os/{id} answers with the routing value over TLS that verifies. The reviewed version must be named.',
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
    body: { reason: 'The host leads here', resourceVersion: `0x${'11'.repeat(32)}` },
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
  room: 'platform/partners',
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
    group: 'Prove',
    task: 'Partner domains',
    icon: 'globe',
    asks: 'Domain verification (DNS TXT) of white-label hosts.',
    empty: 'Add a partner with a host to verify its domain.',
    actions: {
      verifyPartnerDomainChallenge: { label: 'Verify domain', when: ['DRAFT'] },
      provisionPartnerDomainChallenge: { label: 'Check routing', when: ['VALIDATED'] },
      revokePartnerDomainChallenge: { label: 'Release domain' },
    },
    docs: 'partners',
  },
})
