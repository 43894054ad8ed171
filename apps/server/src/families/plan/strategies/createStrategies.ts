import { contract } from '@liquidity-os/contract'
import { compile } from './compile.ts'
import { strategies } from './records.ts'

export default strategies.create(contract.createStrategies, async (request, status) => {
  const { body, records, fail } = request
  const compilation = await compile(records, body.payload)
  if (status === 'VALIDATED' && !compilation.ok) throw fail('LIQUIDITY_STRATEGY_NOT_COMPILED')
  return {
    payload: {
      definition: body.payload,
      compilation,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
    event: 'strategy.compiled',
    eventPayload: { irHash: compilation.irHash },
    answer: ({ record }) => ({ data: { strategy: record, compilation } }),
  }
})
