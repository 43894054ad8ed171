import Type, { type Static } from 'typebox'
import { OperatingSystemJob, SimulatedMarket, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { anyone, bytes, data, operation, record, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  AtomicAmount,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { SignedHash, SignedTime } from '../signed-scalars.ts'
import { passportExample } from './passport-example.ts'
import {
  LiquidityPassport,
  LiquidityPassportSourceBindings,
  PassportSlug,
  passportClaimMembers,
  ReportBrand,
} from './passport-payload.ts'

export * from './passport-payload.ts'

const heading = { tag: 'Prove', family: 'Proof, vaults, receipts and passports' } as const

export const LiquidityPassportRecord = versioned('LiquidityPassport', LiquidityPassport)

const passports = {
  path: '/passports',
  ...heading,
  one: 'LiquidityPassport',
  record: LiquidityPassportRecord,
  auth: scoped('proof:read'),
} as const

const moves = {
  ACTIVE: ['ACTIVE', 'EXPIRED', 'REVOKED'],
  EXPIRED: ['ACTIVE', 'REVOKED'],
  REVOKED: ['ACTIVE'],
} as const

export const listPassports = listOperation(passports, {
  id: 'listPassports',
  summary: 'List passports',
  description:
    'Passports of the organization: one per slug, with its publications and their states as versions.',
  query: recordQueryOf(moves, 'the vault'),
})

export const getPassports = getOperation(passports, {
  id: 'getPassports',
  summary: 'Get passport',
})

const PassportClaims = named('PassportClaims', closed(passportClaimMembers))
export type PassportClaims = Static<typeof PassportClaims>

const Flag = oneOf(['true', 'false'], 'true if the issuer discloses it. Default: false.')

/** Blockers of a publication. */
export const passportBlockerCodes = [
  ...(['VAULT_UNQUALIFIED', 'CONTROL_PROOF_MISSING', 'SCORE_NOT_ACTIVE'] as const),
  ...(['SCORE_WITHOUT_CLAIMS', 'OBSERVATION_MISSING', 'DEPTH_NOT_AT_BOUND_STATE'] as const),
  ...(['SIGNER_MISSING', 'REPORT_MISSING', 'INCIDENTS_TOO_MANY', 'MANDATES_TOO_MANY'] as const),
  ...(['POSITIONS_NOT_READ', 'TREASURY_VALUE_UNKNOWN'] as const),
] as const
export type PassportBlockerCode = (typeof passportBlockerCodes)[number]

export const PassportPreparation = named(
  'PassportPreparation',
  closed({
    vaultId: RecordId,
    generatedAt: Timestamp,
    latestValidUntil: orNull(Timestamp),
    claims: orNull(PassportClaims),
    sourceBindings: orNull(LiquidityPassportSourceBindings),
    reportBrand: orNull(ReportBrand),
    claimBlockers: list(
      closed({ code: Type.String({ maxLength: 80 }), detail: Type.String({ maxLength: 500 }) }),
      32,
      { description: 'Reason that prevents a publication now; claims are then null.' },
    ),
    supersedesPassportHash: orNull(Hash),
    current: orNull(closed({ id: RecordId, resourceVersion: Hash, slug: PassportSlug })),
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type PassportPreparation = Static<typeof PassportPreparation>

export const preparePassport = operation({
  id: 'preparePassport',
  isExtension: true,
  method: 'GET',
  path: '/vaults/{id}/passport-claims',
  ...heading,
  summary: 'Preview the claims of a passport',
  description:
    'Claims and bindings as the service computes them now, for a generation time and the disclosure chosen by the issuer. A client adds only slug, versions, times and its signature; a publication recomputes all fields and lists every difference. Read-only.',
  auth: scoped('vaults:read'),
  permission: 'read',
  query: {
    generatedAt: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
        description: 'UTC time in whole seconds, at most 600 s before now. Default: now.',
      }),
    ),
    signerProviderId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 160,
        description: 'Signer. Optional if exactly one SIGNER_ED25519 is active.',
      }),
    ),
    resultsRegistryProviderId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 160,
        description: 'Registry that issues the receipt.',
      }),
    ),
    slug: Type.Optional(PassportSlug),
    showTreasuryOwnership: Type.Optional(Flag),
    showExternalManagerNames: Type.Optional(Flag),
    showIncidentDetails: Type.Optional(Flag),
    showPolicyLimits: Type.Optional(Flag),
    reports: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-f]{64}(,0x[0-9a-f]{64}){0,127}$',
        description:
          'Content hashes of signed reports to bind, separated by commas. Default: the newest usable report.',
      }),
    ),
    brandPartnerId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 160,
        description: 'Partner brand, by a consent to BRAND_ON_PASSPORT. Default: no brand.',
      }),
    ),
  },
  success: [200],
  response: data(PassportPreparation),
  errors: [
    'LIQUIDITY_PASSPORT_PROVIDER_GENERATION',
    'LIQUIDITY_PASSPORT_REPORT_UNUSABLE',
    'LIQUIDITY_PASSPORT_BRAND_CONSENT',
  ],
})

const Publication = named(
  'PassportPublication',
  closed({ payload: LiquidityPassport, reason: Reason }),
)

const Published = named(
  'PassportPublicationResult',
  closed({
    passport: LiquidityPassportRecord,
    reportJob: OperatingSystemJob,
    signedFormatsReady: list(Type.String({ maxLength: 20 }), 6),
    artifactState: Type.Literal('PENDING_IMMUTABLE_OBJECT_REGISTRATION'),
    executionAuthorityGranted: Type.Literal(false),
  }),
)

export const publishLiquidityPassport = operation({
  id: 'publishLiquidityPassport',
  method: 'POST',
  path: '/passports',
  ...heading,
  summary: 'Publish liquidity passport',
  description:
    'The issuer signs the payload before sending; the service signs for no issuer. Checks in this order: form (400, 422); hash and signature (422); generations of signer and registry (409); the superseded generation (428, 412, 409); the vault (409); times (409); bindings (409); claims, with all differences listed at once (409); brand, reports and receipt (409, 422). The service recomputes all data, and no source may change between the check and the commit. A further publication under the slug needs If-Match and supersedesPassportHash.',
  auth: session,
  permission: 'publish',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  statedErrors: [409, 412],
  body: Publication,
  response: data(Published),
  errors: [
    'LIQUIDITY_PASSPORT_NOT_CANONICAL',
    'LIQUIDITY_PASSPORT_HASH_MISMATCH',
    'LIQUIDITY_PASSPORT_SIGNATURE_INVALID',
    'LIQUIDITY_PASSPORT_REGISTRY_INCOMPLETE',
    'LIQUIDITY_PASSPORT_PROVIDER_GENERATION',
    'LIQUIDITY_PASSPORT_SLUG_TAKEN',
    'LIQUIDITY_PASSPORT_VAULT_PUBLISHED',
    'LIQUIDITY_PASSPORT_VAULT_UNQUALIFIED',
    'LIQUIDITY_PASSPORT_FRESHNESS_WINDOW',
    'LIQUIDITY_PASSPORT_SOURCE_BINDING',
    'LIQUIDITY_PASSPORT_CLAIM_MISMATCH',
    'LIQUIDITY_PASSPORT_BRAND_CONSENT',
    'LIQUIDITY_PASSPORT_REPORT_UNUSABLE',
    'LIQUIDITY_PASSPORT_REGISTRY_RECEIPT_INVALID',
  ],
  example: { body: { payload: passportExample, reason: 'Published for the holders' } },
})

export const revocationCodes = [
  ...(['CLAIM_WRONG', 'KEY_COMPROMISE', 'CONTROL_CHANGED'] as const),
  ...(['CONSENT_WITHDRAWN', 'ISSUER_REQUEST'] as const),
] as const

export const revokeLiquidityPassport = operation({
  id: 'revokeLiquidityPassport',
  method: 'POST',
  path: '/passports/{id}/revoke',
  ...heading,
  summary: 'Revoke liquidity passport',
  description:
    'Permanently revokes the published version; requires an owner or operator with a recent sign-in and the content hash. The service signs the revocation; the public page shows it at once and permanently.',
  auth: session,
  permission: 'publish',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: named(
    'PassportRevocation',
    closed({
      contentHash: Hash,
      code: oneOf(revocationCodes, 'Why.'),
      reason: Reason,
      resourceVersion: Type.Optional(Hash),
    }),
  ),
  response: record(LiquidityPassportRecord),
  errors: [
    'LIQUIDITY_PASSPORT_TERMINAL',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    params: { id: 'passport_example' },
    body: {
      contentHash: passportExample.contentHash,
      code: 'ISSUER_REQUEST',
      reason: 'A new passport replaces it',
    },
  },
})

export const passportFormats = ['json', 'html', 'pdf', 'csv', 'svg', 'png'] as const
const PassportFormat = oneOf(passportFormats, 'svg and png are badges of renderer v2.')

export const passportStates = [
  ...(['CURRENT', 'REVOKED', 'EXPIRED', 'STALE_CONTROL', 'STALE_SCORE'] as const),
] as const

const Executions = Type.Integer({ minimum: 0 })

/** Number of executions behind the compliance share of a passport. */
export const JudgedExecutions = named(
  'JudgedExecutions',
  closed(
    { compliant: Executions, violating: Executions, indeterminate: Executions },
    {
      description:
        'Executions of the 90 days before passport generation, counted in its publication event: compliant with the policy in force, in breach of it, or indeterminate. Null for passports of releases without this count.',
    },
  ),
)
export type JudgedExecutions = Static<typeof JudgedExecutions>

/** Evidence entries of one kind that the public view lists. */
export const maxOwnedProofs = 200

const ProofRef = closed({ id: RecordId, resourceVersion: Hash })
const OwnedProofs = list(
  closed({
    entry: ProofRef,
    evidence: ProofRef,
    until: SignedTime,
  }),
  maxOwnedProofs,
  {
    description:
      'Ledger entries, the custody evidence that proves control of each, and the end of that evidence. At most 200.',
  },
)

/** Own liquidity of a passport by kind, with the proofs. */
export const OwnedLiquidity = named(
  'OwnedLiquidity',
  closed(
    {
      positions: closed(
        { quote: AtomicAmount, base: AtomicAmount, proofs: OwnedProofs },
        {
          description:
            'Quote and base atoms in liquidity positions. The quote atoms are `treasuryOwnedLiquidityQuote`.',
        },
      ),
      quoteBalances: closed(
        { quote: AtomicAmount, proofs: OwnedProofs },
        { description: 'Quote atoms of the Safe outside positions.' },
      ),
      ownTokens: closed(
        { base: AtomicAmount, realizableQuote: orNull(AtomicAmount), proofs: OwnedProofs },
        {
          description:
            'Base atoms of the Safe outside positions, and the quote atoms of one sale in the bound market states. Null if the market cannot take all of them in one sale.',
        },
      ),
    },
    {
      description:
        'Own liquidity by kind at publication, from the evidence in the bundle. The figures are not additive: a sale of own tokens is paid partly by own positions. Null if the issuer does not disclose it, or if the release of the publication has no such evidence.',
    },
  ),
)
export type OwnedLiquidity = Static<typeof OwnedLiquidity>

export const PublicLiquidityPassport = named(
  'PublicLiquidityPassport',
  closed({
    slug: PassportSlug,
    state: oneOf(
      passportStates,
      'First state that applies: REVOKED, EXPIRED, STALE_CONTROL (control of the vault has changed since), STALE_SCORE (the score of the pair is worse than the bound score, or no score is active), CURRENT.',
    ),
    passport: Type.Optional(LiquidityPassport),
    simulated: orNull(SimulatedMarket),
    executions: orNull(JudgedExecutions),
    ownedLiquidity: orNull(OwnedLiquidity),
    contentHash: SignedHash,
    publishedAt: Timestamp,
    revocation: Type.Optional(
      closed({
        contentHash: Hash,
        code: oneOf(revocationCodes, 'Why.'),
        revokedAt: Type.String({ maxLength: 40 }),
        keyId: Type.String({ maxLength: 40 }),
        signature: Type.String({ maxLength: 100 }),
      }),
    ),
    history: list(
      closed({
        contentHash: SignedHash,
        publishedAt: Timestamp,
        state: oneOf(['CURRENT', 'SUPERSEDED', 'REVOKED', 'EXPIRED'], 'State of the publication.'),
      }),
      200,
      { description: 'Publications under this slug, newest first.' },
    ),
    formats: list(
      closed({
        format: PassportFormat,
        ready: Type.Boolean(),
        sha256: orNull(Hash),
      }),
      passportFormats.length,
    ),
    log: orNull(
      closed({
        leafIndex: Type.Integer({ minimum: 0 }),
        treeSize: Type.Integer({ minimum: 1 }),
        rootHash: Hash,
      }),
    ),
    keys: closed({
      issuer: closed({
        fingerprint: Type.String({ maxLength: 64 }),
        publicKey: Type.String({ maxLength: 60 }),
        authority: oneOf(
          ['SAFE_AUTHORIZED', 'ORGANIZATION'],
          'SAFE_AUTHORIZED: the owners of the vault signed for this key. ORGANIZATION: the organization registered it.',
        ),
      }),
      service: closed({
        fingerprint: Type.String({ maxLength: 64 }),
        publicKey: Type.String({ maxLength: 60 }),
      }),
    }),
  }),
)
export type PublicLiquidityPassport = Static<typeof PublicLiquidityPassport>

const AnySlug = Type.String({ minLength: 1, maxLength: 160, examples: ['example-token'] })

const publicReading = {
  method: 'GET',
  ...heading,
  auth: anyone,
  success: [200],
  cacheControl: 'public, max-age=60',
} as const

export const getPublicLiquidityPassport = operation({
  ...publicReading,
  id: 'getPublicLiquidityPassport',
  path: '/public/passports/{slug}',
  summary: 'Get public liquidity passport',
  description:
    'A published passport and its current state. Clients that prefer text/html, such as browsers, get a page without scripts. Withheld fields are absent here and listed as withheld on the page. An unknown slug is 404.',
  params: { slug: AnySlug },
  response: data(PublicLiquidityPassport),
  errors: ['LIQUIDITY_PASSPORT_UNAVAILABLE'],
})

export const downloadPublicLiquidityPassport = operation({
  ...publicReading,
  id: 'downloadPublicLiquidityPassport',
  path: '/public/passports/{slug}/formats/{format}',
  summary: 'Download public liquidity passport',
  description:
    'One rendered format with a hash signed by the service; json is the payload as signed. A badge (svg, png of renderer v2) shows the state at the time of the request. 404 if a format is not ready yet (Retry-After) or not supported by this renderer.',
  params: { slug: AnySlug, format: PassportFormat },
  response: bytes(
    ...(['application/json', 'text/html', 'application/pdf'] as const),
    ...(['text/csv', 'image/svg+xml', 'image/png'] as const),
  ),
  errors: ['LIQUIDITY_PASSPORT_UNAVAILABLE', 'LIQUIDITY_PASSPORT_FORMAT_UNAVAILABLE'],
})

export const downloadLiquidityPassportVerificationBundle = operation({
  ...publicReading,
  id: 'downloadLiquidityPassportVerificationBundle',
  path: '/public/passports/{slug}/verification-bundle',
  summary: 'Download liquidity passport verification bundle',
  description:
    'Offline verification bundle of the passport, as a zip with the verifier; equal states give equal bytes. 404 with Retry-After until the proof log covers the publication and its formats are registered.',
  params: { slug: AnySlug },
  response: bytes('application/zip'),
  errors: ['LIQUIDITY_PASSPORT_UNAVAILABLE', 'LIQUIDITY_PASSPORT_BUNDLE_UNAVAILABLE'],
})

export const passportFamily = declareFamily({
  module: 'prove/passports',
  operations: [
    listPassports,
    getPassports,
    preparePassport,
    publishLiquidityPassport,
    revokeLiquidityPassport,
    getPublicLiquidityPassport,
    downloadPublicLiquidityPassport,
    downloadLiquidityPassportVerificationBundle,
  ],
  type: 'LiquidityPassport',
  prefix: 'passport',
  name: 'passport',
  plural: 'passports',
  payload: LiquidityPassport,
  moves,
  refusals: { terminal: 'LIQUIDITY_PASSPORT_TERMINAL' },
  events: [
    ...(['passport.published', 'passport.artifacts_registered'] as const),
    ...(['passport.expired', 'passport.revoked', 'passport.stale'] as const),
  ],
  title: 'payload.slug',
  columns: ['payload.slug', 'payload.vaultId', 'payload.validUntil', 'status', 'createdAt'],
  subject: 'payload.vaultId',
  ui: {
    page: 'proof/passports',
    task: 'Passports',
    icon: 'shield-check',
    summary: 'Public certificates of market quality, verifiable offline.',
    empty: 'Compute a market quality score first, then publish a passport.',
    head: [
      'payload.historicalReliabilityPips',
      'payload.policyCompliancePips',
      'payload.majorIncidentCount',
      'payload.validUntil',
    ],
    actions: {
      publishLiquidityPassport: { label: 'Publish passport' },
      revokeLiquidityPassport: { label: 'Revoke passport', when: ['ACTIVE', 'EXPIRED'] },
    },
    docs: 'passports',
  },
})
