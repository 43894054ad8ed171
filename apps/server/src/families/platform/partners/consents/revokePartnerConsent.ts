import { contract } from '@liquidity-os/contract'
import { recordReply } from '../../../record-reply.ts'
import { consents } from '../records.ts'
import { closeGrant } from './grant-row.ts'
import { tellPartner } from './tell-partner.ts'

export default consents.supersede(contract.revokePartnerConsent, {
  to: 'REVOKED',
  admit: ({ now, fail }, { payload }) => {
    // Its time may be over before the sweep has said so.
    if (Date.parse(payload.expiresAt) <= now) throw fail('LIQUIDITY_PARTNER_CONSENT_TERMINAL')
  },
  decide: ({ body, services, organizationId, now }, { id, payload }) => ({
    payload: { ...payload, ended: { at: new Date(now).toISOString(), because: body.reason } },
    event: 'partner_consent.revoked',
    eventPayload: { partnerId: payload.partnerId },
    complete: async (sealed, change) =>
      recordReply(sealed, {
        ...change,
        statements: [closeGrant(organizationId, id, now)],
        beside: await tellPartner(services, organizationId, id, {
          consent: payload,
          kind: 'partner_consent.revoked',
        }),
      }),
  }),
})
