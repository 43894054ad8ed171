import { contract } from '@liquidity-os/contract'
import { recordReply } from '../../../record-reply.ts'
import { withOpenWorkEnded } from '../preparations/end-open-work.ts'
import { consents } from '../records.ts'
import { closeGrant } from './grant-row.ts'
import { notifyPartner } from './notify-partner.ts'

export default consents.supersede(contract.revokePartnerConsent, {
  to: 'REVOKED',
  admit: ({ now, fail }, { payload }) => {
    // It may have expired before the sweep recorded it.
    if (Date.parse(payload.expiresAt) <= now) throw fail('LIQUIDITY_PARTNER_CONSENT_TERMINAL')
  },
  decide: ({ body, records, services, organizationId, now }, before) => ({
    payload: {
      ...before.payload,
      ended: { at: new Date(now).toISOString(), because: body.reason },
    },
    event: 'partner_consent.revoked',
    eventPayload: { partnerId: before.payload.partnerId },
    complete: async (sealed, change) => {
      const partnerChanges = await notifyPartner(services, organizationId, before.id, {
        consent: before.payload,
        kind: 'partner_consent.revoked',
      })
      const statements = [closeGrant(organizationId, before.id, now)]
      const closing = { ...change, statements, otherTenants: partnerChanges }
      return recordReply(sealed, await withOpenWorkEnded(services, records, closing, before))
    },
  }),
})
