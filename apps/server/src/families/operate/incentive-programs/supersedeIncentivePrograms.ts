import { contract } from '@liquidity-os/contract'
import { programs } from './records.ts'

const notice =
  'Revoked: tracking and advice have ended. Tokens that a distributor already holds are unaffected and may still be distributed.'

/** Ends the service's activity for a program; on-chain state is unaffected. */
export default programs.supersede(contract.supersedeIncentivePrograms, {
  to: 'REVOKED',
  requires: ({ body, fail }) => {
    if (body.payload === undefined) return
    throw fail('LIQUIDITY_INCENTIVE_PAYLOAD_REFUSED', {
      fieldErrors: { payload: ['must be omitted'] },
    })
  },
  decide: (_request, { payload }) => ({
    payload: { ...payload, notice },
    event: 'incentive.revoked',
    eventPayload: { notice },
  }),
})
