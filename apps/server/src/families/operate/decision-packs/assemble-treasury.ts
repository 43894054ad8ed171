import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { required } from '../../../required.ts'
import { valueAt } from '../../json-pointer.ts'
import { scenarioPrefix } from './assumption-options.ts'
import { isValue } from './bind-pack.ts'
import { figureAt, measureOf, runwayPointer } from './figure-at.ts'
import type { InputOption, MetricInput, PackInput } from './pack-types.ts'

/** Current versions of the treasury records behind a pack. */
export interface TreasurySources {
  readonly projection: VersionedRecord<contract.TreasuryProjection>
  readonly reconciliation?: VersionedRecord
  readonly stress?: VersionedRecord
  readonly capitalRequirement?: VersionedRecord
  readonly unlockImpact?: VersionedRecord
}

/** Pointer of a figure. The contract defines its measure. */
type Terms = Pick<MetricInput, 'metricId' | 'pointer' | 'note' | 'afterSpend'>

/**
 * Options of a treasury pack. The status quo is the first scenario of the projection, with the
 * treasury state and shock results. Each action, depth purchase and unlock mitigation is an
 * alternative, with the runway after its spend per scenario. Without these, the other scenarios are
 * there for comparison, as assumptions without approval. Figures are read from records; missing ones are omitted. Runways, troughs and
 * shock results cover only controlled holdings, because self-reported holdings must not decide.
 */
export function assembledOptions(
  sources: TreasurySources,
  actions: readonly contract.TreasuryAction[] = [],
): InputOption[] {
  const { projection, reconciliation, stress, capitalRequirement, unlockImpact } = sources
  const { scenarios } = projection.payload
  const [first, ...others] = scenarios.map(({ scenarioId }, index) => ({
    scenarioId,
    metrics: scenarioMetrics(projection, index),
  }))
  const spending = [
    ...actions.map((action, index) => actionOption(projection, action, index)),
    ...(capitalRequirement ? [depthOption(projection, capitalRequirement)] : []),
    ...(unlockImpact ? mitigationOptions(projection, unlockImpact) : []),
  ]
  return [
    {
      optionId: 'status-quo',
      label: 'Continue as planned',
      statusQuo: true,
      summary: first
        ? `The scenario ${first.scenarioId} of the projection ${projection.payload.label}.`
        : `The projection ${projection.payload.label} has no scenario.`,
      metrics: [
        ...(first?.metrics ?? []),
        ...(spending.length > 0 ? runwaysAfter(projection, '0') : []),
        ...(reconciliation ? bookMetrics(reconciliation) : []),
        ...(stress ? stressMetrics(stress) : []),
        ...(unlockImpact ? unlockMetrics(unlockImpact) : []),
      ],
      risks: [],
      reversibility: 'REVERSIBLE' as const,
      requires: [],
    },
    ...(spending.length > 0 ? [] : others).map(({ scenarioId, metrics }): InputOption => {
      return {
        optionId: `${scenarioPrefix}${nameOf(scenarioId)}`,
        label: `Scenario ${scenarioId}`,
        statusQuo: false,
        summary: `Assumption of the projection: ${scenarioId}. For comparison; it cannot be approved.`,
        metrics,
        risks: [],
        reversibility: 'COSTLY' as const,
        requires: [],
      }
    }),
    ...spending,
  ]
}

/** The minimum cash of the assumptions, as a limit of the lowest point. */
export function assembledLimits({ projection }: TreasurySources): PackInput['limits'] {
  const { minimumCashQuote, scenarios } = projection.payload
  // Older projections lack the trough of controlled holdings, so no limit applies.
  if (!scenarios.some(({ controlledTrough }) => controlledTrough)) return []
  return [{ metricId: 'trough-cash', comparator: 'GTE', value: minimumCashQuote }]
}

function scenarioMetrics(
  projection: VersionedRecord<contract.TreasuryProjection>,
  index: number,
): MetricInput[] {
  const at = `/payload/scenarios/${index}`
  const { monteCarlo, scenarios } = projection.payload
  const isWhole = isControlledAlone(projection)
  const isDrawn = isWhole && monteCarlo?.scenarioId === scenarios[index]?.scenarioId
  return metricsIn(projection, [
    { metricId: 'runway-cash', pointer: `${at}/controlledRunway/cash/net/monthsX3` },
    { metricId: 'runway-liquid', pointer: `${at}/controlledRunway/liquid/net/monthsX3` },
    { metricId: 'runway-committed', pointer: `${at}/controlledRunway/cash/gross/monthsX3` },
    { metricId: 'runway-outlasts', pointer: `${at}/controlledRunway/cash/net/beyondHorizon` },
    { metricId: 'trough-cash', pointer: `${at}/controlledTrough/cashQuote` },
    { metricId: 'trough-month', pointer: `${at}/controlledTrough/month` },
    ...(isWhole
      ? [
          { metricId: 'depletion-month', pointer: `${at}/depletionMonth` },
          { metricId: 'coverage', pointer: `${at}/coveragePips` },
        ]
      : []),
    ...(isDrawn
      ? [{ metricId: 'chance-beyond', pointer: '/payload/monteCarlo/beyondHorizonPips' }]
      : []),
  ])
}

/**
 * True if a record covers controlled holdings only. Otherwise its other figures include
 * self-reported holdings.
 */
const isControlledAlone = (record: VersionedRecord): boolean =>
  listIn(record, '/payload/scenarios').every(({ value }) => hasControl(value)) &&
  !listIn(record, '/payload/computation/gaps').some(
    ({ value }) => valueAt(value, '/code') === 'CONTROL_UNPROVEN',
  )

/** Records of earlier releases do not distinguish controlled holdings. */
const hasControl = (scenario: unknown): boolean =>
  [valueAt(scenario, '/controlledRunway'), valueAt(scenario, '/controlled')].some(
    (value) => value !== undefined,
  )

const bookMetrics = (reconciliation: VersionedRecord) =>
  metricsIn(reconciliation, [{ metricId: 'books', pointer: '/payload/agreement' }])

const actionOption = (
  projection: VersionedRecord<contract.TreasuryProjection>,
  { label, spendQuote, summary = '', reversibility = 'COSTLY' }: contract.TreasuryAction,
  index: number,
): InputOption => ({
  optionId: `action-${index + 1}`,
  label,
  statusQuo: false,
  summary,
  reversibility,
  metrics: runwaysAfter(projection, spendQuote),
  risks: [],
  requires: [],
})

/** The runway of every scenario after a spend, in atoms of the quote of the projection. */
const runwaysAfter = (
  projection: VersionedRecord<contract.TreasuryProjection>,
  afterSpend: string,
): MetricInput[] =>
  metricsIn(
    projection,
    projection.payload.scenarios.slice(0, maxScenarios).map(({ scenarioId }, index) => ({
      metricId: `runway-after-${nameOf(scenarioId)}`.slice(0, 60),
      pointer: runwayPointer(index),
      afterSpend,
    })),
  )

/** The same for a spend from a record, if it is in the projection's quote. */
function runwaysAfterCost(
  projection: VersionedRecord<contract.TreasuryProjection>,
  record: VersionedRecord,
  pointer: string,
): MetricInput[] {
  const cost = valueAt(record, pointer)
  const measured = measureOf(record, { pointer })
  const isOfQuote = 'asset' in measured && measured.asset === projection.payload.quoteKey
  return isOfQuote && typeof cost === 'string' && /^[0-9]+$/.test(cost)
    ? runwaysAfter(projection, cost)
    : []
}

const depthOption = (
  projection: VersionedRecord<contract.TreasuryProjection>,
  study: VersionedRecord,
): InputOption => ({
  optionId: 'provide-depth',
  label: 'Provide depth',
  statusQuo: false,
  summary: `Requirements of ${valueAt(study, '/payload/request/label') ?? 'the study of capital'}.`,
  metrics: [
    ...metricsIn(study, [
      { metricId: 'quote-needed', pointer: '/payload/total/quote' },
      { metricId: 'token-needed', pointer: '/payload/total/token' },
      { metricId: 'quote-missing', pointer: '/payload/gap/quote' },
      { metricId: 'token-missing', pointer: '/payload/gap/token' },
      { metricId: 'worth-needed', pointer: '/payload/total/valueQuote' },
    ]),
    ...runwaysAfterCost(projection, study, '/payload/total/quote'),
  ],
  risks: [],
  reversibility: 'COSTLY',
  requires: [],
})

const maxScenarios = 6

/** The remaining treasury after each stress scenario. */
const stressMetrics = (stress: VersionedRecord): MetricInput[] =>
  listIn(stress, '/payload/scenarios')
    .slice(0, maxScenarios)
    .flatMap(({ at, value }) => {
      const name = nameOf(`${required(valueAt(value, '/scenarioId'), 'id of a scenario')}`)
      const idOf = (measure: string) => `${measure}-${name}`.slice(0, 60)
      return metricsIn(stress, [
        { metricId: idOf('stress-left'), pointer: `${at}/controlled/realisableQuote` },
        ...(isControlledAlone(stress)
          ? [{ metricId: idOf('stress-loss'), pointer: `${at}/counted/lossQuote` }]
          : []),
        { metricId: idOf('stress-runway'), pointer: `${at}/controlled/runwayMonthsX3` },
        { metricId: idOf('stress-coverage'), pointer: `${at}/controlled/coveragePips` },
      ])
    })

const unlockMetrics = (unlock: VersionedRecord): MetricInput[] =>
  metricsIn(unlock, [{ metricId: 'unlock-peak', pointer: '/payload/peaks/base/impactPips' }])

const mitigationOptions = (
  projection: VersionedRecord<contract.TreasuryProjection>,
  unlock: VersionedRecord,
): InputOption[] =>
  listIn(unlock, '/payload/mitigations').map(({ at, value }, index) => {
    const kind = `${valueAt(value, '/kind') ?? 'mitigation'}`
    return {
      optionId: `mitigation-${index + 1}`,
      label: `Mitigate: ${kind}`.slice(0, 120),
      statusQuo: false,
      summary: 'A mitigation from the unlock impact.',
      metrics: [
        ...metricsIn(unlock, [
          { metricId: 'unlock-peak', pointer: `${at}/peakImpactPips` },
          { metricId: 'mitigation-cost', pointer: `${at}/costQuote` },
        ]),
        // The cost of other kinds is no payment: the value of own tokens, or the impact of a sale.
        ...(kind === 'ADD_DEPTH'
          ? runwaysAfterCost(projection, unlock, `${at}/capital/quote`)
          : runwaysAfter(projection, '0')),
      ],
      risks: [],
      reversibility: 'COSTLY' as const,
      requires: [],
    }
  })

/** Metrics of a record with existing values. Fields without value or unit are omitted. */
function metricsIn(record: VersionedRecord, terms: readonly Terms[]): MetricInput[] {
  const { resourceType, id, resourceVersion } = record
  const source = { resourceType, id, resourceVersion }
  return terms.flatMap((term) => {
    const value = figureAt(record, term)
    if (!isValue(value) || 'problem' in measureOf(record, term)) return []
    return [{ ...term, value, source }]
  })
}

/** The items of a list, each with its pointer. */
function listIn(record: VersionedRecord, pointer: string) {
  const value = valueAt(record, pointer)
  if (!Array.isArray(value)) return []
  return value.map((one: unknown, index) => ({ at: `${pointer}/${index}`, value: one }))
}

/** A scenario name in the form of a packet name. */
const nameOf = (scenarioId: string) =>
  scenarioId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40) || 'unnamed'
