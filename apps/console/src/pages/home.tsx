import { useQuery } from '@tanstack/react-query'
import { useMembership, workspaceQuery } from '../api/queries.ts'
import type { Alert, Job } from '../api/records.ts'
import { read } from '../api/send.ts'
import { families, familyOfKey, familyOfType } from '../declared/families.ts'
import type { Target } from '../declared/pages.ts'
import { jobWaitText } from '../fields/job-wait.ts'
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
import { FirstRun } from './set-up/first-run.tsx'

const studyType = familyOfKey('studies')?.type ?? ''

/** Records that the first-run steps make or show themselves. */
const firstRunTypes = new Set([
  'Provider',
  'VenueProfile',
  'VenueObservation',
  'ScheduleSetting',
  'DeveloperCredential',
  'MarketQualityScore',
])

export function Home() {
  const { organizationId, organizationName } = useMembership()
  const workspace = useQuery(workspaceQuery(organizationId))
  const counts = workspace.data?.counts
  const isFirstRun = counts !== undefined && (counts[studyType] ?? 0) === 0
  const isInUse =
    counts !== undefined &&
    Object.entries(counts).some(([type, count]) => count > 0 && !firstRunTypes.has(type))
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>{organizationName}</h1>
          <p>
            {isFirstRun
              ? 'Four steps to your first study.'
              : 'Markets, treasury, alerts, approvals and next steps.'}
          </p>
        </div>
      </header>
      {workspace.error ? (
        <Fault error={workspace.error} onRetry={() => void workspace.refetch()} />
      ) : null}
      {counts ? (
        <div className={styles.stack}>
          {isFirstRun ? <FirstRun /> : null}
          {!isFirstRun || (counts.VenueObservation ?? 0) > 0 ? <MarketTable /> : null}
          {isInUse ? <Dashboard isFirstRun={isFirstRun} /> : null}
        </div>
      ) : workspace.error ? null : (
        <Skeleton lines={8} />
      )}
    </>
  )
}

function Dashboard({ isFirstRun }: { isFirstRun: boolean }) {
  return (
    <div className={styles.two}>
      <div className={styles.stack}>
        <OwnTokens />
        <NeedsYou />
        <InboxPanel />
        <Running />
      </div>
      <div className={styles.stack}>
        <RunwayTile />
        {isFirstRun ? null : <Next />}
      </div>
    </div>
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
                  <>
                    {jobWaitText(job) === null ? null : <small> {jobWaitText(job)}</small>}
                    <Progress pips={job.progressPips} label={wordOf(job.kind)} />
                  </>
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

/** Open setup steps. Each links to its page. */
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

/** Setup steps with a custom page. */
const guidedPages: Readonly<Record<string, string>> = {
  putOperatingSystemProvider: 'markets/new',
  createVenues: 'markets/new',
  queueVenueIndex: 'markets/new',
  createStudies: 'studies/new',
}

/** Custom page of a step, else the list of its records. */
function stepTarget(operationId: string): Target {
  const guided = guidedPages[operationId]
  if (guided) return toPage(guided)
  const family = families.find(
    ({ creates, changes }) => creates.includes(operationId) || changes.includes(operationId),
  )
  return family ? toList(family.key) : toPage('')
}
