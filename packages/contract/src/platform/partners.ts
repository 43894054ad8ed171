import { mutation } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  PartnerCommand,
  PartnerTenant,
  PartnerTenantCreate,
  PartnerTenantRecord,
} from './partner-tenant.ts'

export * from './consent-scopes.ts'
export * from './partner-tenant.ts'

const heading = { tag: 'Platform', family: 'Partners, consent and market makers' } as const

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED'],
  PAUSED: ['ACTIVE', 'REVOKED'],
  REVOKED: [],
} as const

const partners = {
  path: '/partners',
  ...heading,
  one: 'PartnerTenant',
  record: PartnerTenantRecord,
} as const

const example = {
  payload: {
    host: 'liquidity.partner.example',
    domainChallenge: { id: 'partner_domain_example', resourceVersion: `0x${'11'.repeat(32)}` },
    displayName: 'Example Partner',
    legalName: 'Example Partner AG',
    supportEmail: 'support@partner.example',
    privacyUrl: 'https://partner.example/privacy',
    brand: { name: 'Example Partner', accentColor: '#0f7b6c' },
    offers: ['PORTFOLIO_SUMMARY', 'SCORE_READ', 'BRAND_ON_PASSPORT', 'PROPOSAL_PREPARE'],
    consentText:
      'Example Partner looks after the liquidity of the vaults that are named, and tells nobody what it sees of them.',
    dataRetentionDays: 90,
  },
  reason: 'The partner begins',
}

const configured = [
  'LIQUIDITY_PARTNER_DOMAIN_NOT_ACTIVE',
  'LIQUIDITY_PARTNER_ACCENT_CONTRAST',
  'LIQUIDITY_PARTNER_LOGO_INVALID',
] as const

/** The body can contain a logo in base64. */
const bodyLimitBytes = 512 * 1024

export const listPartners = listOperation(partners, {
  id: 'listPartners',
  summary: 'List partners',
  cacheControl: 'private, no-store',
  query: recordQuery(moves),
})

export const createVerifiedPartnerTenant = operation({
  id: 'createVerifiedPartnerTenant',
  method: 'POST',
  path: '/partners',
  ...heading,
  summary: 'Create verified partner tenant',
  description:
    'Body {payload: PartnerTenantCreate, evidenceHashes?, reason}; no status. The domain challenge must be an ACTIVE challenge of this organization for exactly this host. 409 if the host is already bound. A logo is stored re-encoded, without other content of its file.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  bodyLimitBytes,
  success: [201],
  statedErrors: [409],
  body: mutation(PartnerTenantCreate),
  response: record(PartnerTenantRecord),
  errors: [...configured, 'LIQUIDITY_PARTNER_HOST_BOUND'],
  example: { body: example },
})

export const getPartners = getOperation(partners, { id: 'getPartners', summary: 'Get partner' })

export const updatePartnerConfiguration = operation({
  id: 'updatePartnerConfiguration',
  method: 'PATCH',
  path: '/partners/{id}',
  ...heading,
  summary: 'Update partner configuration',
  description:
    'The body is that of the create operation: payload required, no status. It replaces the whole configuration; the host stays. A PAUSED partner becomes ACTIVE with a new ACTIVE challenge of its host. The same transaction pauses consents: all consents if the legal name or the consent text changed or the data retention became longer; consents with a scope that is no longer offered; and only the scope BRAND_ON_PASSPORT after a change of name, display or brand.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'required',
  bodyLimitBytes,
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: mutation(PartnerTenantCreate),
  response: record(PartnerTenantRecord),
  errors: [...configured, 'LIQUIDITY_PARTNER_HOST_IMMUTABLE', 'LIQUIDITY_PARTNER_TERMINAL'],
  example: {
    params: { id: 'partner_example' },
    body: {
      ...example,
      payload: { ...example.payload, displayName: 'Example Partners' },
      reason: 'Another name',
    },
  },
})

export const revokePartnerTenant = operation({
  id: 'revokePartnerTenant',
  method: 'POST',
  path: '/partners/{id}/revoke',
  ...heading,
  summary: 'Revoke partner tenant',
  description:
    'Revokes the tenant (appends a version). The same transaction ends every live consent to the partner and turns off its brand. A new partner can then use its host.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: PartnerCommand,
  response: record(PartnerTenantRecord),
  errors: ['LIQUIDITY_PARTNER_TERMINAL'],
  example: { params: { id: 'partner_example' }, body: { reason: 'The partner ends its service' } },
})

export const partnerTenantFamily = declareFamily({
  module: 'platform/partners',
  operations: [
    listPartners,
    createVerifiedPartnerTenant,
    getPartners,
    updatePartnerConfiguration,
    revokePartnerTenant,
  ],
  type: 'PartnerTenant',
  prefix: 'partner',
  name: 'partner',
  plural: 'partners',
  payload: PartnerTenant,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_PARTNER_TERMINAL',
    move: 'LIQUIDITY_PARTNER_TERMINAL',
    taken: 'LIQUIDITY_PARTNER_HOST_BOUND',
  },
  events: ['partner.created', 'partner.updated', 'partner.paused', 'partner.revoked'],
  title: 'payload.displayName',
  columns: ['payload.displayName', 'payload.host', 'status', 'createdAt'],
  ui: {
    page: 'makers/partners',
    task: 'Partners',
    icon: 'plug',
    summary: 'White-label partners, brands and domains.',
    empty: 'Add a partner to offer the service under its brand.',
    head: ['payload.host', 'payload.legalName', 'payload.supportEmail'],
    actions: {
      createVerifiedPartnerTenant: { label: 'Add partner' },
      updatePartnerConfiguration: { label: 'Edit configuration' },
      revokePartnerTenant: { label: 'Revoke partner' },
      preparePartnerProposal: { label: 'Prepare proposal', when: ['ACTIVE'] },
      getPartnerPortfolio: { label: 'View portfolio' },
      getPartnerPreparationContext: { label: 'View preparation context' },
      getPartnerPreparationReceiptRecovery: { label: 'View receipts' },
    },
    docs: 'partners',
  },
})
