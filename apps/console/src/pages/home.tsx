import { useQuery } from '@tanstack/react-query'
import { useMembership, workspaceQuery } from '../api/queries.ts'
import type { Alert, Job } from '../api/records.ts'
import { read } from '../api/send.ts'
import { families, familyOfType } from '../declared/families.ts'
import type { Target } from '../declared/pages.ts'
import { wordOf } from '../fields/meaning.ts'
import { RecordLink } from '../fields/value.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toList, toPage, toRecord } from '../ui/page-link.tsx'
import { Panel, Progress, Skeleton, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import { InboxPanel } from './inbox.tsx'
import { MarketTable } from './market-table.tsx'
import { OwnTokens } from './own-tokens.tsx'
import styles from './pages.module.css'
import { RunwayTile } from './runway.tsx'

export function Home() {
  const membership = useMembership()
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>{membership.organizationName}</h1>
          <p>Markets, treasury, alerts, approvals and next steps.</p>
        </div>
      </header>
      <MarketTable />
      <div className={styles.two}>
        <div className={styles.stack}>
          <OwnTokens />
          <NeedsYou />
          <InboxPanel />
          <Running />
        </div>
        <div className={styles.stack}>
          <RunwayTile />
          <Next />
        </div>
      </div>
    </>
  )
}

function NeedsYou() {
  const { organizationId } = useMembership()
  const alerts = useQuery({
    queryKey: [organizationId, 'alerts', 'open'],
    queryFn: () => read<Alert[]>(organizationId, '/alerts', { state: 'OPEN', limit: 8 }),
    refetchInterval: 15_000,
  })
  return (
    <Panel title="Open alerts">
      {alerts.error ? (
        <Fault error={alerts.error} onRetry={() => void alerts.refetch()} />
      ) : !alerts.data ? (
        <Skeleton lines={3} />
      ) : alerts.data.length === 0 ? (
        <p>No open alerts.</p>
      ) : (
        <ul className={styles.lines}>
          {alerts.data.map((alert) => (
            <li key={alert.id}>
              <State of={alert.severity} />
              <PageLink to={toRecord('alerts', alert.id)}>{alert.title}</PageLink>
              <small>
                {alert.acknowledged ? 'acknowledged, ' : ''}
                <Time at={alert.lastSeenAt} isAge />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Running() {
  const { organizationId } = useMembership()
  const jobs = useQuery({
    queryKey: [organizationId, 'jobs', 'latest'],
    queryFn: () => read<Job[]>(organizationId, '/jobs', { limit: 20 }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 2_000 : 15_000),
  })
  const open = jobs.data?.filter(isOpen) ?? []
  const failed = jobs.data?.filter(({ status }) => status === 'FAILED').slice(0, 3) ?? []
  return (
    <Panel title="Running jobs">
      {jobs.error ? (
        <Fault error={jobs.error} onRetry={() => void jobs.refetch()} />
      ) : !jobs.data ? (
        <Skeleton lines={2} />
      ) : open.length + failed.length === 0 ? (
        <p>
          No running jobs. <PageLink to={toList('jobs')}>View past jobs</PageLink>
        </p>
      ) : (
        <ul className={styles.lines}>
          {[...open, ...failed].map((job) => (
            <li key={job.id}>
              <State of={job.status} />
              <span>
                {wordOf(job.kind)} · <RecordLink id={job.subject.id} />
                {isOpen(job) ? (
                  <Progress pips={job.progressPips} label={wordOf(job.kind)} />
                ) : (
                  <small> {job.error?.message}</small>
                )}
              </span>
              <small>
                <Time at={job.createdAt} isAge />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const isOpen = ({ status }: Job) => status === 'RUNNING' || status === 'QUEUED'

/** Setup steps from an empty organization to a monitored market. Each links to its form. */
function Next() {
  const { organizationId } = useMembership()
  const workspace = useQuery(workspaceQuery(organizationId))
  if (workspace.error)
    return (
      <Panel title="Next steps">
        <Fault error={workspace.error} onRetry={() => void workspace.refetch()} />
      </Panel>
    )
  if (!workspace.data)
    return (
      <Panel title="Next steps">
        <Skeleton lines={3} />
      </Panel>
    )
  const { checklist, counts } = workspace.data
  const next = checklist.filter(({ done }) => !done)
  const done = checklist.length - next.length
  return (
    <Panel title="Next steps" note={`${done} of ${checklist.length} done`}>
      {next.length === 0 ? (
        <p>
          Setup complete.{' '}
          {Object.entries(counts)
            .filter(([, count]) => count > 0)
            .map(([type, count]) => `${count} ${familyOfType(type)?.many ?? type}`)
            .slice(0, 3)
            .join(', ')}
          .
        </p>
      ) : (
        <ul className={styles.lines}>
          {next.map((step) => (
            <li key={step.code}>
              <Icon name="circle-dashed" />
              <span>
                <PageLink to={stepTarget(step.operationId)}>{step.title}</PageLink>
                <br />
                <small>{step.why}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Setup steps that have a guided page. */
const guidedPages: Readonly<Record<string, string>> = {
  putOperatingSystemProvider: 'markets/new',
  createVenues: 'markets/new',
  queueVenueIndex: 'markets/new',
  createStudies: 'studies/new',
}

/** Guided page of a step, else the form of its create operation, else the list of its records. */
function stepTarget(operationId: string): Target {
  const guided = guidedPages[operationId]
  if (guided) return toPage(guided)
  const creating = families.find(({ createOperations }) => createOperations.includes(operationId))
  if (creating) return toList(creating.key, { form: operationId })
  const changing = families.find(({ itemOperations }) => itemOperations.includes(operationId))
  return changing ? toList(changing.key) : toPage('')
}
