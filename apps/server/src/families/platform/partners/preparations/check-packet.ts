import { contract, type FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../../failure.ts'
import { normalizeAddress } from '../../../../http/address.ts'
import { validateSignedScalar } from '../../../../http/signed-scalars.ts'
import type { Services } from '../../../../services.ts'
import { requireSoundPacket } from '../../../operate/proposals/api.ts'
import { sharedVault, startReading } from '../portfolio/shared-vault.ts'
import { grantedVault } from '../portfolio/shared-vaults.ts'
import type { LiveConsent } from './live-consents.ts'
import type { VaultContext } from './vault-context.ts'
import { within } from './within.ts'

type Packet = contract.PartnerPacket

/**
 * Validates a packet without records: canonical numbers, plausible effects and calls.
 *
 * @throws Failure 422, or 400 for too many calls
 */
export async function requireForm(packet: Packet): Promise<void> {
  const at = 'payload.packet'
  const faults: FieldErrors = { ...validateSignedScalar(contract.PartnerPacket, packet, at) }
  for (const [index, { asset }] of (packet.expectedEffects ?? []).entries()) {
    if (asset === 'native' || normalizeAddress(asset) === asset) continue
    faults[`${at}.expectedEffects.${index}.asset`] = [
      `must be "native" or an address with EIP-55 checksum, got ${asset}`,
    ]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PARTNER_PACKET_NOT_CANONICAL', { fieldErrors: faults })
  }
  await within(at, async () => requireSoundPacket(packet))
}

/** @throws Failure 422 LIQUIDITY_PROPOSAL_SAFE_MISMATCH for a Safe that is not that of the vault */
export function requireSafe({ action }: Packet, context: VaultContext): void {
  const faults: FieldErrors = {}
  if (action.chainId !== context.chainId) {
    faults['payload.packet.action.chainId'] = [`must be ${context.chainId}, got ${action.chainId}`]
  }
  if (action.safeAddress !== context.safeAddress) {
    faults['payload.packet.action.safeAddress'] = [
      `must be ${context.safeAddress}, got ${action.safeAddress}`,
    ]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PROPOSAL_SAFE_MISMATCH', { fieldErrors: faults })
  }
}

/**
 * Requires that a packet refers only to shared records of its vault. Other records of the issuer
 * appear as unknown.
 *
 * @throws Failure 422 LIQUIDITY_PARTNER_SOURCE_NOT_SHARED
 */
export async function requireShared(
  { sources = [], vaultId }: Packet,
  live: readonly LiveConsent[],
  services: Pick<Services, 'log'>,
): Promise<void> {
  if (sources.length === 0) return
  const found = await grantedVault(live, vaultId)
  const shown = found ? await sharedVault(found, startReading(services)) : null
  const known = [shown?.summary, shown?.prepare, shown?.score, shown?.policy].flatMap(
    (figure) => figure?.source ?? [],
  )
  const faults: FieldErrors = {}
  for (const [index, source] of sources.entries()) {
    const isShown = known.some(
      (one) =>
        one.resourceType === source.resourceType &&
        one.id === source.id &&
        one.resourceVersion === source.resourceVersion,
    )
    if (isShown) continue
    faults[`payload.packet.sources.${index}`] = [
      `must be shared for ${vaultId} in this version, got ${source.resourceType} ${source.id} ${source.resourceVersion}`,
    ]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PARTNER_SOURCE_NOT_SHARED', { fieldErrors: faults })
  }
}
