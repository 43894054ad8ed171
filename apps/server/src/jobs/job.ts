import type { OperatingSystemJob } from '@liquidity-os/contract'
import { integerOf, optionalTextOf, type Row, textOf } from '../store/database/row.ts'

/** A job as the contract shows it to readers, from its row. */
export function jobOf(row: Row): OperatingSystemJob {
  const job = operatorJobOf(row)
  const { error } = job
  if (!error?.details) return job
  return {
    ...job,
    error: { ...error, details: { ...error.details, host: null, providerText: null } },
  }
}

/** A job as the contract shows it to a caller with `operate`: with host and text of a provider. */
export function operatorJobOf(row: Row): OperatingSystemJob {
  const time = (column: string) => new Date(integerOf(row, column)).toISOString()
  const result = optionalTextOf(row, 'result')
  const error = optionalTextOf(row, 'error')
  const waiting = optionalTextOf(row, 'waiting')
  const preliminary = optionalTextOf(row, 'preliminary')
  return {
    id: textOf(row, 'id'),
    kind: textOf(row, 'kind'),
    status: textOf(row, 'status') as OperatingSystemJob['status'],
    subject: JSON.parse(textOf(row, 'subject')),
    progressPips: integerOf(row, 'progress_pips'),
    attempts: integerOf(row, 'attempts') - integerOf(row, 'waits'),
    ...(waiting === null ? {} : { waiting: JSON.parse(waiting) }),
    ...(preliminary === null ? {} : { preliminary: JSON.parse(preliminary) }),
    ...(result === null ? {} : { result: JSON.parse(result) }),
    ...(error === null ? {} : { error: JSON.parse(error) }),
    createdAt: time('created_at'),
    ...(optionalTextOf(row, 'started_at') === null ? {} : { startedAt: time('started_at') }),
    ...(optionalTextOf(row, 'finished_at') === null ? {} : { finishedAt: time('finished_at') }),
  }
}

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
