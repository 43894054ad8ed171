import type { contract } from '@liquidity-os/contract'
import { contract as schemas } from '@liquidity-os/contract'
import {
  attestationHash,
  importPublicKey,
  isChallengeSignedBy,
  organizationHash,
  type ProviderChallenge,
  sha256Hex,
} from '@liquidity-os/evidence'
import type { Address, Hex } from 'viem'
import { validateSignedScalar } from '../../../http/signed-scalars.ts'
import type { Check } from '../../../integrations/chain/check.ts'
import { readAtBlock } from '../../../integrations/chain/finalized.ts'
import type { ProviderEvidence } from '../../../integrations/chain/probe.ts'
import { readSafe } from '../../../integrations/chain/safe-account.ts'
import { checkSafeSignatures } from '../../../integrations/chain/safe-signatures.ts'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { signerDigest } from '../../../integrations/providers/signer-authorization.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { required } from '../../../required.ts'
import { dayMilliseconds, minuteMilliseconds } from '../../../units.ts'
import type { PutRequest } from './validate-configuration.ts'

type Configuration = contract.SignerConfiguration

/** A key whose holder recently proved possession for this organization and purpose. */
export async function probeKeyHolder(
  request: PutRequest,
  payload: ProviderPayload,
): Promise<ProviderEvidence & { attestation: ProviderPayload['attestation'] }> {
  const { organizationId, now } = request
  // The schema has validated it, with one key.
  const { possession, authorization } = payload.configuration as unknown as Configuration
  const key = importPublicKey(required(payload.publicKeys[0], 'public key in the request'))
  const isSigner = payload.kind === 'SIGNER_ED25519'
  const challenge: ProviderChallenge = {
    purpose: isSigner ? 'PASSPORT_SIGNER' : 'RESULTS_REGISTRY',
    organizationHash: organizationHash(organizationId),
    providerId: payload.providerId,
    publicKey: key.raw,
    issuedAt: possession.issuedAt,
    expiresAt: possession.expiresAt,
  }
  const fingerprint = sha256Hex(Buffer.from(key.raw, 'base64'))
  const checks: Check[] = [
    timesCheck(possession, now),
    {
      code: 'POSSESSION',
      ok: isChallengeSignedBy(challenge, possession.signature, key),
      expected: 'a signature of the key over the challenge for this organization and provider',
      observed: `key ${key.keyId}`,
    },
  ]
  if (authorization) checks.push(await authorizationCheck(request, key.raw, authorization))
  return {
    checks,
    facts: { fingerprint, attestationHash: attestationHash(challenge) },
    capabilities: isSigner
      ? ['PASSPORT_SIGNATURES', ...(authorization ? ['SAFE_AUTHORIZED'] : [])]
      : ['RESULTS_RECEIPTS'],
    attestation: { ...challenge, signature: possession.signature },
  }
}

function timesCheck(
  possession: Configuration['possession'],
  now: number,
  maxMilliseconds = dayMilliseconds,
): Check {
  const { issuedAt, expiresAt } = possession
  const [from, to] = [Date.parse(issuedAt), Date.parse(expiresAt)]
  const scalars = validateSignedScalar(
    schemas.SignerConfiguration.properties.possession,
    possession,
    '',
  )
  const ok =
    Object.keys(scalars).length === 0 &&
    from <= now + minuteMilliseconds &&
    now < to &&
    to - from <= maxMilliseconds
  return {
    code: 'POSSESSION_TIMES',
    ok,
    expected: `UTC in whole seconds, at most one day long, including ${new Date(now).toISOString()}`,
    observed: `${issuedAt} to ${expiresAt}`,
  }
}

/** Checks at the finalized block that the Safe's owners signed for the key. */
async function authorizationCheck(
  { records, services, organizationId, now }: PutRequest,
  publicKey: string,
  authorization: NonNullable<Configuration['authorization']>,
): Promise<Check> {
  const { chainId, safe, issuedAt, expiresAt, signatures } = authorization
  const field = 'payload.configuration.authorization.chainId'
  const snapshot = await takeSnapshot(records, services, [chainId], field)
  const chain = snapshot.chains.get(chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
  const digest = signerDigest({
    chainId,
    safe: safe as Address,
    issuedAt,
    expiresAt,
    organizationHash: organizationHash(organizationId) as Hex,
    publicKey,
  })
  const [client] = chain.clients
  const fault = await readAtBlock(client, chain.block, async (pin) => {
    const account = await readSafe(client, pin, safe as Address)
    if (!account) return `${safe} does not respond as a Safe`
    const requested = { chainId, safe: account, digest, signatures: signatures as Hex }
    return (await checkSafeSignatures(client, pin, requested)).fault
  })
  const isOfNow = Date.parse(issuedAt) <= now + minuteMilliseconds && Date.parse(expiresAt) > now
  return {
    code: 'SAFE_AUTHORIZATION',
    ok: fault === null && isOfNow,
    expected: `current signatures of the owners of ${safe} over ${digest}`,
    observed: fault ?? `valid at block ${chain.block.number}, ${issuedAt} to ${expiresAt}`,
  }
}
