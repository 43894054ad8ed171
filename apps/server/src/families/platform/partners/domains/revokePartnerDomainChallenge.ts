import { contract } from '@liquidity-os/contract'
import { joinChanges } from '../../../../store/records/change.ts'
import { recordReply } from '../../../record-reply.ts'
import { domains } from '../records.ts'
import { pausePartnerOf } from '../tenants/pause.ts'
import { freeHost } from './host-binding.ts'

export default domains.supersede(contract.revokePartnerDomainChallenge, {
  to: 'REVOKED',
  decide: ({ records, body }, { id, status, payload }) => ({
    payload: { ...payload, binding: null },
    event: 'partner_domain.revoked',
    eventPayload: { host: payload.host },
    complete: async (sealed, change) => {
      const isBound = status === 'ACTIVE'
      const paused = isBound ? await pausePartnerOf(records, payload.host, body.reason) : null
      const joined = paused ? joinChanges(change, paused) : change
      return recordReply(sealed, { ...joined, statements: [freeHost(id)] })
    },
  }),
})
