import type { ObservationRecord } from '../../../../market/completed-observations.ts'
import { type ScorePayload, samplesInput } from '../../../intelligence/scores/api.ts'
import type { OpenPassport } from '../open-passport.ts'

/**
 * Complete venue states behind the depth, so that their hashes match the observations. Also the
 * positions and other evidence that the publication event names, and the samples of the score.
 */
export async function inputsOf(passport: OpenPassport): Promise<(readonly [string, unknown])[]> {
  const { positionsHash, claimsHash } = passport.published.payload
  return [
    ...(await statesOf(passport)),
    ...(await namedFile(passport, 'inputs/positions.json', positionsHash)),
    ...(await namedFile(passport, 'inputs/claims.json', claimsHash)),
    ...(await namedFile(passport, 'inputs/samples.json', await samplesHash(passport))),
  ]
}

/** Empty without a hash: a passport without this evidence, or of an earlier release. */
async function namedFile(
  { records }: OpenPassport,
  path: string,
  hash: unknown,
): Promise<(readonly [string, unknown])[]> {
  if (typeof hash !== 'string') return []
  const bytes = await records.artifact(hash)
  return [[path, JSON.parse(bytes.toString('utf8'))]]
}

/** Hash of the samples of the bound score; undefined for a score of an earlier release. */
async function samplesHash({ record, records }: OpenPassport): Promise<string | undefined> {
  const { id, resourceVersion } = record.payload.sourceBindings.marketQualityScore
  const score = await records.version<ScorePayload>('MarketQualityScore', id, resourceVersion)
  if (!score) throw new Error(`The score ${id} of a passport is not stored.`)
  const { inputs } = score.record.payload.evidence
  return inputs.find(({ name }) => name === samplesInput)?.hash
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
