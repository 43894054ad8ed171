import {
  type ChartCells,
  type ChartClass,
  type ChartSeries,
  type ChartSpec,
  cellSeries,
  columnsOf,
  decimalOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { textOrEmpty } from '../../../texts.ts'
import { type Lane, summarizeReport } from './assessment-lanes.ts'
import { citedOf, spoken } from './cited-figures.ts'
import {
  type DrawnRun,
  figureText,
  metricWords,
  type Report,
  researchOf,
  unitWords,
  verdictWords,
  wordsOf,
} from './drawn.ts'
import type { Trial } from './records.ts'

/** The charts of a run: research, or an assessment. */
export const runCharts = (drawn: DrawnRun): ChartSpec[] =>
  drawn.run.kind === 'RESEARCH'
    ? [differencesChart(drawn), trialsChart(drawn), sentencesChart(drawn)]
    : [assessmentChart(drawn)]

type Alternative = Report['alternatives'][number]
/** Mean difference from the baseline with its interval, per alternative. */
function differencesChart({ run, quoteDecimals }: DrawnRun): ChartSpec {
  const report = researchOf(run)
  const isCompared = report !== null && report.state !== 'ABSTAINED'
  const unit = report ? unitWords(report.primary.unit, quoteDecimals) : ''
  const value = (text: string) => unitsOf(text, report, quoteDecimals)
  const direction = report?.primary.direction === 'HIGHER' ? 'Right' : 'Left'
  return {
    id: 'research-differences',
    kind: 'intervals',
    title: report
      ? `Difference from the baseline: ${metricWords[report.primary.metric]}`
      : 'Difference from the baseline',
    summary: report ? describeDifferences(report, quoteDecimals) : 'No report yet.',
    x: named,
    y: { label: 'Mean difference', unit, scale: 'linear', zero: true },
    table: {
      columns: differenceColumns(unit),
      rows: (report?.alternatives ?? []).map((one): ChartCells => {
        const { label, verdict, difference } = one
        const values = difference
          ? [difference.mean, difference.low, difference.high].map(value)
          : [null, null, null]
        const confidence = difference ? decimalOf(`${difference.confidencePips}`, 4) : null
        const note = describeAlternative(one, report, quoteDecimals)
        return [label, verdict, ...values, confidence, note]
      }),
    },
    series: isCompared ? [differenceSeries] : [],
    markers: isCompared ? guidesOf(report, value) : [],
    note: 'note',
    notes: isCompared ? [`${direction} is better.`] : [],
    empty: report ? `No comparison: ${report.reasons.join(', ')}` : 'No report yet.',
  }
}

const differenceSeries: ChartSeries = {
  id: 'difference',
  label: 'Difference',
  mark: 'interval',
  role: 'estimate',
  x: 'alternative',
  y: ['low', 'mean', 'high'],
}
const differenceColumns = (unit: string) =>
  columnsOf({
    alternative: 'Alternative',
    verdict: 'Verdict',
    mean: ['Mean', unit],
    low: ['Low', unit],
    high: ['High', unit],
    confidence: ['Confidence', '%'],
    note: 'Summary',
  })

const unitsOf = (text: string, report: Report | null, decimals: number | null) =>
  decimalOf(text, report?.primary.unit === 'PIPS' ? 4 : (decimals ?? 0))

/** The baseline, and the minimum effect in its direction. */
function guidesOf({ primary }: Report, value: (text: string) => string) {
  const effect = BigInt(primary.minimumEffect) * (primary.direction === 'HIGHER' ? 1n : -1n)
  const baseline = { at: '0', label: 'Baseline', tone: 'neutral' } as const
  if (effect === 0n) return [baseline]
  return [{ at: value(`${effect}`), label: 'Minimum effect', tone: 'accent' } as const, baseline]
}

/** Verdict with its mean or its reason, and the guardrails. */
function describeAlternative(
  { verdict, difference, reason, guardrails }: Alternative,
  report: Report | null,
  decimals: number | null,
): string {
  const broken = guardrails.filter(({ isBroken }) => isBroken).length
  const figure =
    difference && report ? figureText(difference.mean, report.primary.unit, decimals) : reason
  const rails =
    guardrails.length === 0
      ? []
      : [`${guardrails.length - broken} of ${guardrails.length} guardrails met`]
  return [verdictWords[verdict], ...(figure === null ? [] : [figure]), ...rails].join(', ')
}

function describeDifferences(
  { alternatives, primary, state }: Report,
  decimals: number | null,
): string {
  const unit = unitWords(primary.unit, decimals)
  const print = (value: string) => figureText(value, primary.unit, decimals)
  const descriptions = alternatives.map(({ label, verdict, difference, reason }) =>
    difference
      ? `${label}: ${verdictWords[verdict]}, mean ${print(difference.mean)} ${unit}, interval ${print(difference.low)} to ${print(difference.high)}.`
      : `${label}: ${verdictWords[verdict]}${reason === null ? '' : ` (${reason})`}.`,
  )
  return `${state === 'ABSTAINED' ? 'Result withheld. ' : ''}${descriptions.join(' ')}`
}

const stateWords: Readonly<Record<Trial['state'], string>> = {
  PENDING: 'not run yet',
  RUNNING: 'running',
  COMPLETED: 'completed on all paths',
  FAILED: 'failed',
  INCOMPATIBLE: 'incompatible',
}
const trialClasses: readonly (ChartClass & { readonly value: Trial['state'] })[] = [
  { value: 'PENDING', label: 'Not run yet', tone: 'neutral', isHatched: true },
  { value: 'RUNNING', label: 'Running', tone: 'accent' },
  { value: 'COMPLETED', label: 'Completed', tone: 'good' },
  { value: 'FAILED', label: 'Failed', tone: 'bad', isHatched: true },
  { value: 'INCOMPATIBLE', label: 'Incompatible', tone: 'bad', isHatched: true },
]

/** The protocol, sealed or not, with the state of each trial. */
function trialsChart({ run }: DrawnRun): ChartSpec {
  const { trials, phase, question, protocolHash, usage, budget } = run
  const lock = protocolHash ? `Sealed before the data: ${protocolHash}` : 'Not sealed yet'
  const states = trials.map(({ state }) => state)
  return {
    id: 'research-trials',
    kind: 'heat',
    title: 'Protocol and trials',
    summary: `The run is ${wordsOf(phase)}. ${trials.map(({ label, state }) => `${label}: ${stateWords[state]}.`).join(' ')} Failed trials stay listed.`,
    x: named,
    table: {
      columns: trialColumns,
      rows: trials.map(({ trialKey, label, state, attempts, reason }): ChartCells => {
        const outcome = reason === null ? stateWords[state] : `${stateWords[state]}: ${reason}`
        return [trialKey, label, state, `${attempts}`, reason, outcome]
      }),
    },
    series: cellSeries('name', {
      outcome: ['State', 'state'],
      attempts: 'Attempts',
      key: 'Trial',
    }),
    classes: usedClasses(trialClasses, states),
    notes: [
      ...[textOrEmpty(question)].filter((text) => text !== ''),
      lock,
      `Phase: ${wordsOf(phase)}, ${usage.steps} of ${budget.maximumSteps} steps`,
    ],
    empty: 'No trials.',
  }
}

const trialColumns = columnsOf({
  key: 'Trial',
  name: 'Label',
  state: 'State',
  attempts: 'Attempts',
  reason: 'Reason',
  outcome: 'Outcome',
})

/** Every sentence of the report with its sources; the report rejects uncited figures. */
function sentencesChart({ run, quoteDecimals }: DrawnRun): ChartSpec {
  const report = researchOf(run)
  const sentences = report?.narrative.sentences ?? []
  const dropped = report?.narrative.droppedSentences ?? 0
  return {
    id: 'research-sentences',
    kind: 'heat',
    title: 'Report sentences and their sources',
    summary: report
      ? `${sentences.length} sentences, each with a source in the report. ${dropped} draft sentences without a source were left out.`
      : 'No report yet.',
    x: named,
    table: {
      columns: sentenceColumns,
      rows: report
        ? sentences.flatMap((one, index) => sentenceRows(one, index, { report, quoteDecimals }))
        : [],
    },
    series: cellSeries('name', { shown: 'Sentence', place: 'Source', figure: 'Value' }),
    notes: dropped > 0 ? [`${dropped} draft sentences without a source were left out`] : [],
    empty: report ? 'The report has no sentences.' : 'No report yet.',
  }
}

const sentenceColumns = columnsOf({
  sentence: 'Sentence',
  pointer: 'Source in the report',
  value: 'Value in the report',
  name: 'Number',
  shown: 'Sentence with units',
  place: 'Source',
  figure: 'Value',
})

/** A row for each source, cited in the same order; the first one has the sentence. */
function sentenceRows(
  sentence: Report['narrative']['sentences'][number],
  index: number,
  terms: { readonly report: Report; readonly quoteDecimals: number | null },
): ChartCells[] {
  const cited = sentence.citations.map((one) => citedOf(one, terms))
  const text = spoken(sentence, cited)
  return sentence.citations.map(({ pointer, value }, at) => {
    const figure = cited[at]!
    return [
      ...[sentence.text, pointer, value, at === 0 ? `${index + 1}` : ''],
      ...[at === 0 ? text : '', figure.place, figure.value],
    ]
  })
}

const withheldWords = {
  ROLE: 'This report requires a role that can review.',
  VERSION: 'The proposal has changed since this review.',
} as const

/** The absence of findings is not a positive result, so its color is neutral. */
const verdictClasses: readonly ChartClass[] = [
  { value: 'SOUND', label: 'Sound', tone: 'good' },
  { value: 'NOTHING_FOUND', label: 'Nothing found', tone: 'neutral' },
  { value: 'ATTENTION', label: 'Attention', tone: 'warn' },
  { value: 'CRITICAL', label: 'Critical', tone: 'bad' },
  { value: 'NONE', label: 'No verdict', tone: 'neutral', isHatched: true },
]

/** Every area with its verdict, followed by findings and their locations. */
function assessmentChart({ report, withheld }: DrawnRun): ChartSpec {
  if (!report || report.reportVersion === 'research-report-v1') {
    const summary = withheld ? withheldWords[withheld] : 'No report yet.'
    const table = { columns: findingColumns, rows: [] }
    const about = { id: 'judgement', title: 'Assessment', summary, x: named, table }
    return { ...about, kind: 'heat', series: findingSeries, empty: summary }
  }
  const { title, description: summary, head, lanes, foot } = summarizeReport(report)
  const rows = lanes.flatMap(laneRows)
  return {
    id: report.reportVersion.replace(/-report-v1$/, ''),
    kind: 'heat',
    title,
    summary,
    x: named,
    table: { columns: findingColumns, rows },
    series: findingSeries,
    classes: usedClasses(
      verdictClasses,
      rows.map((row) => row[6] ?? null),
    ),
    notes: foot === null ? [head] : [head, foot],
    empty: 'No areas.',
  }
}

const findingSeries = cellSeries('name', {
  outcome: ['Verdict', 'class'],
  finding: 'Finding',
}).map((one): ChartSeries => ({ ...one, where: { shown: 'yes' } }))
const findingColumns = columnsOf({
  area: 'Area',
  verdict: 'Verdict',
  code: 'Code',
  severity: 'Severity',
  figures: 'Figures',
  name: 'Name',
  class: 'Class',
  outcome: 'Outcome',
  finding: 'Finding',
  shown: 'In the chart',
})

/** Findings of a lane in the chart; the table has all. */
const maxFindings = 6

/** A row for each finding; the first one has the verdict. */
function laneRows(lane: Lane): ChartCells[] {
  const { name, verdict, isAssessed, findings } = lane
  const first = [wordsOf(name), verdict ?? (isAssessed ? 'NONE' : ''), outcomeOf(lane)]
  if (findings.length === 0) return [[name, verdict, null, null, null, ...first, '', 'yes']]
  return findings.map(({ code, severity = null, figures }, index) => {
    const texts = figures.map((figure) => `${figure.name} ${figure.value}`).join(', ')
    return [
      ...[name, verdict, code, severity, texts, ...(index === 0 ? first : ['', '', ''])],
      ...[`${wordsOf(code)}: ${texts}`, index < maxFindings ? 'yes' : 'no'],
    ]
  })
}

/** Verdict text of a lane. States if no verdict was possible or no finding exists. */
function outcomeOf({ verdict, isAssessed, findings }: Lane): string {
  const silent = isAssessed ? 'no verdict possible' : findings.length === 0 ? 'nothing' : ''
  const hidden = findings.length > maxFindings ? [`and ${findings.length - maxFindings} more`] : []
  const outcome = verdict ? wordsOf(verdict) : silent
  return [...(outcome === '' ? [] : [outcome]), ...hidden].join(', ')
}
