import type { Schedule } from '../../../../family-parts.ts'
import { queueRun } from '../../../../jobs/queue-run.ts'
import { sql } from '../../../../store/database/sql.ts'
import { domains } from '../records.ts'

/** Rechecks every bound domain periodically, because the loss of a host must end its brand. */
export const domainCheck: Schedule = {
  task: 'PARTNER_DOMAIN_CHECK',
  type: 'PartnerDomainChallenge',
  activeStatus: 'ACTIVE',
  inactiveStatuses: ['DRAFT', 'VALIDATED', 'PAUSED'],
  everySeconds: (_, { partnerDomainSeconds }) => partnerDomainSeconds,
  refreshes: sql`true`,
  queue: async (records, challengeId) => {
    const current = await domains.current(records, challengeId)
    if (current?.record.status !== 'ACTIVE') return null
    return queueRun(records, 'PARTNER_DOMAIN_CHECK', current.record)
  },
}
