import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { decisionPacks } from './records.ts'

export const pictures: PictureFamily = {
  operationId: 'getDecisionPack',
  read: async ({ id, records }) => {
    const current = await decisionPacks.current(records, id)
    if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { status, payload } = current.record
    return { status, payload }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
