import { openEvent } from '@liquidity-os/evidence'
import { Failure } from '../failure.ts'
import { judgedVenues } from '../families/intelligence/anomalies/subject.ts'
import { pairMapOf } from '../families/intelligence/market-map/pair-map.ts'
import type { DrawnVenue } from '../families/intelligence/venues/pictures/drawn-venue.ts'
import {
  boundEvaluation,
  type Evaluation,
  type ProgramPayload,
} from '../families/operate/incentive-programs/read-program.ts'
import { historyOf } from '../families/operate/migration-plans/plan-events.ts'
import { planStateOf } from '../families/operate/migration-plans/plan-state.ts'
import { anyObservations } from '../market/completed-observations.ts'
import type { Sample } from '../market/realized-volatility.ts'
import type { Services } from '../services.ts'
import { sql } from '../store/database/sql.ts'
import type { ResourceType } from '../store/records/resource-types.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { PictureSubject } from './draw-task.ts'

/** A request for pictures, after the guards of its family. */
export interface PictureRequest {
  readonly id: string
  readonly query: Readonly<Record<string, unknown>>
  readonly records: TenantRecords
  readonly services: Services
}

/** A family with pictures. */
export interface PictureFamily {
  /** The operation that reads what is drawn: whoever may ask it may see the pictures. */
  readonly operationId: string
  /** @throws Failure 404 where there is nothing to be drawn */
  readonly read: (request: PictureRequest) => Promise<PictureSubject>
}

type Family = PictureSubject['family']

/** Records whose payload alone is drawn. */
function ofRecord(operationId: string, family: Family, type: ResourceType): PictureFamily {
  return {
    operationId,
    read: async ({ id, records }) =>
      ({ family, payload: (await currentOf(records, type, id)).payload }) as PictureSubject,
  }
}

async function currentOf<Payload>(records: TenantRecords, type: ResourceType, id: string) {
  const current = await records.current<Payload>(type, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return current.record
}

/** The families by the name in their path. */
export const pictureFamilies: Readonly<Record<Family, PictureFamily>> = {
  scores: ofRecord('getScores', 'scores', 'MarketQualityScore'),
  attributions: ofRecord('getAttributions', 'attributions', 'ExecutionAttribution'),
  anomalies: ofRecord('getAnomalies', 'anomalies', 'LiquidityAnomaly'),
  'allocation-plans': ofRecord('getAllocationPlans', 'allocation-plans', 'AllocationPlan'),
  'market-map': { operationId: 'getUnifiedLiquidityMap', read: readMap },
  'migration-plans': { operationId: 'getMigrationPlanState', read: readMigration },
  'incentive-programs': { operationId: 'getIncentivePrograms', read: readProgram },
  venues: { operationId: 'getVenues', read: readVenue },
}

const mostVenues = 32
const mostEvents = 1000
const mostObservations = 100
/** Prices of a picture, over all observations. */
const mostSamples = 600

/** The pair that the query names; without a venue of it there is no map. */
async function readMap({ query, records, services }: PictureRequest): Promise<PictureSubject> {
  const { chainId, base, quote, sizesQuote } = query
  const same = (a: unknown, b: string) => `${a}`.toLowerCase() === b.toLowerCase()
  const venues = (await judgedVenues(records)).filter(
    ({ payload: { pair } }) =>
      pair.chainId === chainId && same(base, pair.base) && same(quote, pair.quote),
  )
  if (venues.length === 0) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const sizes = typeof sizesQuote === 'string' ? sizesQuote.split(',') : null
  const payload = await pairMapOf(records, services, venues.slice(0, mostVenues), sizes)
  return { family: 'market-map', payload }
}

async function readMigration({ id, records }: PictureRequest): Promise<PictureSubject> {
  type Plan = Extract<PictureSubject, { family: 'migration-plans' }>['payload']
  const record = await currentOf<Plan>(records, 'MigrationPlan', id)
  const state = planStateOf(record, await historyOf(records, id))
  return { family: 'migration-plans', payload: record.payload, state }
}

/** A venue with its newest observations and their prices. */
async function readVenue({ id, records }: PictureRequest): Promise<PictureSubject> {
  const { name, pair } = (await currentOf<DrawnVenue>(records, 'VenueProfile', id)).payload
  const newest = await anyObservations(records, id, mostObservations)
  const inOrder = newest.toSorted(
    ({ observation: a }, { observation: b }) =>
      a.payload.range.from.number - b.payload.range.from.number,
  )
  const observations = await Promise.all(
    inOrder.map(async ({ observation: { status, payload }, isOvertaken }) => {
      const { range, continuity, gaps, metrics, samples } = payload
      const all = JSON.parse(`${await records.artifact(samples.artifactHash)}`) as Sample[]
      const every = Math.ceil((all.length * inOrder.length) / mostSamples)
      const shown = all.filter((_, place) => place % every === 0)
      return { status, isOvertaken, range, continuity, gaps, metrics, samples: shown }
    }),
  )
  return { family: 'venues', payload: { name, pair, observations } }
}

/** A program with what was measured of its present generation, and of the programs that it rests on. */
async function readProgram({ id, records }: PictureRequest): Promise<PictureSubject> {
  const { payload } = await currentOf<ProgramPayload>(records, 'IncentiveProgram', id)
  const [rows = []] = await records.query([
    sql`select body from events where organization_id = ${records.organizationId} and subject_id = ${id}
      and body::jsonb #> '{payload,evaluation}' is not null order by sequence limit ${mostEvents}`,
  ])
  const evaluations = rows.flatMap(({ body }) => {
    const { evaluation } = openEvent(body ?? '').payload as { evaluation?: Evaluation }
    return evaluation ?? []
  })
  const priors = await Promise.all(
    (payload.request.priorPrograms ?? []).map((ref) => boundEvaluation(records, ref)),
  )
  return {
    ...{ family: 'incentive-programs', payload, evaluations },
    priors: priors.flatMap((prior) => prior?.evaluation ?? []),
  }
}
