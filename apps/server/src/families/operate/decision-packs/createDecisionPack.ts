import { contract } from '@liquidity-os/contract'
import { boundPack } from './bind-pack.ts'
import { decisionPacks } from './records.ts'

export default decisionPacks.create(
  contract.createDecisionPack,
  async ({ body: { payload: input }, actor, records }) => {
    const payload = await boundPack(records, input, {
      origin: 'MANUAL',
      dissent: [],
      authors: [actor.userId],
      moved: [],
    })
    return {
      payload,
      event: 'decision_pack.created',
      eventPayload: { origin: payload.origin, sealHash: payload.sealHash },
    }
  },
)
