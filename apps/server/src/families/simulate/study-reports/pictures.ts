import type { contract } from '@liquidity-os/contract'
import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { seriesOf } from './read-task.ts'

/**
 * The figures of a study's report, of the current version and unsigned, but for the map of the liquidity: that is drawn from
 * every event of the market, and stands in the report alone.
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
