import { type Ending, endOverdue, overdueNames, sweepOverdue } from '../../../../jobs/overdue.ts'
import type { RecordReading, RecordSweeping } from '../../../../services.ts'
import { consentDue, consents } from '../records.ts'
import { ended } from './follow-partner.ts'
import { notifyPartner } from './notify-partner.ts'

/**
 * Records expired consents and notifies their partners. Readers compare with the clock, so expiry
 * does not depend on this sweep.
 */
export const expireConsents = (services: RecordSweeping): Promise<void> =>
  sweepOverdue(services, expiryOf(services))

/** Does the same immediately for the consents of one organization. */
export const expireConsentsOf = (services: RecordSweeping, organizationId: string): Promise<void> =>
  endOverdue(services, [organizationId], expiryOf(services))

const expiryOf = (services: RecordReading): Ending => ({
  actor: 'partner-consent-expiry',
  overdue: overdueNames(consentDue),
  end: async (records, id) => {
    const current = await consents.current(records, id)
    if (!current) throw new Error(`Partner consent ${id} does not exist.`)
    const { status, payload } = current.record
    const isActive = status === 'ACTIVE' || status === 'PAUSED'
    if (!isActive || Date.parse(payload.expiresAt) > records.now) return null
    const end = { status: 'EXPIRED', because: 'Expired' } as const
    const change = await ended(services, records, current, {
      ...end,
      event: 'partner_consent.expired',
    })
    const partnerChanges = await notifyPartner(services, records.organizationId, id, {
      consent: payload,
      kind: 'partner_consent.expired',
    })
    return { ...change, otherTenants: [...change.otherTenants, ...partnerChanges] }
  },
})
