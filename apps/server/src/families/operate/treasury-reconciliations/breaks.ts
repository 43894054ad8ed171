import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Note } from '../../told-besides.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation

/** Since when the line of a key has been open, by its key; lines that agreed last are in it no more. */
export type OpenSince = ReadonlyMap<string, string>

/**
 * Reads since when each break has been open: a break is its line, whatever its cause was, and its age does not restart
 * with another reconciliation. The newest reconciliation that holds the line decides whether it is open.
 *
 * @param except the reconciliation that is repeated is read like any other
 */
export async function openSince(records: TenantRecords): Promise<OpenSince> {
  const earlier = await records.find<Reconciliation>('TreasuryReconciliation', { order: 'OLDEST' })
  const since = new Map<string, string>()
  const inOrder = earlier.toSorted((a, b) => (asOf(a.payload) < asOf(b.payload) ? -1 : 1))
  for (const { payload } of inOrder) {
    for (const { lineKey, cause, firstSeenAt } of payload.lines) {
      if (cause === 'AGREED') since.delete(lineKey)
      else if (!since.has(lineKey)) since.set(lineKey, firstSeenAt ?? asOf(payload))
    }
  }
  return since
}

const asOf = ({ computation }: Reconciliation) => computation.snapshot?.asOf ?? ''

/** What is told of a break at a moment; nothing of a line that agrees. */
export function breakOf(
  { lineKey, isOpen }: { readonly lineKey: string; readonly isOpen: boolean },
  since: OpenSince,
  at: string,
): Pick<contract.ReconciliationLine, 'breakId' | 'firstSeenAt' | 'ageDays'> {
  if (!isOpen) return { breakId: null, firstSeenAt: null, ageDays: null }
  const known = since.get(lineKey)
  const firstSeenAt = known !== undefined && known < at ? known : at
  const age = Date.parse(at) - Date.parse(firstSeenAt)
  return {
    breakId: H('break/v1', { lineKey }),
    firstSeenAt,
    ageDays: Math.floor(age / dayMilliseconds),
  }
}

/** Breaks that an event names; how many there are is told beside. */
const namedBreaks = 50

/** What a reconciliation that is kept opens and closes, against those before it. */
export function breakNotes({ lines }: Reconciliation, before: OpenSince): Note[] {
  const opened = lines.filter(({ lineKey, breakId }) => breakId !== null && !before.has(lineKey))
  const closed = lines.filter(({ lineKey, breakId }) => breakId === null && before.has(lineKey))
  const told = (some: typeof opened) => ({
    count: some.length,
    breaks: some.slice(0, namedBreaks).map(({ lineKey, container, assetKey, cause }) => ({
      ...{ breakId: H('break/v1', { lineKey }), container, assetKey, cause },
    })),
  })
  const note = (kind: string, some: typeof opened): Note[] =>
    some.length === 0 ? [] : [[kind, told(some)]]
  return [
    ...note('treasury.reconciliation.break_opened', opened),
    ...note('treasury.reconciliation.break_closed', closed),
  ]
}
