import type { contract } from '@liquidity-os/contract'
import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import type { DrawnPlan } from './drawn-plan.ts'
import { transitionsOf } from './legs/leg-chain.ts'
import { executionPlans } from './records.ts'

export const pictures: PictureFamily = {
  operationId: 'getProtectedExecutionPlanState',
  read: async ({ id, records }): Promise<DrawnPlan> => {
    const current = await executionPlans.current(records, id)
    if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { payload } = current.record
    const { id: setId, resourceVersion } = payload.quoteSet
    const set = await records.version<contract.QuoteSet>('QuoteSet', setId, resourceVersion)
    const events = await records.events(id)
    return {
      plan: payload,
      set: set?.record.payload ?? null,
      beads: transitionsOf(events).map(({ legIndex, to, transitionHash }) => ({
        legIndex,
        to,
        hash: transitionHash,
      })),
    }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
