import {
  type PictureFamily,
  type PictureRequest,
  payloadOf,
} from '../../../drawing/picture-family.ts'
import { limits } from '../../../limits.ts'
import { boundEvaluation, type Evaluation, type ProgramPayload } from './read-program.ts'

export const pictures: PictureFamily = {
  operationId: 'getIncentivePrograms',
  read: readProgram,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** A program with the measurements of its current version and of the programs it cites. */
async function readProgram({ id, records }: PictureRequest): Promise<object> {
  const payload = await payloadOf<ProgramPayload>(records, 'IncentiveProgram', id)
  const events = await records.events(id, { having: 'evaluation', limit: limits.incentiveEvents })
  const priors = await Promise.all(
    (payload.request.priorPrograms ?? []).map((ref) => boundEvaluation(records, ref)),
  )
  return {
    payload,
    evaluations: events.map(({ payload: { evaluation } }) => evaluation as Evaluation),
    priors: priors.flatMap((prior) => prior?.evaluation ?? []),
  }
}
