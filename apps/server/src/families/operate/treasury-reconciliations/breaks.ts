import type { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Note } from '../../event-details.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation

/** Opening time of a line, by key; lines that agreed last are not included. */
export type OpenSince = ReadonlyMap<string, string>

/** State of a line in one reconciliation. */
interface Seen {
  readonly at: string
  readonly firstSeenAt: string | null
}

/**
 * Reconciliations per read. Each may have 400 lines, so the page is small and only the relevant
 * fields are retained.
 */
const readAtOnce = 50

/**
 * Opening time per break. A break is identified by its line, not its cause, and its age survives
 * new reconciliations. The newest reconciliation with the line decides whether it is open.
 */
export async function openSince(records: TenantRecords): Promise<OpenSince> {
  const seen = new Map<string, Seen[]>()
  for (let after: string | null = null; ; ) {
    const page: VersionedRecord<Reconciliation>[] = await records.find<Reconciliation>(
      'TreasuryReconciliation',
      { order: 'OLDEST', limit: readAtOnce, after },
    )
    for (const { payload } of page) note(seen, payload)
    after = page.at(-1)?.id ?? null
    if (page.length < readAtOnce) break
  }
  return new Map(
    [...seen].flatMap(([lineKey, all]) => {
      const since = openedAt(all)
      return since === null ? [] : [[lineKey, since]]
    }),
  )
}

function note(seen: Map<string, Seen[]>, payload: Reconciliation): void {
  const { snapshot } = payload.computation
  // A comparison needs a snapshot.
  if (!snapshot) return
  const at = snapshot.asOf
  for (const { lineKey, cause, firstSeenAt } of payload.lines) {
    const isOpen = cause !== 'AGREED'
    const one = { at, firstSeenAt: isOpen ? (firstSeenAt ?? at) : null }
    const all = seen.get(lineKey)
    if (all) all.push(one)
    else seen.set(lineKey, [one])
  }
}

/** Opening time of a line from its reconciliations in time order; null if the last one agreed. */
function openedAt(all: readonly Seen[]): string | null {
  const inOrder = all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return inOrder.reduce<string | null>(
    (since, { firstSeenAt }) => (firstSeenAt === null ? null : (since ?? firstSeenAt)),
    null,
  )
}

/** Data of a break at a moment; null for a line that agrees. */
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

/** Maximum breaks named in an event; the event also contains the count. */
const namedBreaks = 50

/** Breaks that a stored reconciliation opens and closes, relative to earlier ones. */
export function breakNotes({ lines }: Reconciliation, before: OpenSince): Note[] {
  const opened = lines.filter(({ lineKey, breakId }) => breakId !== null && !before.has(lineKey))
  const closed = lines.filter(({ lineKey, breakId }) => breakId === null && before.has(lineKey))
  const summarizeBreaks = (some: typeof opened) => ({
    count: some.length,
    breaks: some.slice(0, namedBreaks).map(({ lineKey, container, assetKey, cause }) => ({
      breakId: H('break/v1', { lineKey }),
      container,
      assetKey,
      cause,
    })),
  })
  const noteOf = (kind: string, some: typeof opened): Note[] =>
    some.length === 0 ? [] : [[kind, summarizeBreaks(some)]]
  return [
    ...noteOf('treasury.reconciliation.break_opened', opened),
    ...noteOf('treasury.reconciliation.break_closed', closed),
  ]
}
