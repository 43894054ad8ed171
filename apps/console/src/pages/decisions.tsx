import { useQueries } from '@tanstack/react-query'
import { usePlace } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { read } from '../api/send.ts'
import { familyOfKey } from '../declared/families.ts'
import { recordTarget } from '../declared/pages.ts'
import { valueAt } from '../declared/schema.ts'
import type { FamilyEntry } from '../declared/types.ts'
import { useTitle } from '../fields/title.ts'
import { Fault } from '../ui/notice.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { Panel, Skeleton, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

/** Records that await a decision, with the filter for open ones and the deadline. */
const queues = [
  {
    key: 'proposals',
    query: { status: 'VALIDATED', limit: 50 },
    isOpen: { at: 'payload.phase', is: 'OPEN' },
    until: 'payload.review.expiresAt',
  },
  { key: 'decision-packs', query: { status: 'VALIDATED', limit: 50 }, until: 'payload.decisionBy' },
  {
    key: 'partner-preparations',
    query: { state: 'SUBMITTED', limit: 50 },
    until: 'payload.expiresAt',
  },
] as const

type Queue = (typeof queues)[number]

interface Waiting {
  readonly entry: FamilyEntry
  readonly item: Item
  readonly until: string
}

/** Packets, decision packs and partner preparations that await approval, most urgent first. */
export function Decisions() {
  const { organizationId } = usePlace()
  const titleOf = useTitle()
  const requested = useQueries({
    queries: queues.map((queue) => ({
      queryKey: [organizationId, queue.key, 'awaited'],
      queryFn: () => read<Item[]>(organizationId, `/${queue.key}`, queue.query),
      refetchInterval: 15_000,
    })),
  })
  const failed = requested.find(({ error }) => error)
  const isPending = requested.some((one) => one.isPending)
  const waiting = queues
    .flatMap((queue, index) => waitingOf(queue, requested[index]?.data ?? []))
    .sort((a, b) => a.until.localeCompare(b.until))
  return (
    <Panel title="Pending approvals">
      {failed ? (
        <Fault error={failed.error} onRetry={() => void failed.refetch()} />
      ) : isPending ? (
        <Skeleton lines={2} />
      ) : waiting.length === 0 ? (
        <p>No pending approvals.</p>
      ) : (
        <ul className={styles.lines}>
          {waiting.slice(0, 8).map(({ entry, item, until }) => (
            <li key={item.id}>
              <State of="OPEN" />
              <PageLink to={recordTarget(entry, String(item.id))}>{titleOf(entry, item)}</PageLink>
              <small>
                {entry.one}, due <Time at={until} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function waitingOf(queue: Queue, items: readonly Item[]): Waiting[] {
  const entry = familyOfKey(queue.key)
  if (!entry) return []
  return items.flatMap((item) => {
    const until = String(valueAt(item, queue.until) ?? '')
    const isOpen = 'isOpen' in queue ? valueAt(item, queue.isOpen.at) === queue.isOpen.is : true
    return isOpen && Date.parse(until) > Date.now() ? [{ entry, item, until }] : []
  })
}
