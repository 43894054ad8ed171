import { type Ending, endOverdue, overdueNames, sweepOverdue } from '../../../../jobs/overdue.ts'
import type { RecordReading, RecordSweeping } from '../../../../services.ts'
import { consentDue, consents } from '../records.ts'
import { ended } from './follow-partner.ts'
import { tellPartner } from './tell-partner.ts'

/** Writes down that the time of consents is over, and tells their partners. They count no more from that moment on. */
export const expireConsents = (services: RecordSweeping): Promise<void> =>
  sweepOverdue(services, expiryOf(services))

/** The same at once of what one organization has granted. */
export const expireConsentsOf = (services: RecordSweeping, organizationId: string): Promise<void> =>
  endOverdue(services, [organizationId], expiryOf(services))

const expiryOf = (services: RecordReading): Ending => ({
  actor: 'partner-consent-expiry',
  overdue: overdueNames(consentDue),
  end: async (records, id) => {
    const current = await consents.current(records, id)
    if (!current) throw new Error(`There is no partner consent ${id}.`)
    const { status, payload } = current.record
    const isStanding = status === 'ACTIVE' || status === 'PAUSED'
    if (!isStanding || Date.parse(payload.expiresAt) > records.now) return null
    const end = { status: 'EXPIRED', because: 'Its time is over' } as const
    const change = await ended(services, records, current, {
      ...end,
      event: 'partner_consent.expired',
    })
    const told = await tellPartner(services, records.organizationId, id, {
      consent: payload,
      kind: 'partner_consent.expired',
    })
    return { ...change, beside: [...change.beside, ...told] }
  },
})
