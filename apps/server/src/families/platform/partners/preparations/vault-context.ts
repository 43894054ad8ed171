import type { contract } from '@liquidity-os/contract'
import { canonicalize, H, type VersionedRecord } from '@liquidity-os/evidence'
import type { Release } from '../../../../market/adapters/release.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { currentPolicy } from '../../../operate/autonomy-policies/api.ts'
import { scopesOf } from './live-consents.ts'

export type VaultContext = contract.PartnerVaultContext
type Consent = VersionedRecord<contract.PartnerConsent>
type Vault = VersionedRecord<contract.QualifiedVault>

/**
 * Context for a partner's preparation on one vault under one consent: consented data and the public
 * adapters.
 *
 * @param issuer records of the organization that granted the consent
 */
export async function vaultContext(
  issuer: TenantRecords,
  consent: Consent,
  vault: Vault,
  release: Release | null,
): Promise<VaultContext> {
  const { chainId, safeAddress, pair, controlEpoch } = vault.payload
  const isShown = scopesOf(consent.payload).includes('POLICY_LIMITS_READ')
  const policy = isShown ? await currentPolicy(issuer, vault.id) : null
  return {
    issuerOrganizationId: issuer.organizationId,
    consentId: consent.id,
    vaultId: vault.id,
    chainId,
    safeAddress,
    pair,
    controlEpoch,
    assets: [pair.base, pair.quote, 'native'],
    adapters: adaptersOn(release, chainId),
    releaseHash: release?.releaseHash ?? null,
    policyLimits: policy ? limitsOf(policy.payload) : null,
  }
}

/** The limits of a policy that POLICY_LIMITS_READ discloses. */
export const limitsOf = (policy: contract.AutonomyPolicy): contract.SharedPolicyLimits => ({
  level: policy.level,
  caps: {
    maximumAmountPerTransaction: policy.maximumAmountPerTransaction,
    maximumDailyTurnover: policy.maximumDailyTurnover,
  },
  maximumSlippagePips: policy.maximumSlippagePips,
  expiresAt: policy.expiresAt,
})

function adaptersOn(release: Release | null, chainId: number): VaultContext['adapters'] {
  const there = (release?.manifest.adapters ?? []).flatMap(({ adapterId, contracts }) => {
    const own = contracts.filter((one) => one.chainId === chainId).map(({ address }) => address)
    return own.length === 0 ? [] : [{ adapterId, contracts: own.toSorted().slice(0, 64) }]
  })
  return there.toSorted((a, b) => (a.adapterId < b.adapterId ? -1 : 1))
}

export const contextHashOf = (context: VaultContext): string =>
  H('partner-preparation-context/v1', context)

export interface Moved {
  readonly at: string
  readonly prepared: string
  readonly now: string
}

/** Changed fields of a context. */
export function movedMembers(prepared: VaultContext, present: VaultContext): Moved[] {
  return Object.keys(prepared).flatMap((name) => {
    const [was, is] = [prepared, present].map((one) => printed(one[name as keyof VaultContext]))
    return was === is ? [] : [{ at: `context.${name}`, prepared: `${was}`, now: `${is}` }]
  })
}

const printed = (value: unknown): string =>
  (typeof value === 'string' ? value : canonicalize(value)).slice(0, 4000)
