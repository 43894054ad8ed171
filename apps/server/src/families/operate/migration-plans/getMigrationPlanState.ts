import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { historyOf } from './plan-events.ts'
import { planStateOf } from './plan-state.ts'

export default handle(contract.getMigrationPlanState, async (request): Promise<Outcome> => {
  const { params, records, fail } = request
  const current = await records.current('MigrationPlan', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  return { data: planStateOf(current.record, await historyOf(records, params.id)) }
})
