import type { contract } from '@liquidity-os/contract'
import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { seriesOf } from './read-task.ts'

/**
 * The charts of a study's report, for the current version and unsigned. The liquidity map is only
 * in the report, because it needs every event of the market.
 */
export const pictures: PictureFamily = {
  operationId: 'getStudies',
  read: async ({ id, records }) => {
    const study = await records.current<contract.SimulationStudy>('SimulationStudy', id)
    if (!study) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { study: study.record, series: await seriesOf(records, study.record) }
  },
  drawings: new URL('./draw-study-task.ts', import.meta.url),
}
