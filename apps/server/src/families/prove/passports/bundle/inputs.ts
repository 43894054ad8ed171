import type { ObservationRecord } from '../../../../market/completed-observations.ts'
import type { OpenPassport } from '../open-passport.ts'

/** The state of each venue in which the depth was measured, whole, so that its hash is that of the observation. */
export async function inputsOf({
  record,
  records,
}: OpenPassport): Promise<(readonly [string, unknown])[]> {
  const { venueObservations } = record.payload.sourceBindings
  return Promise.all(
    venueObservations.map(async ({ id, resourceVersion }) => {
      const found = await records.version<ObservationRecord['payload']>(
        'VenueObservation',
        id,
        resourceVersion,
      )
      if (!found) throw new Error(`The observation ${id} of a passport is not stored.`)
      const { artifactHash } = found.record.payload.state
      const bytes = await records.artifact(artifactHash)
      return [`inputs/${id}.json`, JSON.parse(bytes.toString('utf8'))] as const
    }),
  )
}
