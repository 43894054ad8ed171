import { useQuery } from '@tanstack/react-query'
import { useMembership } from '../../api/queries.ts'
import type { Job } from '../../api/records.ts'
import { read } from '../../api/send.ts'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toPage, toRecord } from '../../ui/page-link.tsx'
import { Panel, Progress, Skeleton } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'

/** The progress of the first index of a venue, and the next step. */
export function WatchStep({ venueId, jobId }: { venueId: string; jobId: string }) {
  const { organizationId } = useMembership()
  const job = useQuery({
    queryKey: [organizationId, 'jobs', jobId],
    queryFn: () =>
      read<Job[]>(organizationId, '/jobs', { limit: 50 }).then(
        (jobs) => jobs.find(({ id }) => id === jobId) ?? null,
      ),
    enabled: jobId !== '',
    refetchInterval: ({ state }) =>
      state.data && ['QUEUED', 'RUNNING'].includes(state.data.status) ? 1_000 : false,
  })
  return (
    <Panel title="3. First index">
      {job.error ? <Fault error={job.error} onRetry={() => void job.refetch()} /> : null}
      {job.data ? (
        <>
          <p role="status">
            <State of={job.data.status} />{' '}
            {job.data.status === 'COMPLETED'
              ? 'Replay verified every event from the first block.'
              : job.data.status === 'FAILED'
                ? job.data.error?.message
                : 'Indexing events… You can leave this page.'}
          </p>
          <Progress pips={job.data.progressPips} label="First index" />
        </>
      ) : (
        <Skeleton lines={2} />
      )}
      <p className={styles.actions}>
        <PageLink to={toRecord('venues', venueId)}>View venue</PageLink>
        {job.data?.status === 'COMPLETED' ? (
          <PageLink to={toPage(`venues/${venueId}`)}>View market</PageLink>
        ) : null}
        <PageLink to={toPage('studies/new', { venue: venueId })}>Backtest ranges</PageLink>
      </p>
    </Panel>
  )
}
