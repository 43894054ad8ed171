import { overdueNames } from '../../../jobs/overdue.ts'
import { custodyEvidence, evidenceDueName } from './records.ts'

/** Writes down that evidence holds no longer; whoever reads it asks the clock and not the sweep. */
export const expireCustodyEvidence = custodyEvidence.expiry({
  actor: 'custody-expiry',
  overdue: overdueNames(evidenceDueName),
  until: ({ statement }) => statement.expiresAt,
  event: 'treasury.custody.expired',
  told: ({ statement: { evidenceId, container } }) => ({ evidenceId, container }),
})
