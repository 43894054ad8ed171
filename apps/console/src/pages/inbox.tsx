import { useQuery } from '@tanstack/react-query'
import { useMembership } from '../api/queries.ts'
import { type InboxItem, inboxQuery } from '../api/waiting.ts'
import { familyOfType } from '../declared/families.ts'
import { recordTarget } from '../declared/pages.ts'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toList, toRecord } from '../ui/page-link.tsx'
import { Panel, Skeleton, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

const verbs: Readonly<Record<InboxItem['kind'], string>> = {
  APPROVE: 'Approve',
  DECIDE: 'Decide',
  ACKNOWLEDGE: 'Acknowledge',
  IMPORT: 'Register the execution',
  EXPIRES: 'Renew',
  FAILED: 'Check the failed job',
}
const shownItems = 8

/** Action items of the user, the most urgent first. Alerts have another panel. */
export function InboxPanel() {
  const { organizationId } = useMembership()
  const inbox = useQuery(inboxQuery(organizationId))
  const items = inbox.data?.items.filter(({ kind }) => kind !== 'ACKNOWLEDGE') ?? []
  return (
    <Panel title="Waiting for you" note={items.length > 0 ? `${items.length}` : undefined}>
      {inbox.error ? (
        <Fault error={inbox.error} onRetry={() => void inbox.refetch()} />
      ) : !inbox.data ? (
        <Skeleton lines={2} />
      ) : items.length === 0 ? (
        <p>No open tasks.</p>
      ) : (
        <ul className={styles.lines}>
          {items.slice(0, shownItems).map((item) => (
            <li key={`${item.kind} ${item.alertId ?? item.subject.id}`}>
              <State of={item.severity} />
              <span>
                {verbs[item.kind]}: <ItemLink item={item} />
              </span>
              {item.dueAt === null ? null : (
                <small>
                  due <Time at={item.dueAt} />
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function ItemLink({ item: { kind, title, subject, alertId } }: { item: InboxItem }) {
  if (kind === 'FAILED') return <PageLink to={toList('jobs')}>{title}</PageLink>
  if (alertId !== null) return <PageLink to={toRecord('alerts', alertId)}>{title}</PageLink>
  const entry = familyOfType(subject.resourceType)
  return entry ? <PageLink to={recordTarget(entry, subject.id)}>{title}</PageLink> : title
}
