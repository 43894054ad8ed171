import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import type { ProgramPayload } from './read-program.ts'

const notice =
  'Revoked: tracking and advice have ended. Tokens that a distributor already holds are not touched, and may still be handed out.'

/** Ends what we do about a program; what is on the chain stays there. */
export default handle(contract.supersedeIncentivePrograms, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, fail } = request
  if (body.payload !== undefined) {
    throw fail('LIQUIDITY_INCENTIVE_PAYLOAD_REFUSED', {
      fieldErrors: { payload: ['must be left out'] },
    })
  }
  const current = await records.reviewed<ProgramPayload>(
    'IncentiveProgram',
    params.id,
    precondition,
  )
  const { status, payload, evidenceHashes } = current.record
  if (status !== 'VALIDATED' && status !== 'ACTIVE') {
    throw fail('LIQUIDITY_INCENTIVE_TERMINAL', { fieldErrors: { id: [`is ${status}`] } })
  }
  const { sealed, change } = records.supersede<ProgramPayload>(current, {
    status: 'REVOKED',
    payload: { ...payload, notice },
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? evidenceHashes,
    event: 'incentive.revoked',
    eventPayload: { notice },
  })
  return recordReply(sealed, change)
})
