import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { noticeOf, type SettingsNotice } from './settings-notice.ts'
import { mailMembers } from './waiting-notice.ts'

/** Mails every member that a protective setting protects less, or is asked to. */
export default function tellMembers(run: JobRun): Promise<JobEnd> {
  return mailMembers(run, (members) => noticeOf(run.input as unknown as SettingsNotice, members))
}
