import { listMembers } from '../../../access/administration.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { MailError } from '../../../outside/mail/mail-error.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { noticeOf, type SettingsNotice } from './settings-notice.ts'

/** Mails every member that a protective setting protects less, or is asked to. Tried again while an address was not reached. */
export default async function tellMembers(run: JobRun): Promise<JobEnd> {
  const { services, records, organizationId, jobId } = run
  const members = await listMembers(services.database, organizationId)
  const { subject, text } = noticeOf(run.input as unknown as SettingsNotice, members)
  const mailer = await services.mailer()
  const failed: { readonly userId: string; readonly code: string }[] = []
  for (const { userId, email: to } of members) {
    try {
      await mailer.sendAlert({ to, messageId: `${jobId}-${userId}`, subject, text })
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      failed.push({ userId, code: error.code })
    }
  }
  if (failed.length > 0) {
    const told = failed.map(({ userId, code }) => `${userId}: ${code}`).join('; ')
    throw new JobFailure('LIQUIDITY_NOTICE_NOT_MAILED', told, { retryable: true })
  }
  return {
    change: emptyChange(organizationId, records.now),
    result: { mailed: members.length },
  }
}
