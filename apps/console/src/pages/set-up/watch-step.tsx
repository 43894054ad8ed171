import { queryOptions, useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/changes.ts'
import { useMembership, venuesQuery } from '../../api/queries.ts'
import type { Job } from '../../api/records.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { jobWaitText } from '../../fields/job-wait.ts'
import { durationOf } from '../../fields/numbers.ts'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toPage } from '../../ui/page-link.tsx'
import { Progress, Skeleton } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'

import { reason } from './responses.ts'

export const isRunning = ({ status }: Job) => status === 'QUEUED' || status === 'RUNNING'

/** Index jobs, newest first. Refetched while one runs. */
export const indexJobsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'jobs', 'index'],
    queryFn: () => read<Job[]>(organizationId, '/jobs', { kind: 'VENUE_INDEX', limit: 100 }),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? 1_000 : false),
  })

/** The newest index job of a venue. */
export const jobOf = (jobs: readonly Job[], venueId: string): Job | undefined =>
  jobs.find(({ subject }) => subject.id === venueId)

/** Progress of the first index of each venue. */
export function WatchStep({ venueIds }: { venueIds: readonly string[] }) {
  const { organizationId } = useMembership()
  const jobs = useQuery(indexJobsQuery(organizationId))
  const fault = jobs.error ? <Fault error={jobs.error} onRetry={() => void jobs.refetch()} /> : null
  if (!jobs.data) return fault ?? <Skeleton lines={2} />
  return (
    <>
      {fault}
      <ul className={styles.lines}>
        {venueIds.map((id) => (
          <IndexedVenue key={id} venueId={id} job={jobOf(jobs.data, id)} />
        ))}
      </ul>
    </>
  )
}

function IndexedVenue({ venueId, job }: { venueId: string; job: Job | undefined }) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const venues = useQuery(venuesQuery(organizationId))
  const name = venues.data?.find(({ id }) => id === venueId)?.payload.name ?? 'Market'
  const index = () =>
    void change(async () => {
      await post({
        path: `/venues/${venueId}/index-jobs`,
        body: { payload: { mode: 'FULL' }, reason },
      })
    })
  return (
    <li>
      <State of={job?.status ?? 'QUEUED'} />
      <span>
        <strong>{name}</strong>
        <br />
        <span role="status">{progressText(job)}</span>
        {job && isRunning(job) ? (
          <Progress pips={job.progressPips} label={`First index of ${name}`} />
        ) : null}
        {fault === null ? null : <Fault error={fault} />}
      </span>
      {job?.status === 'COMPLETED' ? (
        <PageLink to={toPage(`venues/${venueId}`)}>View market</PageLink>
      ) : job?.status === 'FAILED' || job === undefined ? (
        <ChangeButton
          isSmall
          disabledReason={
            permissionReason(role, 'prepare') ?? (isSending ? 'Queuing the job.' : null)
          }
          onClick={index}
        >
          {job === undefined ? 'Index market' : 'Index again'}
        </ChangeButton>
      ) : null}
    </li>
  )
}

function progressText(job: Job | undefined): string {
  if (job === undefined) return 'Not indexed yet.'
  if (job.status === 'COMPLETED') return 'Replay verified every event from the first block.'
  if (!isRunning(job)) return job.error?.message ?? 'The index did not complete.'
  const wait = jobWaitText(job)
  if (wait !== null) return `${wait}. You can leave this page.`
  const percent = Math.floor(job.progressPips / 10_000)
  const remaining = secondsLeft(job, Date.now())
  return `Indexing events… ${percent} %${remaining === null ? '' : ` (${durationOf(remaining)} left)`}. You can leave this page.`
}

/** Remaining time at the speed so far; null at the start. */
function secondsLeft({ startedAt, progressPips }: Job, now: number): number | null {
  if (startedAt === undefined || progressPips < 50_000) return null
  const elapsed = (now - Date.parse(startedAt)) / 1000
  if (elapsed < 5) return null
  return Math.ceil((elapsed * (1_000_000 - progressPips)) / progressPips)
}
