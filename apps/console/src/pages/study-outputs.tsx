import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../api/changes.ts'
import { useMembership } from '../api/queries.ts'
import type { Item, Job } from '../api/records.ts'
import { read } from '../api/send.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import { index } from '../declared/families.ts'
import { ChangeButton } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Copied, Panel, Progress, Skeleton, Time } from '../ui/parts.tsx'
import { bytesText } from './bytes-text.ts'
import styles from './pages.module.css'
import { type ShareLink, ShareLinkList } from './share-links.tsx'

type ReportJob = Job & { result?: contract.StudyReportJobResult }

/** Formats for readers first; the signed JSON is for programs. */
const formats: readonly { format: string; label: string }[] = [
  { format: 'pdf', label: 'PDF' },
  { format: 'html', label: 'Web page' },
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
  { format: 'json', label: 'Signed JSON' },
]

/** Signed report files and public links of a study. */
export function StudyOutputs({ item }: { item: Item }) {
  return (
    <div className={styles.two}>
      <Reports studyId={String(item.id)} />
      <ShareLinks studyId={String(item.id)} />
    </div>
  )
}

const isOpen = ({ status }: Job) => status === 'QUEUED' || status === 'RUNNING'

function Reports({ studyId }: { studyId: string }) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const jobs = useQuery({
    queryKey: [organizationId, 'report-jobs', studyId],
    queryFn: () =>
      read<ReportJob[]>(organizationId, `/studies/${studyId}/report-jobs`, { limit: 20 }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 1_000 : false),
  })
  const [newest] = jobs.data ?? []
  const isRunning = newest !== undefined && isOpen(newest)
  const create = () =>
    void change(async () => {
      await post<Job>({
        path: `/studies/${studyId}/reports`,
        body: { payload: {}, reason: 'Report from the console' },
      })
    })
  return (
    <Panel
      title="Report"
      actions={
        <ChangeButton
          look="primary"
          isSmall
          icon="download"
          disabledReason={
            permissionReason(role, 'simulate') ??
            (isSending || isRunning ? 'The report is being created.' : null)
          }
          onClick={create}
        >
          {newest ? 'Create again' : 'Create report'}
        </ChangeButton>
      }
    >
      {jobs.error ? <Fault error={jobs.error} onRetry={() => void jobs.refetch()} /> : null}
      {fault === null ? null : <Fault error={fault} />}
      {!jobs.data ? (
        <Skeleton lines={2} />
      ) : newest === undefined ? (
        <p>
          PDF, web page, Excel and CSV with verdict, charts and sources, signed by this service.
        </p>
      ) : (
        <ReportFiles studyId={studyId} job={newest} />
      )}
    </Panel>
  )
}

function ReportFiles({ studyId, job }: { studyId: string; job: ReportJob }) {
  const { organizationId } = useMembership()
  if (isOpen(job)) {
    return (
      <>
        <p role="status">Creating the report…</p>
        <Progress pips={job.progressPips} label="Report" />
      </>
    )
  }
  const { result } = job
  if (job.status !== 'COMPLETED' || result === undefined) {
    return <p role="alert">The report failed. {job.error?.message ?? ''}</p>
  }
  const path = `${index.basePath}/studies/${studyId}/reports/${result.contentHash}`
  const files = formats.flatMap(({ format, label }) => {
    const artifact = result.artifacts.find((one) => one.format === format)
    return artifact ? [{ format, label, bytes: artifact.byteLength }] : []
  })
  return (
    <>
      <ul className={styles.lines} aria-label="Report files">
        {files.map(({ format, label, bytes }) => {
          const href = `${path}/${format}?organization=${encodeURIComponent(organizationId)}`
          return (
            <li key={format}>
              <a href={href} target="_blank" rel="noreferrer">
                {label}
              </a>
              <small>{bytesText(bytes)}</small>
              <Copied
                text={`${window.location.origin}${href}`}
                shown="Copy link"
                label={`${label}:`}
              />
            </li>
          )
        })}
      </ul>
      <p className={styles.foot}>
        Created <Time at={job.finishedAt ?? job.createdAt} />. Signed with key {result.keyId}. Links
        work for signed-in members. <a href="/docs/reports">How to check the signature</a>
      </p>
    </>
  )
}

type Share = ShareLink & { readonly payload: contract.StudyShare }

/** Optional contents of a shared study, with their labels. */
const disclosures = [
  ['showOrganization', 'Organization name'],
  ['showAmounts', 'Amounts in tokens'],
  ['showVenueAddress', 'Venue, chain and blocks'],
  ['showStrategyParameters', 'Positions and price ranges'],
  ['showAssumptions', 'Assumptions'],
] as const

function ShareLinks({ studyId }: { studyId: string }) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const shares = useQuery({
    queryKey: [organizationId, 'study-shares', 'of', studyId],
    queryFn: () =>
      read<Share[]>(organizationId, '/study-shares', {
        subject: studyId,
        status: 'ACTIVE',
        limit: 20,
      }),
  })
  const [shown, setShown] = useState<ReadonlySet<string>>(
    new Set(['showOrganization', 'showVenueAddress', 'showStrategyParameters', 'showAssumptions']),
  )
  const share = () =>
    void change(async () => {
      const disclosure = Object.fromEntries(disclosures.map(([name]) => [name, shown.has(name)]))
      await post<Share>({
        path: `/studies/${studyId}/share-links`,
        body: { payload: { disclosure }, reason: 'Shared from the console' },
      })
    })
  const revoke = ({ id, resourceVersion }: Share) =>
    void change(async () => {
      await post<Share>({
        path: `/study-shares/${id}/revoke`,
        body: { payload: { resourceVersion }, reason: 'Revoked from the console' },
      })
    })
  const toggle = (name: string) =>
    setShown((before) => {
      const next = new Set(before)
      if (!next.delete(name)) next.add(name)
      return next
    })
  const disabledReason = permissionReason(role, 'simulate') ?? (isSending ? 'Saving…' : null)
  return (
    <Panel
      title="Public link"
      actions={
        <ChangeButton isSmall icon="share-2" disabledReason={disabledReason} onClick={share}>
          Create link
        </ChangeButton>
      }
    >
      {shares.error ? <Fault error={shares.error} onRetry={() => void shares.refetch()} /> : null}
      {fault === null ? null : <Fault error={fault} />}
      {shares.data?.length ? (
        <ShareLinkList shares={shares.data} disabledReason={disabledReason} onRevoke={revoke} />
      ) : null}
      <p>Anyone with a link can read the study without signing in. New links work for 30 days.</p>
      <fieldset className={styles.choices}>
        <legend>A new link shows</legend>
        {disclosures.map(([name, label]) => (
          <label key={name}>
            <input type="checkbox" checked={shown.has(name)} onChange={() => toggle(name)} />
            {label}
          </label>
        ))}
      </fieldset>
    </Panel>
  )
}
