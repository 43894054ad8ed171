import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { type Ref, refOf, type Study } from './admissible.ts'
import type { Strategy } from './admitting.ts'
import type { Watched } from './anomalous.ts'
import { definitionFor } from './observed-venue.ts'
import { callOperation } from './requests.ts'

type Observation = VersionedRecord<Static<typeof contract.VenueObservation>>
type Pair = Parameters<typeof definitionFor>[0]['pair']

/** Ten hours in steps of ten minutes, as the blocks of the quiet markets are apart. */
export const horizonSeconds = 36_000
const stepSeconds = 600

/** A strategy on the watched pool. */
export async function strategyOn(
  { owner, pool, subject }: Watched,
  guards: object = {},
): Promise<Strategy> {
  const { pair } = subject() as { pair: Pair }
  const usual = definitionFor({ venue: refOf(pool), pair })
  const payload = { ...usual, guards: { ...(usual.guards as object), ...guards } }
  const body = { payload, status: 'VALIDATED', reason: 'For the test' }
  const { data, fieldErrors } = await callOperation<{ strategy: Strategy }>(
    owner,
    'createStrategies',
    {
      body,
    },
  )
  if (!data?.strategy) throw new Error(JSON.stringify(fieldErrors))
  return data.strategy
}

export interface PoolStudies {
  spec: (change?: object) => Record<string, unknown>
  paths: Study
  replay: Study
}

/**
 * Both studies required for an admission, from the pool's sealed data; traders arrive as before.
 */
export async function studiesOf(watched: Watched, strategy: Strategy): Promise<PoolStudies> {
  const { owner, pool } = watched
  const { data } = await callOperation<Observation[]>(owner, 'listVenueObservations')
  const own = data.filter(({ payload }) => payload.venue.id === pool.id)
  const newest = own[0]!
  const { definition } = strategy.payload
  const { from, to } = newest.payload.range
  const common = {
    schemaVersion: 'simulation-study-v1',
    name: 'What we expect',
    pair: definition.pair,
    market: { venue: newest.payload.venue },
    observations: [refOf(newest)],
    arms: [
      { armId: 'idle', label: 'Held', position: { kind: 'HOLD' } },
      { armId: 'own', label: 'The strategy', strategy: refOf(strategy) },
    ],
    capital: { base: `${10n ** 18n}`, quote: `${10n ** 18n}`, normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: [`${10n ** 15n}`],
  }
  const spec = (change: object = {}) => ({
    ...common,
    kind: 'MONTE_CARLO',
    horizonSeconds,
    stepSeconds,
    sampleSeconds: stepSeconds,
    paths: 200,
    price: { kind: 'GBM', annualVolatilityPips: 100_000 },
    flow: {
      kind: 'COMPOUND_POISSON',
      tradesPerDayMilli: 144_000,
      buySharePips: 500_000,
      // ln of 10^15 atoms.
      logMeanQuotePips: 34_538_776,
      logDeviationPips: 300_000,
    },
    failure: [{ kind: 'LOSS_VS_HOLD', pips: 900_000 }],
    ...change,
  })
  return {
    spec,
    paths: await run(watched, spec()),
    replay: await run(watched, {
      ...common,
      kind: 'REPLAY',
      window: { fromBlock: from.number, toBlock: to.number },
      failure: [{ kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: '1', timeSharePips: 500_000 }],
    }),
  }
}

export async function run({ owner }: Watched, payload: object): Promise<Study> {
  const body = { payload, reason: 'For the test' }
  const { status, data, fieldErrors } = await callOperation<Study>(owner, 'createStudies', { body })
  if (status !== 201) throw new Error(`The study was refused: ${JSON.stringify(fieldErrors)}`)
  return data
}

export const divergenceFrom = (watched: Watched, study: Ref, change: object = {}) =>
  watched.subject({ study: refOf(study), ...change })
