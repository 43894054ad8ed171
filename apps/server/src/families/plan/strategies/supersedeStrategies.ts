import { contract } from '@liquidity-os/contract'
import { openAdmissions } from './admissions.ts'
import { compile } from './compile.ts'
import { withExpirations } from './lapses.ts'
import { strategies } from './records.ts'

export default strategies.supersede(contract.supersedeStrategies, {
  // A changed definition needs a new validation, because the old one covered the previous
  // definition.
  to: ({ body }, before) => body.status ?? (body.payload ? 'DRAFT' : before.status),
  decide: async (request, before, to) => {
    const { params, body, records, now, fail } = request
    const definition = body.payload ?? before.payload.definition
    const isEvaluated = body.payload !== undefined || to === 'VALIDATED'
    const compilation = isEvaluated
      ? await compile(records, definition)
      : before.payload.compilation
    if (to === 'VALIDATED' && !compilation.ok) throw fail('LIQUIDITY_STRATEGY_NOT_COMPILED')
    return {
      payload: { ...before.payload, definition, compilation },
      event: isEvaluated ? 'strategy.compiled' : `strategy.${to.toLowerCase()}`,
      eventPayload: { irHash: compilation.irHash },
      complete: async ({ record, resourceVersion }, change) => {
        const context = { resourceVersion, packageRevoked: false, now }
        const open = await openAdmissions(records, params.id, context)
        return {
          data: { strategy: record, compilation, compilationEvidence: change.events[0]?.event },
          etag: resourceVersion,
          change: withExpirations(records, change, record, open),
        }
      },
    }
  },
})
