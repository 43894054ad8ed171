import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { dayMilliseconds } from '../../../units.ts'
import { launchPlans } from './records.ts'
import { readTimeline } from './timeline/read-timeline.ts'

export const pictures: PictureFamily = {
  operationId: 'getLaunchPlans',
  read: async ({ id, records, services }) => {
    const current = await launchPlans.current(records, id)
    if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    // Rounded to the day, so that the chart can be cached. All other data is stored in records.
    const today = Math.floor(records.now / dayMilliseconds) * dayMilliseconds
    return {
      plan: current.record.payload,
      timeline: await readTimeline(records, services, id, today),
    }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
