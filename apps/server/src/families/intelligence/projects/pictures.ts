import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { type DrawnProject, readingsShown } from './drawn.ts'
import { findObservations } from './find-observation.ts'
import { projects } from './records.ts'

export const pictures: PictureFamily = {
  operationId: 'getSavedProject',
  read: readProject,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** A project with its newest readings, oldest first. */
async function readProject({ id, records }: PictureRequest): Promise<DrawnProject> {
  const project = await projects.current(records, id)
  if (!project) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { latest, label } = project.record.payload
  const count = Math.min(latest.version, readingsShown)
  const versions = Array.from({ length: count }, (_, index) => latest.version - index)
  const found = await findObservations(records, id, versions)
  return { label, readings: found.map(({ payload }) => payload).reverse() }
}
