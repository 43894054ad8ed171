import type { ObservationRecord } from '../../../../market/completed-observations.ts'
import type { OpenPassport } from '../open-passport.ts'

/**
 * Complete venue states behind the depth, so that their hashes match the observations. Also the
 * positions behind the claimed own liquidity, as named in the publication event.
 */
export async function inputsOf(passport: OpenPassport): Promise<(readonly [string, unknown])[]> {
  return [...(await statesOf(passport)), ...(await positionsFile(passport))]
}

/** Empty for a passport without treasury claims, or one of an earlier release. */
async function positionsFile({
  published,
  records,
}: OpenPassport): Promise<(readonly [string, unknown])[]> {
  const { positionsHash } = published.payload
  if (typeof positionsHash !== 'string') return []
  const bytes = await records.artifact(positionsHash)
  return [['inputs/positions.json', JSON.parse(bytes.toString('utf8'))]]
}

function statesOf({ record, records }: OpenPassport): Promise<(readonly [string, unknown])[]> {
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
