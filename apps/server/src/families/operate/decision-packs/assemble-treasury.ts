import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { valueAt } from '../../json-pointer.ts'
import { isValue } from './bind-pack.ts'
import type { Metric, Option, PackInput } from './pack-types.ts'

/** Records of a treasury from which a pack is assembled, each in its current version. */
export interface TreasurySources {
  readonly projection: VersionedRecord<contract.TreasuryProjection>
  readonly reconciliation?: VersionedRecord
  readonly stress?: VersionedRecord
  readonly capitalRequirement?: VersionedRecord
  readonly unlockImpact?: VersionedRecord
}

/** What of a metric is known before its value is read. */
type Terms = Pick<Metric, 'metricId' | 'label' | 'unit' | 'better'> & {
  readonly pointer: string
  readonly asset?: string | undefined
}

/**
 * Alternatives of a treasury: the status quo is the first scenario of the projection with the state of the books and what
 * shocks leave; beside it every further scenario, the purchase of a depth, and every mitigation of an unlock. Figures are read
 * where they stand, and what a record does not say is left out.
 */
export function assembledOptions(sources: TreasurySources): Option[] {
  const { projection, reconciliation, stress, capitalRequirement, unlockImpact } = sources
  const { scenarios } = projection.payload
  const [first, ...others] = scenarios.map((_, place) => scenarioMetrics(projection, place))
  return [
    {
      ...{ optionId: 'status-quo', label: 'Go on as planned', statusQuo: true },
      summary: `The scenario ${scenarios[0]?.scenarioId ?? ''} of the projection ${projection.payload.label}.`,
      metrics: [
        ...(first ?? []),
        ...(reconciliation ? bookMetrics(reconciliation) : []),
        ...(stress ? stressMetrics(stress) : []),
        ...(unlockImpact ? unlockMetrics(unlockImpact) : []),
      ],
      ...{ risks: [], reversibility: 'REVERSIBLE' as const, requires: [] },
    },
    ...others.map((metrics, place): Option => {
      const scenarioId = scenarios[place + 1]?.scenarioId ?? ''
      return {
        ...{ optionId: `scenario-${nameOf(scenarioId)}`, label: `Scenario ${scenarioId}` },
        ...{ statusQuo: false, summary: `What the projection says of ${scenarioId}.`, metrics },
        ...{ risks: [], reversibility: 'COSTLY' as const, requires: [] },
      }
    }),
    ...(capitalRequirement ? [depthOption(capitalRequirement)] : []),
    ...(unlockImpact ? mitigationOptions(unlockImpact) : []),
  ]
}

/** The least cash that the assumptions allow, as a limit of the lowest point. */
export function assembledLimits({ projection }: TreasurySources): PackInput['limits'] {
  const { minimumCashQuote } = projection.payload
  return [{ metricId: 'trough-cash', comparator: 'GTE', value: minimumCashQuote }]
}

function scenarioMetrics(
  projection: VersionedRecord<contract.TreasuryProjection>,
  place: number,
): Metric[] {
  const at = `/payload/scenarios/${place}`
  const { quoteKey, monteCarlo, scenarios } = projection.payload
  const isDrawn = monteCarlo?.scenarioId === scenarios[place]?.scenarioId
  return metricsIn(projection, [
    months('runway-cash', 'Runway in cash', `${at}/runway/cash/net/monthsX3`),
    months('runway-liquid', 'Runway with what can be sold', `${at}/runway/liquid/net/monthsX3`),
    months('runway-committed', 'Runway by what is committed', `${at}/runway/cash/gross/monthsX3`),
    {
      ...{ metricId: 'runway-outlasts', label: 'Lasts beyond the horizon', unit: 'FLAG' },
      ...{ better: 'NEITHER', pointer: `${at}/runway/cash/net/beyondHorizon` },
    },
    {
      ...{ metricId: 'trough-cash', label: 'Cash at the lowest point', unit: 'ATOMS' },
      ...{ better: 'HIGHER', asset: quoteKey, pointer: `${at}/trough/cashQuote` },
    },
    {
      ...{ metricId: 'trough-month', label: 'Month of the lowest point', unit: 'TIME' },
      ...{ better: 'NEITHER', pointer: `${at}/trough/month` },
    },
    {
      ...{ metricId: 'depletion-month', label: 'Cash is gone in', unit: 'TIME' },
      ...{ better: 'NEITHER', pointer: `${at}/depletionMonth` },
    },
    {
      ...{ metricId: 'coverage', label: 'Liquid stock over the outflow of a month', unit: 'PIPS' },
      ...{ better: 'HIGHER', pointer: `${at}/coveragePips` },
    },
    ...(isDrawn
      ? [
          {
            ...{ metricId: 'chance-beyond', label: 'Paths that outlast the horizon' },
            ...{ unit: 'PIPS' as const, better: 'HIGHER' as const },
            pointer: '/payload/monteCarlo/beyondHorizonPips',
          },
        ]
      : []),
  ])
}

const months = (metricId: string, label: string, pointer: string): Terms => ({
  ...{ metricId, label, unit: 'MONTHS_X3', better: 'HIGHER', pointer },
})

const bookMetrics = (reconciliation: VersionedRecord) =>
  metricsIn(reconciliation, [
    {
      ...{ metricId: 'books', label: 'Books against the chain', unit: 'TEXT' },
      ...{ better: 'NEITHER', pointer: '/payload/agreement' },
    },
  ])

function depthOption(study: VersionedRecord): Option {
  const [token, quote] = ['token', 'quote'].map((side) =>
    assetIn(study, `/payload/request/${side}`),
  )
  const atoms = (
    metricId: string,
    label: string,
    asset: string | undefined,
    pointer: string,
  ): Terms => ({
    ...{ metricId, label, unit: 'ATOMS', better: 'LOWER', asset, pointer },
  })
  return {
    ...{ optionId: 'provide-depth', label: 'Provide the depth', statusQuo: false },
    summary: `What ${valueAt(study, '/payload/request/label') ?? 'the study of capital'} takes.`,
    metrics: metricsIn(study, [
      atoms('quote-needed', 'Quote that the depth takes', quote, '/payload/total/quote'),
      atoms('token-needed', 'Tokens that the depth takes', token, '/payload/total/token'),
      atoms('quote-missing', 'Quote that is missing', quote, '/payload/gap/quote'),
      atoms('token-missing', 'Tokens that are missing', token, '/payload/gap/token'),
      atoms('worth-needed', 'Worth of both', quote, '/payload/total/valueQuote'),
    ]),
    ...{ risks: [], reversibility: 'COSTLY', requires: [] },
  }
}

const mostScenarios = 6

/** What shocks leave of the treasury, scenario by scenario. */
function stressMetrics(stress: VersionedRecord): Metric[] {
  const asset = assetIn(stress, '/payload/request/quoteKey')
  return listIn(stress, ['/payload/scenarios'])
    .slice(0, mostScenarios)
    .flatMap(({ at, value }) => {
      const scenarioId = `${valueAt(value, '/scenarioId') ?? ''}`
      const about = (what: string, label: string): Pick<Terms, 'metricId' | 'label'> => ({
        metricId: `${what}-${nameOf(scenarioId)}`.slice(0, 60),
        label: `${label} in ${scenarioId}`.slice(0, 120),
      })
      return metricsIn(stress, [
        {
          ...{ ...about('stress-left', 'What can be sold'), unit: 'ATOMS', better: 'HIGHER' },
          ...{ asset, pointer: `${at}/counted/realisableQuote` },
        },
        {
          ...{ ...about('stress-loss', 'Loss'), unit: 'ATOMS', better: 'LOWER', asset },
          pointer: `${at}/counted/lossQuote`,
        },
        {
          ...{ ...about('stress-runway', 'Runway'), unit: 'MONTHS_X3', better: 'HIGHER' },
          pointer: `${at}/runwayMonthsX3`,
        },
        {
          ...{ ...about('stress-coverage', 'Coverage'), unit: 'PIPS', better: 'HIGHER' },
          pointer: `${at}/coverage/coveragePips`,
        },
      ])
    })
}

const peak = (pointer: string): Terms => ({
  ...{ metricId: 'unlock-peak', label: 'Deepest fall by the unlock', unit: 'PIPS' },
  ...{ better: 'LOWER', pointer },
})

/** The first of the places at which an unlock tells its peak. */
function unlockMetrics(unlock: VersionedRecord): Metric[] {
  const places = ['/base/impactPips', '/base', '/basePips', '/headline/impactPips', '/impactPips']
  const found = places.flatMap((place) => metricsIn(unlock, [peak(`/payload/peaks${place}`)]))
  return found.slice(0, 1)
}

function mitigationOptions(unlock: VersionedRecord): Option[] {
  const asset = assetIn(unlock, '/payload/quote') ?? assetIn(unlock, '/payload/request/quote')
  return listIn(unlock, ['/payload/mitigations', '/payload/result/mitigations']).map(
    ({ at, value }, place) => {
      const kind = `${valueAt(value, '/kind') ?? 'mitigation'}`
      return {
        ...{ optionId: `mitigation-${place + 1}`, label: `Mitigate: ${kind}`.slice(0, 120) },
        ...{ statusQuo: false, summary: 'A mitigation that the unlock impact computed.' },
        metrics: metricsIn(unlock, [
          peak(`${at}/peakImpactPips`),
          {
            ...{ metricId: 'mitigation-cost', label: 'Cost of the mitigation', unit: 'ATOMS' },
            ...{ better: 'LOWER', asset, pointer: `${at}/costQuote` },
          },
        ]),
        ...{ risks: [], reversibility: 'COSTLY' as const, requires: [] },
      }
    },
  )
}

/** Metrics of a record with the values that stand there; what says nothing is left out. */
function metricsIn(record: VersionedRecord, terms: readonly Terms[]): Metric[] {
  const { resourceType, id, resourceVersion } = record
  return terms.flatMap(({ asset, ...term }) => {
    const value = valueAt(record, term.pointer)
    if (!isValue(value) || (term.unit === 'ATOMS' && asset === undefined)) return []
    const source = { resourceType, id, resourceVersion }
    return [{ ...term, ...(asset === undefined ? {} : { asset }), value, source }]
  })
}

function assetIn(record: VersionedRecord, pointer: string): string | undefined {
  const value = valueAt(record, pointer)
  return typeof value === 'string' ? value : undefined
}

/** The members of the first list that is there, each with its pointer. */
function listIn(record: VersionedRecord, pointers: readonly string[]) {
  for (const pointer of pointers) {
    const value = valueAt(record, pointer)
    if (Array.isArray(value)) {
      return value.map((one: unknown, place) => ({ at: `${pointer}/${place}`, value: one }))
    }
  }
  return []
}

/** A name of a scenario in the form of a name of a pack. */
const nameOf = (scenarioId: string) =>
  scenarioId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40) || 'unnamed'
