import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import { pairKey } from '../../../market/pair.ts'
import type { Alert } from './alerts.ts'

type Policy = VersionedRecord<contract.AutonomyPolicy>
type Vault = VersionedRecord<contract.QualifiedVault>

const kind = 'ONCHAIN_AUTHORITY'

/**
 * An alert for each vault with a policy whose Safe has modules: they act without its owners, and nothing that is narrowed, paused or
 * revoked here reaches them. Worst where the policy is meant to allow nothing any more. Over when the vault is read without them.
 */
export function policyAlerts(policies: readonly Policy[], vaults: readonly Vault[]): Alert[] {
  const ofVault = Map.groupBy(policies, ({ payload }) => payload.vaultId)
  return vaults.flatMap((vault): Alert[] => {
    const { control, epochFrom, pair, safeAddress, snapshot } = vault.payload
    const [policy] = (ofVault.get(vault.id) ?? []).toSorted((a, b) =>
      a.payload.approvedAt < b.payload.approvedAt ? 1 : -1,
    )
    if (!policy || control.modules.length === 0) return []
    const { id, resourceType, resourceVersion, status, createdAt } = policy
    const count = control.modules.length
    const title = `The Safe ${safeAddress} has ${count === 1 ? 'a module that acts' : `${count} modules that act`} without its owners, and its policy, which is ${status}, does not reach what is on chain. The policy names the calls that take it away.`
    const [openedAt = createdAt] = [createdAt, epochFrom.timestamp].toSorted().toReversed()
    return [
      {
        source: { resourceType, id, resourceVersion },
        evidenceHash: vault.resourceVersion,
        ...{ id: `${kind}:${vault.id}`, kind, openedAt },
        severity: status === 'ACTIVE' ? 'WARNING' : 'CRITICAL',
        title: title.slice(0, limits.alertTitleCharacters),
        ...{ lastSeenAt: snapshot.timestamp, occurrences: 1, state: 'OPEN' },
        subject: { pair: pairKey(pair), venueId: null },
      },
    ]
  })
}
