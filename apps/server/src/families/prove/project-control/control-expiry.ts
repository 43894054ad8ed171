import { overdueNames } from '../../../jobs/overdue.ts'
import { challengeDue, controlChallenges, controlProofs, proofDue } from './records.ts'

const actor = 'project-control-expiry'

export const expireChallenges = controlChallenges.expiry({
  actor,
  overdue: overdueNames(challengeDue),
  until: ({ expiresAt }) => expiresAt,
  event: 'project_control.challenge.expired',
})

/** Writes down that a proof counts no more. */
export const expireProofs = controlProofs.expiry({
  actor,
  overdue: overdueNames(proofDue),
  until: ({ validUntil }) => validUntil,
  event: 'project_control.proof.expired',
  eventDetails: ({ validUntil }) => ({ validUntil }),
})
