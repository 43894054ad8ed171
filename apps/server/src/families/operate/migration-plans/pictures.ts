import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import type { DrawnMigration } from './charts.ts'
import { historyOf } from './plan-events.ts'
import { nothingOpen, planStateOf } from './plan-state.ts'

export const pictures: PictureFamily = {
  operationId: 'getMigrationPlanState',
  read: async ({ id, records }): Promise<DrawnMigration> => {
    const current = await records.current<DrawnMigration['plan']>('MigrationPlan', id)
    if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { record } = current
    return {
      plan: record.payload,
      state: planStateOf(record, await historyOf(records, id), nothingOpen),
    }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
