import { contract, type FieldErrors } from '@liquidity-os/contract'
import {
  type Hash,
  importPublicKey,
  isPassportSignedBy,
  isReceiptSignedBy,
  passportContentHash,
  passportSubjectHash,
  registryCommitmentHash,
  registryMembers,
} from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { validateSignedScalar } from '../../../http/signed-scalars.ts'
import type { ProviderRecord } from '../../../integrations/providers/chain-providers.ts'
import { textOrEmpty } from '../../../texts.ts'

type Payload = contract.LiquidityPassport

/**
 * Validates a payload without records: canonical scalars, registry fields all or none, and its
 * content hash.
 *
 * @throws Failure 422
 */
export function requireForm(payload: Payload): void {
  const scalars = validateSignedScalar(contract.LiquidityPassport, payload, 'payload')
  refuse('LIQUIDITY_PASSPORT_NOT_CANONICAL', scalars)
  const members = registryMembers.filter((name) => payload[name] !== undefined)
  if (members.length > 0 && members.length < registryMembers.length) {
    const missing = registryMembers.filter((name) => payload[name] === undefined)
    refuse(
      'LIQUIDITY_PASSPORT_REGISTRY_INCOMPLETE',
      Object.fromEntries(
        missing.map((name) => [`payload.${name}`, [`is required with ${members.join(', ')}`]]),
      ),
    )
  }
  const hash = passportContentHash(payload)
  if (payload.contentHash !== hash) {
    refuse('LIQUIDITY_PASSPORT_HASH_MISMATCH', {
      'payload.contentHash': [`must be ${hash}, got ${payload.contentHash}`],
    })
  }
}

/**
 * Verifies the signature with the key of the named provider version.
 *
 * @param signer current version of the named provider, or null
 * @param generation provider version at `signerKeyResourceVersion`, or null
 * @throws Failure 422
 */
export function requireSignature(
  payload: Payload,
  signer: ProviderRecord | null,
  generation: ProviderRecord | null,
): void {
  const { signerProviderId, signerKeyResourceVersion } = payload
  const key = generation?.payload.publicKeys[0]
  const isSigned = key !== undefined && isPassportSignedBy(payload, importPublicKey(key))
  if (isSigned) return
  const of = generation
    ? `the key of ${signerProviderId} at ${signerKeyResourceVersion}`
    : `a registered key; ${signerProviderId} has no version ${signerKeyResourceVersion}`
  refuse('LIQUIDITY_PASSPORT_SIGNATURE_INVALID', {
    ...(generation ? {} : unknownSigner(payload, signer)),
    'payload.signature': [`must be a signature by ${of} over the payload as sent`],
  })
}

function unknownSigner(
  { signerProviderId, signerKeyResourceVersion }: Payload,
  signer: ProviderRecord | null,
): FieldErrors {
  return signer?.payload.kind === 'SIGNER_ED25519'
    ? {
        'payload.signerKeyResourceVersion': [
          `must be a version of ${signerProviderId}, got ${signerKeyResourceVersion}`,
        ],
      }
    : {
        'payload.signerProviderId': [
          `must be a provider of kind SIGNER_ED25519, got ${signerProviderId}`,
        ],
      }
}

/**
 * Checks that the registry of the payload issued the receipt for exactly this payload.
 *
 * @throws Failure 422
 */
export function requireReceipt(payload: Payload, registry: ProviderRecord | null): void {
  const { resultsRegistryReceipt: receipt } = payload
  if (!receipt || !registry) return
  const provider = {
    providerId: registry.payload.providerId,
    providerResourceVersion: registry.resourceVersion,
    providerAttestationHash: attestationOf(registry),
  }
  const subject = passportSubjectHash(payload)
  const commitment: Hash = registryCommitmentHash(provider, subject)
  const expected = {
    ...provider,
    passportSubjectHash: subject,
    commitmentHash: commitment,
  }
  const faults: Record<string, string[]> = {}
  const hold = (at: string, wanted: string, came: string | undefined) => {
    if (came !== wanted) faults[`payload.${at}`] = [`expected ${wanted}, got ${came}`]
  }
  for (const [name, wanted] of Object.entries(expected)) {
    hold(`resultsRegistryReceipt.${name}`, wanted, receipt[name as keyof typeof expected])
  }
  hold('resultsRegistryCommitmentHash', commitment, payload.resultsRegistryCommitmentHash)
  hold(
    'resultsRegistryProviderAttestationHash',
    provider.providerAttestationHash,
    payload.resultsRegistryProviderAttestationHash,
  )
  if (Date.parse(receipt.issuedAt) > Date.parse(payload.generatedAt) + 600_000) {
    faults['payload.resultsRegistryReceipt.issuedAt'] = [
      `must be at most 600 s after generatedAt, got ${receipt.issuedAt}`,
    ]
  }
  const key = registry.payload.publicKeys[0]
  if (!key || !isReceiptSignedBy(receipt, importPublicKey(key))) {
    faults['payload.resultsRegistryReceipt.signature'] = [
      `must be a signature by the key of ${provider.providerId} over the receipt`,
    ]
  }
  refuse('LIQUIDITY_PASSPORT_REGISTRY_RECEIPT_INVALID', faults)
}

/** Attestation hash of a provider at admission; empty without an attestation. */
export const attestationOf = ({ payload }: ProviderRecord): string =>
  textOrEmpty(payload.probe?.facts.attestationHash)

type Codes = Extract<ConstructorParameters<typeof Failure>[0], `LIQUIDITY_PASSPORT_${string}`>

export function refuse(code: Codes, fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}
