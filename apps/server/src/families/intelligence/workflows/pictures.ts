import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { observationsById } from '../projects/api.ts'
import type { DrawnRun } from './describe-figure.ts'
import { runs } from './records.ts'

export const pictures: PictureFamily = {
  operationId: 'getCompletedWorkflowRun',
  read: readRun,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** A run with its source observations, which contain the units of its amounts. */
async function readRun({ id, records }: PictureRequest): Promise<DrawnRun> {
  const current = await runs.current(records, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const run = current.record.payload
  const found = await observationsById(
    records,
    run.subjects.map((subject) => subject.id),
  )
  const analysisOf = (subject: { readonly id: string }) =>
    found.find((one) => one.id === subject.id)?.payload.analysis ?? null
  return { run, analyses: run.subjects.map(analysisOf) }
}
