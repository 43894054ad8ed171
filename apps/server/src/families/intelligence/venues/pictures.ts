import {
  type PictureFamily,
  type PictureRequest,
  payloadOf,
} from '../../../drawing/picture-family.ts'
import { limits } from '../../../limits.ts'
import { anyObservations } from '../../../market/completed-observations.ts'
import type { Sample } from '../../../market/realized-volatility.ts'
import type { DrawnVenue } from './drawn-venue.ts'

export const pictures: PictureFamily = {
  operationId: 'getVenues',
  read: readVenue,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** A venue with its newest observations and their prices. */
async function readVenue({ id, records }: PictureRequest): Promise<DrawnVenue> {
  const { name, pair } = await payloadOf<DrawnVenue>(records, 'VenueProfile', id)
  const newest = await anyObservations(records, id, limits.venuePictureObservations)
  const inOrder = newest.toSorted(
    ({ observation: a }, { observation: b }) =>
      a.payload.range.from.number - b.payload.range.from.number,
  )
  const observations = await Promise.all(
    inOrder.map(async ({ observation: { status, payload }, isOvertaken }) => {
      const { range, continuity, gaps, metrics, samples } = payload
      const all = JSON.parse(`${await records.artifact(samples.artifactHash)}`) as Sample[]
      const every = Math.ceil((all.length * inOrder.length) / limits.venuePictureSamples)
      const shown = all.filter((_, index) => index % every === 0)
      return { status, isOvertaken, range, continuity, gaps, metrics, samples: shown }
    }),
  )
  return { name, pair, observations }
}
