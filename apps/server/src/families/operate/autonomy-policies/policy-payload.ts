import type { Actor, contract } from '@liquidity-os/contract'
import type { AdmissionDecision, PolicyTerms } from '@liquidity-os/engine/policy'
import { type Release, trustedRelease } from '../../../market/adapters/release.ts'
import type { Services } from '../../../services.ts'
import { compilePolicy } from './compile-policy.ts'
import { comparisonOf, inputOf, policyHashOf } from './policy-terms.ts'
import type { Receipt } from './safe-envelope.ts'
import { onChainOf, type Vault } from './vault-of.ts'

type Payload = contract.AutonomyPolicy

/** The trusted release, or null. A policy can be described without a release. */
export function releaseOrNull(services: Pick<Services, 'config'>, now: number): Release | null {
  const release = trustedRelease(services.config, now)
  return 'fault' in release ? null : release
}

export function payloadOf(admitted: {
  readonly terms: PolicyTerms
  readonly decision: AdmissionDecision
  readonly vault: Vault
  readonly release: Release | null
  /** Owner commitment that activated the policy, or null. */
  readonly envelope: Receipt | null
  readonly before: Payload | null
  readonly approvedBy: Actor
  readonly now: number
}): Payload {
  const { terms, decision, vault, release, envelope, before, approvedBy, now } = admitted
  const used = before?.usedEnvelopes ?? []
  return {
    ...inputOf(terms),
    policyHash: policyHashOf(terms),
    approvedAt: envelope?.payload.block.timestamp ?? new Date(now).toISOString(),
    approvedBy,
    admission: decision.admission,
    comparison: comparisonOf(decision.comparison),
    compilation: compilePolicy(terms, vault.payload, release),
    safeAuthority: envelope
      ? {
          resourceType: envelope.resourceType,
          id: envelope.id,
          resourceVersion: envelope.resourceVersion,
        }
      : null,
    usedEnvelopes: envelope ? [...used, envelope.id] : [...used],
    releaseHash: release?.releaseHash ?? null,
    onChain: onChainOf(vault),
    executionAuthorityGranted: false,
  }
}
