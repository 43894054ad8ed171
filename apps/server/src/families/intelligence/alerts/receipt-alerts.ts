import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import { pairKey } from '../../../market/pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import { shortHex } from '../../../texts.ts'
import type { Alert } from './alert.ts'

/** Unregistered executions, and executions with unexpected movements. */
export const unagreed = sql`${member('payload.reconciliation')} in ('UNREGISTERED', 'UNEXPECTED_EFFECT')`

/**
 * Alerts for unapproved or deviating executions of a vault since its first observation. The
 * severity is highest if assets left the Safe.
 */
export function receiptAlerts(
  receipts: readonly VersionedRecord<contract.ExecutionReceipt>[],
  vaults: readonly VersionedRecord<contract.QualifiedVault>[],
  now: number,
): Alert[] {
  return receipts.flatMap((receipt): Alert[] => {
    const { payload, id, resourceType, resourceVersion, createdAt } = receipt
    const vault = vaults.find((one) => one.id === payload.vault.id)
    // Executions before the vault was added are history.
    if (!vault || payload.block.number <= vault.payload.epochFrom.number) return []
    const isUnregistered = payload.reconciliation === 'UNREGISTERED'
    const kind = isUnregistered ? 'UNREGISTERED_EXECUTION' : 'UNEXPECTED_EFFECT'
    const isOver = Date.parse(createdAt) + limits.alertExecutionMilliseconds <= now
    return [
      {
        source: { resourceType, id, resourceVersion },
        evidenceHash: resourceVersion,
        id: `${kind}:${id}`,
        kind,
        severity: leaves(payload) || !isUnregistered ? 'CRITICAL' : 'WARNING',
        title: titleOf(payload, isUnregistered).slice(0, limits.alertTitleCharacters),
        openedAt: createdAt,
        lastSeenAt: createdAt,
        occurrences: 1,
        state: isOver ? 'RESOLVED' : 'OPEN',
        subject: { pair: pairKey(vault.payload.pair), venueId: null },
      },
    ]
  })
}

const leaves = ({ effects }: contract.ExecutionReceipt) =>
  effects.net.some(({ delta }) => delta.startsWith('-'))

function titleOf(
  { safeAddress, transactionHash }: contract.ExecutionReceipt,
  isUnregistered: boolean,
): string {
  const event = isUnregistered
    ? 'executed a transaction without approval in the service'
    : 'moved other amounts than expected'
  return `The Safe ${shortHex(safeAddress)} ${event}, in transaction ${shortHex(transactionHash)}.`
}
