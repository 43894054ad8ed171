import type { LiquidityPassport } from './passport-payload.ts'
import type { PassportPreparation } from './passports.ts'

/** A passport without the content hash and the signature of the issuer. */
export type PassportDraft = Omit<LiquidityPassport, 'contentHash' | 'signature'>

/** Choices of the issuer that the service does not compute. */
export interface PassportTerms {
  readonly slug: string
  /** Provider of kind SIGNER_ED25519, and its version. */
  readonly signer: { readonly providerId: string; readonly resourceVersion: string }
  /** Requested end in milliseconds; a source that ends earlier limits it. */
  readonly validUntil: number
}

const inSeconds = (milliseconds: number): string =>
  `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** The passport for the issuer to sign; null if the preparation states blockers. */
export function draftPassport(
  preparation: PassportPreparation,
  { slug, signer, validUntil }: PassportTerms,
): PassportDraft | null {
  const { claims, sourceBindings, latestValidUntil, generatedAt, vaultId } = preparation
  if (!claims || !sourceBindings || latestValidUntil === null) return null
  const shown = (member: keyof typeof claims) => claims[member] !== undefined
  return {
    passportVersion: 'liquidity-passport-v1',
    signatureAlgorithm: 'Ed25519',
    artifactRendererVersion: 'liquidity-passport-artifacts-v2',
    signerProviderId: signer.providerId,
    signerKeyResourceVersion: signer.resourceVersion,
    slug,
    vaultId,
    generatedAt: inSeconds(Date.parse(generatedAt)),
    validUntil: inSeconds(Math.min(Date.parse(latestValidUntil), validUntil)),
    ...claims,
    ...(preparation.reportBrand ? { reportBrand: preparation.reportBrand } : {}),
    disclosure: {
      showTreasuryOwnership: shown('treasuryOwnedLiquidityQuote'),
      showExternalManagerNames: shown('externalManagerNames'),
      showIncidentDetails: shown('incidentDetails'),
      showPolicyLimits: shown('policyLimits'),
    },
    reportHashes: sourceBindings.reports.map(({ hash }) => hash),
    sourceBindings,
    ...(preparation.supersedesPassportHash === null
      ? {}
      : { supersedesPassportHash: preparation.supersedesPassportHash }),
    marketQualityScoreId: sourceBindings.marketQualityScore.id,
  }
}
