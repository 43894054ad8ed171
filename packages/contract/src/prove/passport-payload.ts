import Type, { type Static } from 'typebox'
import { anomalyKinds } from '../plan/strategy-definition.ts'
import { closed, list, named, oneOf, orNull, Pips, RecordId } from '../scalars.ts'
import { SignedAddress, SignedHash, SignedQuantity, SignedTime } from '../signed-scalars.ts'

/**
 * Passport payload exactly as the specification defines it. It is hashed and stored as signed, so
 * each scalar has a single form.
 */

const Base64 = (bytes: number, description: string) =>
  Type.String({
    minLength: 4 * Math.ceil(bytes / 3),
    maxLength: 4 * Math.ceil(bytes / 3),
    description,
  })
const Signature = Base64(64, 'Ed25519, 64 bytes in base64.')
const Fingerprint = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the 32 raw bytes of an Ed25519 key, in lower-case hex.',
})
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const PassportSlug = named(
  'PassportSlug',
  Type.String({
    pattern: '^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$',
    description: 'Address of the passport; permanently bound to one organization.',
    examples: ['example-token'],
  }),
)

const Named = closed({ id: RecordId, resourceVersion: SignedHash })
const Counted = closed(
  { count: Count, root: SignedHash },
  {
    description:
      'Number of records, and the RFC 6962 root over their artifactHashes (32 bytes each) in the order of createdAt and id; for zero records, SHA-256 of the empty string.',
  },
)

export const PassportBlock = closed({
  chainId: Type.Integer({ minimum: 1 }),
  number: Count,
  hash: SignedHash,
  timestamp: SignedTime,
})

export const LiquidityPassportSourceBindings = named(
  'LiquidityPassportSourceBindings',
  closed({
    bindingsVersion: Type.Literal('liquidity-passport-sources-v1'),
    vault: Named,
    controlEpoch: SignedQuantity,
    marketQualityScore: Named,
    policy: orNull(Named),
    reconciliation: orNull(Named),
    venueObservations: list(Named, 64, {
      minItems: 1,
      description: 'States of the depth measurement, one per venue of the score, in its order.',
    }),
    mandates: list(Named, 64),
    receipts: Counted,
    anomalies: Counted,
    ledgerEntries: Counted,
    reports: list(
      closed({
        hash: SignedHash,
        source: closed({
          resourceType: Type.String({ pattern: '^[A-Z][A-Za-z0-9]{1,59}$' }),
          id: RecordId,
          resourceVersion: SignedHash,
        }),
      }),
      128,
      { minItems: 1, description: 'Reports in the order of reportHashes.' },
    ),
    signerProvider: Named,
    adapterReleaseHash: orNull(SignedHash),
    engineVersion: Type.String({ minLength: 1, maxLength: 80 }),
    blocks: list(PassportBlock, 16, {
      minItems: 1,
      description: 'The block of the vault, then those of the observations, each once.',
    }),
    keys: closed(
      { service: Fingerprint, log: Fingerprint, registry: orNull(Fingerprint) },
      {
        description:
          'Keys of others that the issuer vouches for: a bundle cannot bring its own instead.',
      },
    ),
  }),
)
export type LiquidityPassportSourceBindings = Static<typeof LiquidityPassportSourceBindings>

const UsableDepth = closed({
  tradeSizeQuote: SignedQuantity,
  buySlippagePips: Pips,
  sellSlippagePips: Pips,
})

export const PassportPolicyLimits = closed({
  level: Type.Unsafe<0 | 1 | 2 | 3 | 4>(Type.Integer({ minimum: 0, maximum: 4 })),
  maximumAmountPerTransaction: SignedQuantity,
  maximumDailyTurnover: SignedQuantity,
  maximumSlippagePips: Pips,
  approvedContracts: list(SignedAddress, 256),
  approvedAssets: list(SignedAddress, 256),
  approvedAdapterIds: list(Type.String(), 256),
  minimumSecondsBetweenActions: Type.Integer({ minimum: 0, maximum: 31_536_000 }),
  oracleMaximumAgeSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  expiresAt: SignedTime,
  controlEpoch: SignedQuantity,
  publicMempoolFallbackAllowed: Type.Boolean(),
  minimumPriceX18: Type.Optional(SignedQuantity),
  maximumPriceX18: Type.Optional(SignedQuantity),
})

const IncidentDetails = closed({
  v1IncidentEvidenceHashes: list(SignedHash, 256),
  anomalies: list(
    closed({
      detectorVersion: Type.Literal('robust-mad-v1'),
      kind: oneOf(anomalyKinds, 'Anomaly kind.'),
      severity: oneOf(['INFO', 'WARNING', 'CRITICAL'], 'Severity.'),
      artifactHash: SignedHash,
    }),
    256,
  ),
})

export const ReportBrand = closed({
  partnerId: Type.String(),
  name: Type.String(),
  accentColor: Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' }),
  logoContentHash: Type.Optional(SignedHash),
  sourceBinding: closed({
    partnerOrganizationId: Type.String(),
    partnerConfigurationResourceVersion: SignedHash,
    partnerConfigurationArtifactHash: SignedHash,
    consentId: Type.String(),
    consentResourceVersion: SignedHash,
    consentArtifactHash: SignedHash,
  }),
})
export type ReportBrand = Static<typeof ReportBrand>

const ResultsRegistryReceipt = closed({
  receiptVersion: Type.Literal('liquidity-passport-results-registry-receipt-v1'),
  providerId: Type.String({ minLength: 1, maxLength: 160 }),
  providerResourceVersion: SignedHash,
  providerAttestationHash: SignedHash,
  passportSubjectHash: SignedHash,
  commitmentHash: SignedHash,
  issuedAt: SignedTime,
  signature: Signature,
})

const disclosureFlags = {
  showTreasuryOwnership: Type.Boolean(),
  showExternalManagerNames: Type.Boolean(),
  showIncidentDetails: Type.Boolean(),
  showPolicyLimits: Type.Boolean(),
}
export const PassportDisclosure = named('PassportDisclosure', closed(disclosureFlags))
export type PassportDisclosure = Static<typeof PassportDisclosure>

/** Vault values computed by the service, which a passport must repeat exactly. */
export const passportClaimMembers = {
  issuerName: Type.String({ minLength: 1, maxLength: 300 }),
  usableDepthByTradeSize: list(UsableDepth, 64, {
    minItems: 1,
    description: 'Ascending sizes, quote atoms; fee included.',
  }),
  historicalReliabilityPips: Pips,
  policyCompliancePips: orNull(Pips),
  policyLimits: Type.Optional(PassportPolicyLimits),
  reconciledPositionCount: Count,
  majorIncidentCount: Count,
  treasuryOwnedLiquidityQuote: Type.Optional(SignedQuantity),
  rentedLiquidityQuote: Type.Optional(SignedQuantity),
  externalManagerExposureQuote: Type.Optional(SignedQuantity),
  externalManagerNames: Type.Optional(list(Type.String({ maxLength: 200 }), 256)),
  incidentDetails: Type.Optional(IncidentDetails),
  dataFreshnessSeconds: Count,
} as const

export const LiquidityPassport = named(
  'LiquidityPassport',
  closed({
    passportVersion: Type.Literal('liquidity-passport-v1'),
    artifactRendererVersion: oneOf(
      ['liquidity-passport-artifacts-v1', 'liquidity-passport-artifacts-v2'],
      'v1: json, html, pdf, csv. v2: those, and badges as svg and png.',
    ),
    signatureAlgorithm: Type.Literal('Ed25519'),
    signerProviderId: Type.String({ minLength: 1, maxLength: 160 }),
    signerKeyResourceVersion: SignedHash,
    slug: PassportSlug,
    vaultId: Type.String({ minLength: 1, maxLength: 160 }),
    reportBrand: Type.Optional(ReportBrand),
    generatedAt: SignedTime,
    validUntil: SignedTime,
    ...passportClaimMembers,
    disclosure: PassportDisclosure,
    reportHashes: list(SignedHash, 128, { minItems: 1 }),
    sourceBindings: LiquidityPassportSourceBindings,
    resultsRegistryProviderId: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
    resultsRegistryProviderResourceVersion: Type.Optional(SignedHash),
    resultsRegistryProviderAttestationHash: Type.Optional(SignedHash),
    resultsRegistryCommitmentHash: Type.Optional(SignedHash),
    resultsRegistryReceipt: Type.Optional(ResultsRegistryReceipt),
    supersedesPassportHash: Type.Optional(SignedHash),
    contentHash: SignedHash,
    signature: Signature,
    marketQualityScoreId: Type.String({ minLength: 3, maxLength: 160 }),
  }),
)
export type LiquidityPassport = Static<typeof LiquidityPassport>
