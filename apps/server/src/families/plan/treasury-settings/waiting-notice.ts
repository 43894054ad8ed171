import type { Actor } from '@liquidity-os/evidence'
import { listMembers, type Member } from '../../../access/administration.ts'
import { MailError } from '../../../integrations/mail/mail-error.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import type { WaitingChange } from '../../../market/treasury/waiting-change.ts'
import { emptyChange } from '../../../store/records/change.ts'

type Reader = Pick<Member, 'userId' | 'email'>

export interface Mail {
  readonly subject: string
  readonly text: string
}

/** Email texts for a kind of change. */
export interface ChangeNames {
  /** Email subject for a pending change. */
  readonly requested: string
  /** Email subject for a change in effect. */
  readonly loosened: string
  /** Noun with its article. */
  readonly change: string
  /** How a member withdraws the change. */
  readonly withdrawal: string
}

export interface ChangeNotice {
  /** Event of the change. */
  readonly what: string
  readonly by: Actor
  readonly about: WaitingChange
  readonly reason: string
}

/** Email about a change that weakens protection. */
export function noticeOfChange(
  names: ChangeNames,
  { what, by, about, reason }: ChangeNotice,
  {
    effects,
    members,
  }: { readonly effects: readonly string[]; readonly members: readonly Reader[] },
): Mail {
  const nameOf = ({ id }: Actor) =>
    members.find(({ userId }) => userId === id)?.email ?? 'A former member'
  const asker = nameOf(about.requestedBy)
  const isConfirmed = by.kind !== 'SYSTEM'
  const people = { asker, author: nameOf(by), isConfirmed }
  const { subject, lines: stated } = wordsOf(names, what, about, people)
  const listed = effects.map((effect) => `- ${effect}`)
  return {
    subject,
    text: [...stated, '', 'Change:', ...listed, '', `Reason: ${reason}`].join('\n'),
  }
}

function wordsOf(
  { requested, loosened, change, withdrawal }: ChangeNames,
  what: string,
  about: WaitingChange,
  { asker, author, isConfirmed }: { asker: string; author: string; isConfirmed: boolean },
): { subject: string; lines: string[] } {
  const named = `${change.charAt(0).toUpperCase()}${change.slice(1)}`
  switch (what) {
    case 'loosening_requested':
      return {
        subject: requested,
        lines: [
          `${asker} requested ${change}.`,
          about.effectiveAt === null
            ? `It takes effect if another owner confirms it before ${about.expiresAt}.`
            : `No other owner exists, so it takes effect at ${about.effectiveAt} unless it is withdrawn.`,
          withdrawal,
        ],
      }
    case 'loosened':
      return {
        subject: loosened,
        lines: [
          isConfirmed
            ? `${author} confirmed the change that ${asker} requested.`
            : `The change that ${asker} requested took effect at ${about.effectiveAt}.`,
        ],
      }
    case 'loosening_expired':
      return {
        subject: `${named} has expired`,
        lines: [
          `No other owner confirmed the request of ${asker} in time. It did not take effect.`,
        ],
      }
    default:
      return {
        subject: `${named} was withdrawn`,
        lines: [`${author} withdrew the request of ${asker}. It does not take effect.`],
      }
  }
}

/** Emails all members. Retries while an address fails. */
export async function mailMembers(
  { services, records, organizationId, jobId }: JobRun,
  mailTo: (members: readonly Member[]) => Mail,
): Promise<JobEnd> {
  const members = await listMembers(services.database, organizationId)
  const { subject, text } = mailTo(members)
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
    const failures = failed.map(({ userId, code }) => `${userId}: ${code}`).join('; ')
    throw new JobFailure('LIQUIDITY_NOTICE_NOT_MAILED', failures, { retryable: true })
  }
  return {
    change: emptyChange(organizationId, records.now),
    result: { mailed: members.length },
  }
}
