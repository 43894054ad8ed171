import Type, { type Static } from 'typebox'
import { Actor, versioned } from '../envelope.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { ConsentScope } from './consent-scopes.ts'

export const PartnerConfigurationRef = closed({
  resourceVersion: Hash,
  artifactHash: Hash,
})

/**
 * Stored form: the hash is of a configuration in another organization, not of an artifact in this
 * one.
 */
const GrantedConfiguration = closed({
  resourceVersion: Hash,
  configurationArtifactHash: Hash,
})

const members = {
  partnerId: RecordId,
  partnerConfiguration: PartnerConfigurationRef,
  scopes: list(ConsentScope, 8, {
    minItems: 1,
    uniqueItems: true,
    description: 'Granted scopes; the partner must offer each scope.',
  }),
  vaultIds: list(RecordId, 64, {
    minItems: 1,
    uniqueItems: true,
    description:
      'Vaults that the consent covers, listed individually; no option covers all vaults.',
  }),
  consentTextHash: Hash,
  expiresAt: Timestamp,
  purpose: Type.String({
    minLength: 3,
    maxLength: 300,
    description: 'Purpose of the consent, stated by the issuer.',
  }),
}

export const PartnerConsentGrant = named('PartnerConsentGrant', closed(members))

const RevealedScope = named(
  'RevealedScope',
  closed({
    scope: ConsentScope,
    text: Type.String({ maxLength: 300, description: 'Data or action that the partner gains.' }),
    reveals: list(Type.String({ maxLength: 80 }), 16, {
      description: 'The fields that it opens, and no others.',
    }),
  }),
)

export const PartnerConsentReceipt = named(
  'PartnerConsentReceipt',
  closed({
    receiptVersion: Type.Literal('partner-consent-receipt-v1'),
    consentId: RecordId,
    issuerOrganizationId: Type.String({ maxLength: 160, description: 'Granting issuer.' }),
    grantedBy: Actor,
    partnerOrganizationId: Type.String({ maxLength: 160, description: 'Receiving partner.' }),
    partnerId: RecordId,
    partnerName: Type.String({ maxLength: 200, description: 'Legal name, else the display name.' }),
    partnerHost: Type.String({ maxLength: 253 }),
    partnerConfiguration: GrantedConfiguration,
    scopes: list(RevealedScope, 8),
    vaultIds: list(RecordId, 64),
    purpose: Type.String({ maxLength: 300 }),
    consentText: Type.String({
      maxLength: 4000,
      description: 'The exact text that was agreed to.',
    }),
    consentTextHash: Hash,
    grantedAt: Timestamp,
    expiresAt: Timestamp,
    howToEnd: Type.String({
      maxLength: 300,
      description: 'Instructions for the issuer to end the consent.',
    }),
    executionAuthorityGranted: Type.Literal(false),
    servicePublicKey: Type.String({ maxLength: 64, description: 'Ed25519, raw, base64.' }),
    serviceKeyId: Type.String({ maxLength: 160 }),
    serviceSignature: Type.String({
      maxLength: 128,
      description:
        'Signature over all fields above except itself, base64, tag `consent-receipt/v1`; verify it with the keys of GET /.well-known, as for reports.',
    }),
  }),
)
export type PartnerConsentReceipt = Static<typeof PartnerConsentReceipt>

export const PartnerConsent = named(
  'PartnerConsent',
  closed({
    ...members,
    partnerConfiguration: GrantedConfiguration,
    partnerOrganizationId: Type.String({
      maxLength: 160,
      description: 'Organization of the partner.',
    }),
    pausedScopes: list(ConsentScope, 8, {
      description: 'Scopes invalidated by a change of the partner; a new grant is required.',
    }),
    ended: orNull(
      closed({
        at: Timestamp,
        because: Type.String({ maxLength: 500, description: 'Cause of the end.' }),
      }),
    ),
    receipt: PartnerConsentReceipt,
  }),
)
export type PartnerConsent = Static<typeof PartnerConsent>
export const PartnerConsentRecord = versioned('PartnerConsent', PartnerConsent)

export const PartnerConsentOptions = named(
  'PartnerConsentOptions',
  closed({
    partners: list(
      closed({
        partnerId: RecordId,
        partnerOrganizationId: Type.String({ maxLength: 160 }),
        host: Type.String({ maxLength: 253, description: 'Proven to be theirs.' }),
        displayName: Type.String({ maxLength: 80 }),
        legalName: orNull(Type.String({ maxLength: 200 })),
        supportEmail: Type.String({ maxLength: 254 }),
        privacyUrl: orNull(Type.String({ maxLength: 2048 })),
        partnerConfiguration: PartnerConfigurationRef,
        offers: list(RevealedScope, 8),
        consentText: Type.String({ maxLength: 4000 }),
        consentTextHash: Hash,
        dataRetentionDays: Type.Integer({ minimum: 1 }),
      }),
      100,
    ),
    isWhole: Type.Boolean({
      description:
        'True if the list contains all partners; otherwise query by `host` or `partnerId`.',
    }),
    vaults: list(
      closed({
        id: RecordId,
        chainId: ChainId,
        safeAddress: Address,
        qualification: oneOf(
          ['QUALIFIED', 'UNQUALIFIED', 'STALE'],
          'Values as of the last snapshot.',
        ),
        controlEpoch: AtomicAmount,
      }),
      500,
    ),
    areVaultsWhole: Type.Boolean({ description: 'True if the list contains all vaults.' }),
    latestExpiresAt: Timestamp,
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type PartnerConsentOptions = Static<typeof PartnerConsentOptions>
