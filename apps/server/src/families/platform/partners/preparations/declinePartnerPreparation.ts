import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { recordReply } from '../../../record-reply.ts'
import { requireOpen } from './open-preparation.ts'
import { settled } from './settle.ts'

export default handle(
  contract.declinePartnerPreparation,
  async ({ params, body, records, services }): Promise<Outcome> => {
    const current = await requireOpen(records, params.eventId)
    const { sealed, change } = await settled(services, records, current, {
      state: 'DECLINED',
      because: body.reason,
      proposal: null,
      visibleReason: body.visibleReason ?? null,
    })
    return recordReply(sealed, change)
  },
)
