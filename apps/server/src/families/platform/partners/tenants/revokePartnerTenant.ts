import { contract } from '@liquidity-os/contract'
import { recordReply } from '../../../record-reply.ts'
import { changesOfConsents } from '../consents/follow-partner.ts'
import { partners } from '../records.ts'
import { hideBrand } from './brand-row.ts'

export default partners.supersede(contract.revokePartnerTenant, {
  to: 'REVOKED',
  decide: ({ records, services }, { id, payload }) => ({
    payload,
    event: 'partner.revoked',
    eventPayload: { host: payload.host },
    complete: async (sealed, change) =>
      recordReply(sealed, {
        ...change,
        statements: [hideBrand(id)],
        otherTenants: await changesOfConsents(services, records, id, () => 'REVOKED'),
      }),
  }),
})
