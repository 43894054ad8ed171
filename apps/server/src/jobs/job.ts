import type { OperatingSystemJob } from '@liquidity-os/contract'
import type { Row } from '../store/database/row.ts'

/** A job as the contract shows it, from its row. */
export function jobOf(row: Row): OperatingSystemJob {
  const time = (value: string | null | undefined) => new Date(Number(value)).toISOString()
  return {
    id: row.id ?? '',
    kind: row.kind ?? '',
    status: row.status as OperatingSystemJob['status'],
    subject: JSON.parse(row.subject ?? '{}'),
    progressPips: Number(row.progress_pips),
    attempts: Number(row.attempts),
    ...(row.result ? { result: JSON.parse(row.result) } : {}),
    ...(row.error ? { error: JSON.parse(row.error) } : {}),
    createdAt: time(row.created_at),
    ...(row.started_at ? { startedAt: time(row.started_at) } : {}),
    ...(row.finished_at ? { finishedAt: time(row.finished_at) } : {}),
  }
}

/** A job as it is answered when it has just been queued. */
export function queuedJob(
  job: { id: string; kind: string; subject: OperatingSystemJob['subject'] },
  now: number,
): OperatingSystemJob {
  return {
    id: job.id,
    kind: job.kind,
    status: 'QUEUED',
    subject: job.subject,
    progressPips: 0,
    attempts: 0,
    createdAt: new Date(now).toISOString(),
  }
}
