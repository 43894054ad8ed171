import type { contract, FieldErrors } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import {
  completedObservations,
  type ObservationRecord,
} from '../../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { textOrEmpty } from '../../../../texts.ts'
import { dayMilliseconds, daySeconds, hourSeconds } from '../../../../units.ts'
import { valueAt } from '../../../json-pointer.ts'
import type { PackInput } from '../../../operate/decision-packs/api.ts'
import type { StudySpec } from '../../../simulate/studies/api.ts'
import { currentSources } from '../../../sources.ts'
import type { StrategyInput } from '../../strategies/api.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Metric = PackInput['options'][number]['metrics'][number]

/** Source records of a workspace. */
export interface Parts {
  readonly plan: Plan
  readonly study: Study
  readonly venue: VenueRecord
  readonly observation: ObservationRecord
}

/**
 * Reads the parts of a workspace.
 *
 * @throws Failure 422 that lists every missing part
 */
export async function readParts(records: TenantRecords, plan: Plan): Promise<Parts> {
  const { venueId, capitalRequirement, launchAt } = plan.payload.request
  const faults: FieldErrors = {}
  if (Date.parse(launchAt) <= records.now)
    faults.launchAt = [`must be in the future, got ${launchAt}`]
  if (!capitalRequirement) faults.capitalRequirement = ['must be set in the plan']
  const venue =
    venueId === undefined
      ? null
      : await records.current<VenueRecord['payload']>('VenueProfile', venueId)
  if (venue?.record.status !== 'VALIDATED') {
    faults.venueId = [`must be a VALIDATED venue, got ${venueId ?? 'none'}`]
  }
  const [observation] = venueId ? await completedObservations(records, venueId, 1) : []
  if (!observation) faults.observation = ['must exist: index the venue first']
  if (Object.keys(faults).length > 0 || !capitalRequirement || !venue || !observation) {
    throw new Failure('LIQUIDITY_LAUNCH_WORKSPACE_INCOMPLETE', { fieldErrors: faults })
  }
  const [study] = (await currentSources(records, [
    { ref: capitalRequirement, at: 'capitalRequirement' },
  ])) as [Study]
  return { plan, study, venue: venue.record as VenueRecord, observation }
}

const weekMilliseconds = 7 * dayMilliseconds

/** Decision packet for the launch: wait, or one of the mechanisms. */
export function packOf({ plan, study }: Parts, now: number): PackInput {
  const { label, launchAt } = plan.payload.request
  const { computed } = plan.payload
  const week = Date.parse(launchAt) - weekMilliseconds
  const common = [
    metric(study, 'quote-needed', '/payload/total/quote'),
    metric(study, 'token-needed', '/payload/total/token'),
  ]
  return {
    question: `Should we launch as planned: ${label}?`.slice(0, 500),
    options: [
      {
        optionId: 'wait',
        label: 'Wait',
        statusQuo: true,
        summary: '',
        metrics: [],
        risks: [],
        reversibility: 'REVERSIBLE',
        requires: [],
      },
      ...computed.mechanisms.map((mechanism, index) => ({
        optionId: `launch-${index + 1}`,
        label: `Launch: ${mechanism.kind}`,
        statusQuo: false,
        summary: textOrEmpty(mechanism.missing),
        metrics: [...common, ...outcomeMetrics(plan, index)].flatMap((one) => one ?? []),
        risks: [],
        reversibility: 'IRREVERSIBLE' as const,
        requires: [],
      })),
    ],
    evidence: [{ source: refOf(plan) }, { source: refOf(study) }],
    decisionBy: new Date(week > now ? week : Date.parse(launchAt)).toISOString(),
    expiresAt: launchAt,
  }
}

function outcomeMetrics(plan: Plan, index: number): (Metric | null)[] {
  const at = `/payload/computed/mechanisms/${index}/outcome`
  return [
    metric(plan, 'raised', `${at}/raised`),
    metric(plan, 'sold', `${at}/sold`),
    metric(plan, 'served', `${at}/filled`),
    metric(plan, 'average-price', `${at}/averagePriceX36`),
  ]
}

/** A figure with its pointer; null if the record does not contain it. */
function metric(record: VersionedRecord, metricId: string, pointer: string): Metric | null {
  const value = valueAt(record, pointer) as Metric['value'] | null | undefined
  return value === undefined || value === null
    ? null
    : { metricId, value, pointer, source: refOf(record) }
}

const refOf = ({ resourceType, id, resourceVersion }: VersionedRecord) => ({
  resourceType,
  id,
  resourceVersion,
})

/** Draft strategy that maintains the study's targets, without rules. The user completes it. */
export function strategyOf({ plan, study, venue }: Parts): StrategyInput {
  const { request, total } = study.payload
  const range = request.shapes.map(({ shape }) => shape).find(({ kind }) => kind === 'V3_RANGE')
  const template =
    range?.kind === 'V3_RANGE'
      ? {
          kind: 'RANGE' as const,
          lowerPips: Math.min(range.lowerMovePips, 900_000),
          upperPips: Math.min(range.upperMovePips, 900_000),
        }
      : { kind: 'FULL_RANGE' as const }
  return {
    schemaVersion: 'strategy-definition-v2',
    name: plan.payload.request.label,
    objective: 'BOOTSTRAP',
    pair: venue.payload.pair,
    venue: { id: venue.id, resourceVersion: venue.resourceVersion },
    capital: { maxBase: total?.token ?? '0', maxQuote: total?.quote ?? '0' },
    inventory: {
      targetBaseSharePips: 500_000,
      minBaseSharePips: 0,
      maxBaseSharePips: 1_000_000,
    },
    positions: [{ positionId: 'launch', weightPips: 1_000_000, template }],
    idlePips: 0,
    rules: [],
    guards: {
      twapWindowSeconds: 1_800,
      maxTwapDeviationPips: 20_000,
      maxSwapSlippagePips: 15_000,
      maxGasQuotePerAction: null,
      maxTurnoverQuotePerDay: null,
      minSecondsBetweenActions: 600,
      oracleMaxAgeSeconds: null,
      pauseOn: [],
    },
  }
}

const studyDays = 30

/**
 * Monte Carlo study of the strategy, from the newest state of the venue and the volatility of the
 * capital study.
 */
export function studySpecOf(parts: Parts, definition: StrategyInput): StudySpec {
  const { plan, study, venue, observation } = parts
  const { pair: _pair, venue: _venue, ...written } = definition
  return {
    schemaVersion: 'simulation-study-v1',
    name: `Launch: ${plan.payload.request.label}`.slice(0, 120),
    kind: 'MONTE_CARLO',
    pair: venue.payload.pair,
    market: { venue: { id: venue.id, resourceVersion: venue.resourceVersion } },
    observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
    arms: [{ armId: 'launch', label: 'Launch liquidity', definition: written }],
    capital: {
      base: definition.capital.maxBase,
      quote: definition.capital.maxQuote,
      normalization: 'EQUAL_VALUE',
    },
    horizonSeconds: studyDays * daySeconds,
    stepSeconds: hourSeconds,
    paths: 200,
    price: {
      kind: 'GBM',
      annualVolatilityPips: study.payload.annualVolatilityPips ?? 1_000_000,
    },
    flow: { kind: 'NONE' },
    tradeSizesQuote: ['1000000000000000000'],
    failure: [{ kind: 'LOSS_VS_HOLD', pips: 500_000 }],
  } as unknown as StudySpec
}
