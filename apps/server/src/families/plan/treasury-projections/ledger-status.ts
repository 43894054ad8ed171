import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  ageInDays,
  isAcknowledgedByOthers,
  wholeReconciliation,
} from '../../../market/treasury/active-records.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { activeHoldings, type LedgerEntry } from '../treasury-entries/api.ts'
import { treasurySettingsOf } from '../treasury-settings/api.ts'

type Reconciliation = VersionedRecord<contract.TreasuryLedgerReconciliation>

export const maxReconciliationDays = 7

/**
 * True if the ledger agrees with the chain, by the newest reconciliation of every active holding.
 */
export interface BooksStatus {
  readonly isAgreed: boolean
  readonly detail: string
  readonly holdings: readonly LedgerEntry[]
  /** Null if none compares exactly these holdings. */
  readonly reconciliation: Reconciliation | null
  readonly ageDays: number | null
}

export async function readBooksStatus(
  records: TenantRecords,
  maximumAgeDays = maxReconciliationDays,
): Promise<BooksStatus> {
  const holdings = await activeHoldings(records)
  const unknown = { isAgreed: false, holdings, reconciliation: null, ageDays: null }
  if (holdings.length === 0) {
    return { ...unknown, detail: 'No active holdings to reconcile.' }
  }
  const whole = await wholeReconciliation(records, new Set(holdings.map(({ id }) => id)))
  if (!whole) {
    return {
      ...unknown,
      detail: `No reconciliation covers the ${holdings.length} active holdings. Reconcile all of them.`,
    }
  }
  const { agreement, requireSecondPerson } = whole.payload
  const { reconciliation } = (await treasurySettingsOf(records)).settings
  const isMissed =
    (requireSecondPerson || reconciliation.requireSecondPerson) && !isAcknowledgedByOthers(whole)
  const ageDays = ageInDays(whole, records.now)
  return {
    isAgreed:
      whole.status === 'COMPLETED' &&
      agreement === 'AGREED' &&
      ageDays <= maximumAgeDays &&
      !isMissed,
    detail: [
      `The newest reconciliation of all ${holdings.length} active holdings is ${agreement} and ${ageDays} days old; the limit is ${maximumAgeDays} days.`,
      ...(whole.status === 'COMPLETED' ? [] : [`It is ${whole.status}.`]),
      ...(isMissed ? ['A second person has not acknowledged it.'] : []),
    ].join(' '),
    holdings,
    reconciliation: whole,
    ageDays,
  }
}

/**
 * Differing lines of a reconciliation: account, asset, both amounts and the cause, with entry
 * labels.
 */
export function differingAccounts({ holdings, reconciliation }: BooksStatus): string[] {
  const labels = new Map(holdings.map(({ id, payload }) => [id, payload.label]))
  const lines = reconciliation?.payload.lines ?? []
  return lines
    .filter(({ cause }) => cause !== 'AGREED')
    .map(({ container, assetKey, ledger, chain, cause, sources }) => {
      const named = sources.flatMap(({ id }) => labels.get(id) ?? [])
      const name = named.length === 0 ? container : `${named.join(', ')} (${container})`
      return `${name}: ledger ${ledger}, chain ${chain ?? 'unknown'} of ${assetKey}, ${cause}`
    })
}
