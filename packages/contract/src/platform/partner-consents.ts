import Type from 'typebox'
import { mutation } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { RecordId } from '../scalars.ts'
import {
  PartnerConsent,
  PartnerConsentGrant,
  PartnerConsentOptions,
  PartnerConsentRecord,
} from './partner-consent.ts'
import { PartnerHost } from './partner-domain.ts'
import { PartnerCommand } from './partner-tenant.ts'

export * from './partner-consent.ts'

const moves = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'REVOKED', 'EXPIRED'],
  PAUSED: ['REVOKED', 'EXPIRED'],
  REVOKED: [],
  EXPIRED: [],
} as const

const partnerConsents = {
  path: '/partner-consents',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  one: 'partner consent',
  many: 'partner consents',
  record: PartnerConsentRecord,
} as const

export const getPartnerConsentOptions = operation({
  id: 'getPartnerConsentOptions',
  method: 'GET',
  path: '/partner-consent-options',
  tag: 'Platform',
  family: 'Other API resources',
  summary: 'Get partner consent options',
  description:
    'Consent options: ACTIVE partners of the deployment with their offered scopes and exact consent text, newest first, and the vaults of this organization.',
  auth: session,
  permission: 'read',
  query: {
    host: Type.Optional(PartnerHost),
    partnerId: Type.Optional(RecordId),
  },
  success: [200],
  response: data(PartnerConsentOptions),
  example: {},
})

export const listPartnerConsents = listOperation(partnerConsents, {
  id: 'listPartnerConsents',
  summary: 'List partner consents',
  query: recordQuery(moves),
})

export const grantPartnerConsent = operation({
  id: 'grantPartnerConsent',
  method: 'POST',
  path: '/partner-consents',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Grant partner consent',
  description:
    'Grants a consent to a partner: the listed scopes of the listed vaults, for at most 366 days. The consent is bound to the reviewed configuration and text. Requires an owner with a recent sign-in. The response has a receipt that the service signs; the same transaction notifies the partner. The portfolio of the partner shows the data of each scope.',
  auth: session,
  permission: 'members.manage',
  reauthentication: 'required',
  idempotency: 'key-160',
  success: [201],
  body: mutation(PartnerConsentGrant),
  response: record(PartnerConsentRecord),
  errors: [
    'LIQUIDITY_PARTNER_UNKNOWN',
    'LIQUIDITY_PARTNER_CONFIGURATION_MOVED',
    'LIQUIDITY_PARTNER_SCOPE_NOT_OFFERED',
    'LIQUIDITY_PARTNER_CONSENT_TEXT',
    'LIQUIDITY_PARTNER_CONSENT_EXISTS',
    'LIQUIDITY_PARTNER_CONSENT_LIMIT',
    'LIQUIDITY_PARTNER_VAULT_UNKNOWN',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    body: {
      payload: {
        partnerId: 'partner_example',
        partnerConfiguration: {
          resourceVersion: `0x${'11'.repeat(32)}`,
          artifactHash: `0x${'22'.repeat(32)}`,
        },
        scopes: ['PORTFOLIO_SUMMARY', 'SCORE_READ', 'PROPOSAL_PREPARE'],
        vaultIds: ['vault_example'],
        consentTextHash: `0x${'33'.repeat(32)}`,
        expiresAt: '2026-12-31T00:00:00Z',
        purpose: 'The partner monitors the market of our token',
      },
      reason: 'Agreed with the partner',
    },
  },
})

export const getPartnerConsents = getOperation(partnerConsents, {
  id: 'getPartnerConsents',
  summary: 'Get partner consent',
})

export const revokePartnerConsent = operation({
  id: 'revokePartnerConsent',
  method: 'POST',
  path: '/partner-consents/{id}/revoke',
  tag: 'Platform',
  family: 'Partners, consent and market makers',
  summary: 'Revoke partner consent',
  description:
    'Revokes a consent (appends a version). The same transaction ends all access, notifies the partner and closes its open preparations. Revocation needs no recent sign-in.',
  auth: session,
  permission: 'partners.manage',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: PartnerCommand,
  response: record(PartnerConsentRecord),
  errors: ['LIQUIDITY_PARTNER_CONSENT_TERMINAL'],
  example: { params: { id: 'partner_consent_example' }, body: { reason: 'The service has ended' } },
})

export const partnerConsentFamily = declareFamily({
  module: 'platform/partners',
  operations: [
    getPartnerConsentOptions,
    listPartnerConsents,
    grantPartnerConsent,
    getPartnerConsents,
    revokePartnerConsent,
  ],
  type: 'PartnerConsent',
  prefix: 'partner_consent',
  name: 'partner consent',
  plural: 'partner consents',
  payload: PartnerConsent,
  moves,
  needs: {},
  refusals: {
    terminal: 'LIQUIDITY_PARTNER_CONSENT_TERMINAL',
    move: 'LIQUIDITY_PARTNER_CONSENT_TERMINAL',
    taken: 'LIQUIDITY_PARTNER_CONSENT_EXISTS',
  },
  events: [
    'partner_consent.granted',
    'partner_consent.paused',
    'partner_consent.revoked',
    'partner_consent.expired',
  ],
  title: 'payload.purpose',
  columns: ['payload.partnerId', 'payload.scopes', 'status', 'payload.expiresAt', 'createdAt'],
  ui: {
    page: 'makers/partners',
    task: 'Partner consents',
    icon: 'shield-check',
    summary: 'Data that you share with each partner, with expiry.',
    empty: 'Grant a partner access to selected data.',
    head: ['payload.partnerId', 'payload.expiresAt', 'payload.vaultIds'],
    actions: {
      grantPartnerConsent: { label: 'Grant consent' },
      revokePartnerConsent: { label: 'Revoke consent', when: ['ACTIVE', 'PAUSED'] },
    },
    docs: 'partners',
  },
})
