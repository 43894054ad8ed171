import { isDeepStrictEqual } from 'node:util'
import { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  decimalOf,
  named,
  printValue,
} from '@liquidity-os/drawing'
import { assetWords } from '../../../market/treasury/asset-words.ts'

type Study = contract.TreasuryStressStudy
type Scenario = Study['scenarios'][number]
type Outcome = NonNullable<Study['before']>

/** The charts of a stress study. */
export const stressCharts = (study: Study): ChartSpec[] =>
  [waterfallChart, outcomesChart, lossesChart].map((chart) => chart(study))

const quote = (atoms: string | bigint, { quoteDecimals }: Study) =>
  decimalOf(atoms, quoteDecimals ?? 0)
const unitOf = ({ request, quoteDecimals }: Study) =>
  `${quoteDecimals === null ? 'atoms of ' : ''}${assetWords(request.quoteKey)}`

/** Values of controlled holdings; for an older study, those of all holdings. */
function lossesOf({ counted, drivers, controlled }: Scenario) {
  if (!controlled?.beforeQuote || !controlled.lossQuote || !controlled.drivers)
    return { ...counted, drivers }
  const { beforeQuote, lossQuote, realisableQuote } = controlled
  return { beforeQuote, lossQuote, realisableQuote, drivers: controlled.drivers }
}

/** From mark-to-market to liquidation value, in the scenario with the largest loss. */
function waterfallChart(study: Study): ChartSpec {
  const { scenarios, request } = study
  const lossOf = (scenario: Scenario) => Number(lossesOf(scenario).lossQuote)
  const [worst] = scenarios.toSorted((a, b) => lossOf(b) - lossOf(a))
  const isControlled = worst && lossesOf(worst).beforeQuote !== worst.counted.beforeQuote
  const counted = isControlled ? ' Only proven and attested holdings count.' : ''
  const none = 'No scenario was computed.'
  const unit = unitOf(study)
  const about = {
    x: 'step',
    role: 'estimate',
    where: worst ? { id: worst.scenarioId } : {},
  } as const
  const ownToken = request.ownToken === 'COUNTED' ? 'included' : 'not included'
  return {
    id: 'stress-waterfall',
    kind: 'waterfall',
    title: 'From mark value to liquidation value',
    summary: worst
      ? `${worst.label}: the largest loss of ${scenarios.length} scenarios. Each bar starts at the end of the bar above.${counted}`
      : none,
    x: named,
    y: { label: 'Value', unit, scale: 'linear' },
    table: {
      columns: stepColumns(unit),
      rows: scenarios.flatMap((scenario) => stepRows(study, scenario)),
    },
    series: [
      { ...about, id: 'change', label: 'Change', mark: 'bar', y: ['change'], class: 'kind' },
      { ...about, id: 'total', label: 'Value', mark: 'total', y: ['total'] },
    ],
    classes: [{ value: 'HELD', label: 'Still held, counts as zero', tone: 'hold' }],
    notes: worst ? [`Scenario: ${worst.label}. Own token ${ownToken}.`] : [],
    empty: none,
  }
}

const stepColumns = (unit: string) =>
  columnsOf({
    scenario: 'Scenario',
    step: 'Step',
    change: ['Change', unit],
    total: ['Value', unit],
    kind: 'Kind',
    id: 'Scenario ID',
    driver: 'Driver',
  })

function stepRows(study: Study, scenario: Scenario): ChartCells[] {
  const { scenarioId, label, legs } = scenario
  const { beforeQuote, drivers, realisableQuote } = lossesOf(scenario)
  const totalRow = (step: string, atoms: string): ChartCells => [
    ...[label, step, null, quote(atoms, study), '', scenarioId, ''],
  ]
  return [
    totalRow('Mark-to-market value', beforeQuote),
    ...drivers.flatMap(({ subject, lossQuote }): ChartCells[] => {
      if (BigInt(lossQuote) === 0n) return []
      const name = subject.split(' ').at(-1) ?? subject
      const step = legText(legs[Number.parseInt(subject, 10)]) ?? driverTexts[name] ?? subject
      const kind = ['LOCKED', 'FROZEN', 'UNSOLD'].includes(name) ? 'HELD' : ''
      const change = quote(-BigInt(lossQuote), study)
      return [[label, step, change, null, kind, scenarioId, subject]]
    }),
    totalRow('Liquidation value', realisableQuote),
  ]
}

const driverTexts: Readonly<Record<string, string>> = {
  IMPACT: 'Sale costs',
  RECOVERY: 'Peg recovery',
  LOCKED: 'Restricted longer',
  FROZEN: 'Frozen longer',
  UNSOLD: 'Unsold in time',
}

/** Label of a price leg; null for other drivers. */
function legText(leg: Scenario['legs'][number] | undefined): string | null {
  const percent = (pips: number) => `${pips > 0 ? '+' : '−'}${Math.abs(pips) / 10_000} %`
  switch (leg?.kind) {
    case 'PRICE':
      return `${'tier' in leg ? leg.tier : assetWords(leg.asset)} ${percent(leg.movePips)}`
    case 'DEPEG':
      return `${assetWords(leg.asset)} ${percent(leg.pricePips - 1_000_000)} for ${leg.days} days`
    case 'CORRELATED':
      return `With ${assetWords(leg.factor)} ${percent(leg.movePips)}`
    case 'HISTORICAL':
      return `As ${leg.from.slice(0, 10)} to ${leg.to.slice(0, 10)}`
    default:
      return null
  }
}

/** Values of controlled holdings; for an older study, those of all holdings. */
const headlineOf = ({ controlled, counted, coverage, runwayMonthsX3, breaches }: Outcome) =>
  controlled ?? {
    realisableQuote: counted.realisableQuote,
    coveragePips: coverage.coveragePips,
    runwayMonthsX3,
    breaches,
  }

const assertedOf = (outcome: Outcome) =>
  BigInt(outcome.counted.realisableQuote) - BigInt(headlineOf(outcome).realisableQuote)

/** Value, coverage, runway and breaches of every scenario next to those of today. */
function outcomesChart(study: Study): ChartSpec {
  const { before, scenarios, reverse } = study
  const outcomes = [
    ...(before ? [{ label: 'Now', outcome: before as Outcome }] : []),
    ...scenarios.map((outcome) => ({ label: outcome.label, outcome })),
  ]
  const hasAsserted = outcomes.some(({ outcome }) => assertedOf(outcome) !== 0n)
  const counted = hasAsserted
    ? ' Only proven and attested holdings count; asserted holdings are shown separately.'
    : ''
  const unit = unitOf(study)
  return {
    id: 'stress-outcomes',
    kind: 'bars',
    title: 'Result of each scenario',
    summary: `Liquidation value, coverage (liquid assets over 30-day net outflow) and runway in months, now and after ${scenarios.length} scenarios, in ${unit}.${counted}`,
    x: named,
    y: { label: 'Liquidation value', unit, scale: 'linear' },
    table: {
      columns: outcomeColumns(unit),
      rows: outcomes.map(({ label, outcome }) => outcomeRow(study, label, outcome)),
    },
    series: hasAsserted ? outcomeSeries : outcomeSeries.slice(0, 1),
    note: 'note',
    notes: reverse.map((one) => describeReverse(study, one)),
    empty: 'No holding has a price.',
  }
}

const held = { mark: 'bar', role: 'estimate', x: 'scenario', stack: 'held' } as const
const outcomeSeries: readonly ChartSeries[] = [
  { ...held, id: 'value', label: 'Proven and attested holdings', y: ['value'] },
  { ...held, id: 'asserted', label: 'Asserted holdings', y: ['asserted'] },
]
const outcomeColumns = (unit: string) =>
  columnsOf({
    scenario: 'Scenario',
    value: ['Liquidation value', unit],
    asserted: ['Asserted holdings', unit],
    note: 'Summary',
    coverage: ['Coverage', '%'],
    runway: ['Runway', 'months'],
    breaches: 'Limits breached',
    allValue: ['Liquidation value of all holdings', unit],
    allCoverage: ['Coverage by all holdings', '%'],
    allRunway: ['Runway of all holdings', 'months'],
    allBreaches: 'Limits breached by all holdings',
  })

function outcomeRow(study: Study, label: string, outcome: Outcome): ChartCells {
  const figures = ({
    coveragePips,
    runwayMonthsX3,
    breaches,
  }: Pick<Outcome, 'runwayMonthsX3' | 'breaches'> & { coveragePips: string | null }) => [
    ...[coveragePips && decimalOf(coveragePips, 4), runwayMonthsX3 && decimalOf(runwayMonthsX3, 3)],
    breaches.map(({ metric }) => metricTexts[metric]).join(', '),
  ]
  const headline = headlineOf(outcome)
  const { counted, coverage, runwayMonthsX3, breaches } = outcome
  const all = figures({ coveragePips: coverage.coveragePips, runwayMonthsX3, breaches })
  return [
    ...[label, quote(headline.realisableQuote, study), quote(assertedOf(outcome), study)],
    ...[
      noteOf(study, outcome),
      ...figures(headline),
      quote(counted.realisableQuote, study),
      ...all,
    ],
  ]
}

/** The asserted part of the value, coverage, runway and the limits. */
function noteOf(study: Study, outcome: Outcome): string {
  const { realisableQuote, coveragePips, runwayMonthsX3, breaches } = headlineOf(outcome)
  const asserted = assertedOf(outcome)
  const print = (atoms: string | bigint) => printValue(Number(quote(atoms, study)))
  const hasLimits = (study.request.limits ?? []).length > 0
  const broken = breaches.length === 0 ? 'limits hold' : `${breaches.length} broken`
  const parts = [
    `${print(realisableQuote)}${asserted === 0n ? '' : ` + ${print(asserted)} asserted`}`,
    coveragePips === null ? 'no payments due' : `${printValue(Number(coveragePips) / 10_000)} %`,
    runwayMonthsX3 === null ? '' : `${printValue(Number(runwayMonthsX3) / 1000)} months`,
    hasLimits ? broken : '',
  ]
  return parts.filter(Boolean).join(' · ')
}

const metricTexts = {
  RUNWAY_MONTHS_X3: 'runway',
  COVERAGE_PIPS: 'coverage',
  REALISABLE_QUOTE: 'liquidation value',
} as const

/** The size of a scenario at which a metric reaches its limit. */
function describeReverse(
  { scenarios }: Study,
  { metric, scenarioId, ...all }: Study['reverse'][number],
): string {
  const { severityX6, reached } = all.controlled ?? all
  const label = scenarios.find((one) => one.scenarioId === scenarioId)?.label ?? scenarioId
  const name = metricTexts[metric]
  if (!reached) return `Even 3 times “${label}” does not bring ${name} below its limit.`
  if (severityX6 === 0) return `Without a shock, ${name} falls below its limit.`
  return `At ${(severityX6 / 1e6).toFixed(4)} times “${label}”, ${name} falls below its limit.`
}

/** Simulated losses by size, with the tail and its mean. */
function lossesChart(study: Study): ChartSpec {
  const { monteCarlo, request } = study
  const drawn = monteCarlo?.controlled ?? monteCarlo
  const [days, percent] = [request.horizonDays ?? 30, confidencePipsOf(study) / 10_000]
  const isControlled =
    monteCarlo?.controlled &&
    !isDeepStrictEqual(monteCarlo.controlled.histogram, monteCarlo.histogram)
  const counted = isControlled ? ' Only proven and attested holdings count.' : ''
  const none = 'No simulated paths.'
  const unit = unitOf(study)
  const mean = drawn && quote(drawn.expectedShortfallQuote, study)
  return {
    id: 'stress-losses',
    kind: 'ladder',
    title: 'Simulated losses',
    summary: monteCarlo
      ? `Mark-to-market losses of ${monteCarlo.paths} paths over ${days} days, without sales. The tail is beyond the quantile at ${percent} %; the line is its mean.${counted}`
      : none,
    x: { label: `Loss after ${days} days; negative is a gain`, unit, scale: 'linear' },
    y: { label: 'Paths', unit: '', scale: 'linear' },
    table: {
      columns: columnsOf({
        from: ['From', unit],
        to: ['To', unit],
        paths: 'Paths',
        part: 'Part',
      }),
      rows: lossRows(study),
    },
    series: [
      { ...lossBar, id: 'losses', label: 'Paths', where: { part: 'below' } },
      { ...lossBar, id: 'tail', label: `Beyond ${percent} %`, where: { part: 'tail' } },
    ],
    markers: mean ? [{ at: mean, label: `Mean beyond ${percent} %`, tone: 'bad' }] : [],
    empty: none,
  }
}

const lossBar = { mark: 'bar', role: 'estimate', x: 'from', y: ['paths', 'to'] } as const
const confidencePipsOf = ({ request }: Study) =>
  request.confidencePips ?? contract.stressConfidencePips
const quantileNames: Readonly<Record<number, 'p90' | 'p95' | 'p975' | 'p99'>> = {
  900000: 'p90',
  950000: 'p95',
  975000: 'p975',
  990000: 'p99',
}

/** Losses of controlled holdings. Older studies contain the losses of all holdings only. */
function lossRows(study: Study): string[][] {
  const drawn = study.monteCarlo?.controlled ?? study.monteCarlo
  if (!drawn) return []
  const { fromQuote, toQuote, counts } = drawn.histogram
  const name = quantileNames[confidencePipsOf(study)]
  const quantile = name && BigInt(drawn.quantiles[name])
  const span = BigInt(toQuote) - BigInt(fromQuote)
  const at = (index: number) => BigInt(fromQuote) + (span * BigInt(index)) / BigInt(counts.length)
  return counts.map((count, index) => [
    ...[quote(at(index), study), quote(at(index + 1), study), `${count}`],
    quantile !== undefined && at(index) >= quantile ? 'tail' : 'below',
  ])
}
