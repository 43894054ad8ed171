import { overdueNames } from '../../../jobs/overdue.ts'
import { custodyEvidence, evidenceDueName } from './records.ts'

/**
 * Records expired evidence. Readers compare with the clock, so expiry does not depend on this
 * sweep.
 */
export const expireCustodyEvidence = custodyEvidence.expiry({
  actor: 'custody-expiry',
  overdue: overdueNames(evidenceDueName),
  until: ({ statement }) => statement.expiresAt,
  event: 'treasury.custody.expired',
  eventDetails: ({ statement: { evidenceId, container } }) => ({ evidenceId, container }),
})
