import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { compile, type StrategyPayload } from './compile.ts'

export default handle(contract.createStrategies, async (request): Promise<Outcome> => {
  const { body, actor, records, fail } = request
  const status = body.status ?? 'DRAFT'
  if (status === 'VALIDATED' && !actor.permissions.has('operate')) {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: { status: ['VALIDATED needs an operator; create the strategy as DRAFT'] },
    })
  }
  const compilation = await compile(records, body.payload)
  if (status === 'VALIDATED' && !compilation.ok) throw fail('LIQUIDITY_STRATEGY_NOT_COMPILED')
  const { sealed, change } = records.create('StrategyDefinitionV2', {
    status,
    payload: {
      definition: body.payload,
      compilation,
      executionPerformed: false,
      executionAuthorityGranted: false,
    } satisfies StrategyPayload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'strategy.compiled',
    eventPayload: { irHash: compilation.irHash },
  })
  return { data: { strategy: sealed.record, compilation }, change }
})
