import { H, type Hash } from './hash.ts'
import { type PrivateKey, type PublicKey, sign, verify } from './signature.ts'

/**
 * Hashes and signatures of a liquidity passport. Each hash excludes the members derived from it.
 *
 *     contentHash         = H("liquidity-passport/v1", payload − contentHash − signature)
 *     signature           = Ed25519(issuer, D("liquidity-passport-signature/v1", payload − signature))
 *     passportSubjectHash = H("liquidity-passport-subject/v1", payload − contentHash − signature − registry members)
 */

type Members = Readonly<Record<string, unknown>>

export const registryMembers = [
  'resultsRegistryProviderId',
  'resultsRegistryProviderResourceVersion',
  'resultsRegistryProviderAttestationHash',
  'resultsRegistryCommitmentHash',
  'resultsRegistryReceipt',
] as const

const signatureTag = 'liquidity-passport-signature/v1'
const receiptTag = 'liquidity-passport-results-registry-receipt/v1'
const revocationTag = 'revocation/v1'
const artifactTag = 'artifact-statement/v1'
const revocationsTag = 'revocations/v1'
const challengeTag = 'provider-challenge/v1'

/** @throws CanonicalJsonError when the payload has no canonical form */
export const passportContentHash = (payload: Members): Hash =>
  H('liquidity-passport/v1', without(payload, ['contentHash', 'signature']))

/** The payload with its hash and the signature of its issuer. */
export function signPassport<P extends Members>(
  payload: P,
  key: PrivateKey,
): P & { contentHash: Hash; signature: string } {
  const unsigned = without(payload, ['contentHash', 'signature'])
  const hashed = { ...unsigned, contentHash: passportContentHash(unsigned) }
  return { ...hashed, signature: sign(key, signatureTag, hashed) } as P & {
    contentHash: Hash
    signature: string
  }
}

export const isPassportSignedBy = (payload: Members, key: PublicKey): boolean =>
  verify(key, signatureTag, without(payload, ['signature']), String(payload.signature))

/**
 * Hash that a results registry commits to: the passport without the members that the registry adds.
 */
export const passportSubjectHash = (payload: Members): Hash =>
  H(
    'liquidity-passport-subject/v1',
    without(payload, ['contentHash', 'signature', ...registryMembers]),
  )

export interface RegistryProvider {
  readonly providerId: string
  readonly providerResourceVersion: string
  readonly providerAttestationHash: string
}

export const registryCommitmentHash = (provider: RegistryProvider, subjectHash: Hash): Hash =>
  H('liquidity-passport-results-registry-commitment/v1', {
    ...provider,
    passportSubjectHash: subjectHash,
  })

/** Signs a registry's receipt for a passport. */
export function signRegistryReceipt(
  provider: RegistryProvider,
  subjectHash: Hash,
  issuedAt: string,
  key: PrivateKey,
) {
  const receipt = {
    receiptVersion: 'liquidity-passport-results-registry-receipt-v1',
    ...provider,
    passportSubjectHash: subjectHash,
    commitmentHash: registryCommitmentHash(provider, subjectHash),
    issuedAt,
  } as const
  return { ...receipt, signature: sign(key, receiptTag, receipt) }
}

export const isReceiptSignedBy = (receipt: Members, key: PublicKey): boolean =>
  verify(key, receiptTag, without(receipt, ['signature']), String(receipt.signature))

/** Statement that the service signs for a passport revocation. */
export interface PassportRevocation {
  readonly contentHash: string
  readonly code: string
  readonly revokedAt: string
  readonly keyId: string
}

export const signRevocation = (revocation: PassportRevocation, key: PrivateKey) => ({
  ...revocation,
  signature: sign(key, revocationTag, revocation),
})

export const isRevocationSignedBy = (revocation: Members, key: PublicKey): boolean =>
  verify(key, revocationTag, without(revocation, ['signature']), String(revocation.signature))

/** Signs the list of revoked passports of a slug at a time; the list can be empty. */
export const signRevocations = (
  statement: {
    readonly asOf: string
    readonly slug: string
    readonly revocations: readonly Members[]
    readonly keyId: string
  },
  key: PrivateKey,
) => ({ ...statement, signature: sign(key, revocationsTag, statement) })

/** Signed statement on one file rendered from a passport. */
export interface ArtifactStatement {
  readonly passportContentHash: string
  readonly format: string
  readonly variant: string
  readonly mediaType: string
  readonly byteLength: number
  readonly sha256: string
  readonly rendererVersion: string
  readonly rendererBuildHash: string
}

export const signArtifact = (statement: ArtifactStatement, key: PrivateKey) => ({
  statement,
  keyId: key.publicKey.keyId,
  signature: sign(key, artifactTag, statement),
})

export const isArtifactSignedBy = (
  { statement, signature }: { readonly statement: unknown; readonly signature: string },
  key: PublicKey,
): boolean => verify(key, artifactTag, statement, signature)

/**
 * Statement that a provider signs to prove control of a key, for one purpose, one organization and
 * a limited time.
 */
export interface ProviderChallenge {
  readonly purpose: 'PASSPORT_SIGNER' | 'RESULTS_REGISTRY'
  readonly organizationHash: string
  readonly providerId: string
  readonly publicKey: string
  readonly issuedAt: string
  readonly expiresAt: string
}

export const signChallenge = (challenge: ProviderChallenge, key: PrivateKey): string =>
  sign(key, challengeTag, challenge)

export const isChallengeSignedBy = (
  challenge: ProviderChallenge,
  signature: string,
  key: PublicKey,
): boolean => verify(key, challengeTag, challenge, signature)

/** Hash that a passport uses to reference its registry's attestation. */
export const attestationHash = (challenge: ProviderChallenge): Hash => H(challengeTag, challenge)

function without(members: Members, excluded: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !excluded.includes(name)))
}
