import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import { callOperation } from './requests.ts'
import type { TestMember, TestService } from './service.ts'

export type Ref = { id: string; resourceVersion: string }
export type StudyPayload = Static<typeof contract.SimulationStudy>
export type Study = VersionedRecord<StudyPayload>
export type StudyResult = Static<typeof contract.StudyResult>
type Strategy = VersionedRecord<Static<typeof contract.StrategyDefinitionV2>>
type Observation = VersionedRecord<Static<typeof contract.VenueObservation>>

export const refOf = ({ id, resourceVersion }: Ref): Ref => ({ id, resourceVersion })

/** The records of an organization as the service itself writes them. */
export function recordsOf(
  { services }: TestService,
  { organizationId }: TestMember,
  now = services.clock(),
): TenantRecords {
  const { database, verified, artifacts } = services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  return new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
}

/** The two studies required for an admission: one historical, one on random paths. */
export async function admissionStudies(
  by: TestMember,
  strategy: Strategy,
): Promise<{ replay: Study; paths: Study }> {
  const { data } = await callOperation<Observation[]>(by, 'listVenueObservations')
  const { definition } = strategy.payload
  const observation = data.find(({ payload }) => payload.venue.id === definition.venue.id)
  if (!observation) throw new Error('The venue was not observed.')
  const { from, to } = observation.payload.range
  const { maxBase, maxQuote } = definition.capital
  const common = {
    schemaVersion: 'simulation-study-v1',
    name: 'For an admission',
    pair: definition.pair,
    market: { venue: observation.payload.venue },
    observations: [refOf(observation)],
    arms: [{ armId: 'own', label: 'The strategy', strategy: refOf(strategy) }],
    capital: { base: maxBase, quote: maxQuote, normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: [`${10n ** 16n}`],
  }
  const replay = await study(by, {
    ...common,
    kind: 'REPLAY',
    window: { fromBlock: from.number, toBlock: to.number },
    failure: [{ kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: '1', timeSharePips: 500_000 }],
  })
  const paths = await study(by, {
    ...common,
    kind: 'MONTE_CARLO',
    horizonSeconds: 86_400,
    stepSeconds: 3600,
    price: { kind: 'GBM', annualVolatilityPips: 500_000 },
    flow: { kind: 'NONE' },
    failure: [{ kind: 'LOSS_VS_HOLD', pips: 900_000 }],
    paths: 200,
  })
  return { replay, paths }
}

async function study(by: TestMember, payload: object): Promise<Study> {
  const body = { payload, reason: 'For the test' }
  const { status, data, fieldErrors } = await callOperation<Study>(by, 'createStudies', { body })
  if (status !== 201) throw new Error(`The study was refused: ${JSON.stringify(fieldErrors)}`)
  return data
}

/**
 * A copy of a study with changes. Its parity is VERIFIED, which an engine under development is not
 * until compared again. Admission tests do not cover that.
 */
export async function storedStudy(
  service: TestService,
  by: TestMember,
  { payload, status }: Pick<Study, 'payload' | 'status'>,
  change: { result?: Partial<StudyResult>; status?: string; spec?: object; at?: number } = {},
): Promise<Ref> {
  if (!payload.result) throw new Error('The study has no result.')
  const parity = { verdict: 'VERIFIED', basis: 'Another build of the engine.' } as const
  const records = recordsOf(service, by, change.at)
  const { sealed, change: written } = records.create<StudyPayload>('SimulationStudy', {
    status: change.status ?? status,
    payload: {
      ...payload,
      spec: { ...payload.spec, ...change.spec },
      result: { ...payload.result, parity, ...change.result },
    },
    reason: 'For the test',
    event: 'study.finished',
  })
  await service.services.committer.commit(written)
  return refOf(sealed.record)
}
