import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { planStateOf } from './legs/plan-state.ts'
import { executionPlans } from './records.ts'

export default handle(
  contract.getProtectedExecutionPlanState,
  async ({ params, records, actor, now, fail }): Promise<Outcome> => {
    const current = await executionPlans.current(records, params.id)
    if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const events = await records.events(params.id)
    const mayOperate = actor.permissions.has('operate')
    return { data: planStateOf(current.record, events, { now, mayOperate }) }
  },
)
