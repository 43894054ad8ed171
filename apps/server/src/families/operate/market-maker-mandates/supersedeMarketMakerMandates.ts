import { contract } from '@liquidity-os/contract'
import { mandates } from './records.ts'
import { requireLoan, requireTerms } from './require-terms.ts'

/** Terms that were never binding can change freely. */
export default mandates.supersede(contract.supersedeMarketMakerMandates, {
  requires: ({ body, fail }) => {
    if (body.payload !== undefined || body.status !== undefined) return
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: { payload: ['must set payload or status, got neither'] },
    })
  },
  decide: async ({ body, records }, before, to) => {
    const isBinding = before.status !== 'DRAFT'
    const payload = body.payload ?? before.payload
    if (body.payload) await requireTerms(records, payload, { terms: before.payload, isBinding })
    const { loan } = payload.compensation
    const begins = to === 'ACTIVE' && before.status !== 'ACTIVE'
    if (begins && loan && !body.payload) await requireLoan(records, payload, loan, 'CURRENT')
    return {
      payload,
      event: 'mandate.superseded',
      eventPayload: { from: before.status, hasOtherTerms: body.payload !== undefined },
    }
  },
})
