import type { contract } from '@liquidity-os/contract'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import type { Release } from '../../../market/adapters/release.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { MadeCall } from './action-calls.ts'
import { pinnedReads } from './action-state.ts'
import { policyHeldBy, stateOf } from './active-policy.ts'
import { checkResult } from './check-result.ts'
import { evaluatePolicy } from './evaluate-policy.ts'
import { termsOf } from './policy-terms.ts'
import type { Policy } from './records.ts'
import type { Vault } from './vault-of.ts'

/** Current policy of a vault; null if absent or expired. */
export async function currentPolicy(
  records: TenantRecords,
  vaultId: string,
): Promise<Policy | null> {
  const held = await policyHeldBy(records, vaultId)
  if (held === null) return null
  const state = stateOf(held.record, records.now)
  return state === 'ACTIVE' || state === 'PAUSED' ? held.record : null
}

interface EvaluatedPacket {
  readonly policy: Policy
  readonly vault: Vault
  readonly release: Release | null
  readonly chain: PinnedChain
  readonly controlEpoch: bigint
  readonly route: contract.PolicyCheckAction['route'] | null
  /** Calls per packet, in execution order. */
  readonly packets: readonly (readonly Omit<MadeCall, 'operation'>[])[]
}

/**
 * Checks a series of packets against the vault's policy. Each packet is one action. Earlier packets
 * count toward the daily turnover.
 */
export async function checkPackets(
  records: TenantRecords,
  { policy, vault, release, chain, controlEpoch, route, packets }: EvaluatedPacket,
): Promise<contract.PolicyCheckResult[]> {
  const { now } = records
  const terms = termsOf(policy.payload)
  const { chainId } = vault.payload
  const results: contract.PolicyCheckResult[] = []
  let turnoverQuote: bigint | null = 0n
  for (const [index, calls] of packets.entries()) {
    const result = await evaluatePolicy(records, {
      terms,
      vault,
      release,
      controlEpoch,
      route,
      at: Math.floor(now / 1000),
      calls: calls.map((call) => ({ ...call, operation: 0 })),
      status: stateOf(policy, now),
      neededLevel: 2,
      ...(index === 0 ? {} : { before: { turnoverQuote } }),
      reads: pinnedReads(chain),
    })
    const { amountQuote } = result.facts
    turnoverQuote =
      turnoverQuote === null || amountQuote === null ? null : turnoverQuote + amountQuote
    const action = {
      chainId,
      route,
      packetIndex: index,
      calls: calls.map(({ to, value, data }) => ({ to, value: `${value}`, data })),
    }
    const { id, resourceVersion } = policy
    results.push(
      checkResult(result, {
        terms,
        action,
        policyRef: { id, resourceVersion },
        now,
        fresh: true,
        block: blockOf(chainId, chain.block),
      }),
    )
  }
  return results
}
