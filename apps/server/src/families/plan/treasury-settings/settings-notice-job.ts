import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { noticeOf, type SettingsNotice } from './settings-notice.ts'
import { mailMembers } from './waiting-notice.ts'

/** Emails all members if a protective setting is loosened, or a request for it exists. */
export default function notifyMembers(run: JobRun): Promise<JobEnd> {
  return mailMembers(run, (members) => noticeOf(run.input as unknown as SettingsNotice, members))
}
