import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { metricWords, unitOfMetric, verdictWords } from '../../intelligence/agent-runs/api.ts'
import { valueWords } from './document/words.ts'
import type { InputOption, Metric, MetricInput, Pack } from './pack-types.ts'

type Report = contract.ResearchReport
type Run = VersionedRecord<contract.AgentRun>
type Figure = Pick<MetricInput, 'metricId' | 'value' | 'pointer'>
type Guardrail = Report['alternatives'][number]['guardrails'][number]

/**
 * Options of a research report: the baseline is the status quo, followed by the alternatives in
 * protocol order. An option without outcome states the reason. Figures are exact copies of those in
 * the report. The verdict does not affect the comparison of options.
 *
 * @param units decimals of the quote, used for risk texts
 */
export function researchOptions(run: Run, report: Report, units: Pack['units']): InputOption[] {
  const { id, resourceType, resourceVersion } = run
  const source = { id, resourceType, resourceVersion }
  const bound = (figures: readonly Figure[]): MetricInput[] =>
    figures.map((figure) => ({ ...figure, source, better: better(report, figure.metricId) }))
  return [
    {
      optionId: 'baseline',
      label: 'No change',
      statusQuo: true,
      summary: `The baseline of the research “${report.question}”.`,
      metrics: bound(baselineFigures(report)),
      risks: [],
      reversibility: 'REVERSIBLE',
      requires: [],
    },
    ...report.alternatives.map((alternative, index): InputOption => {
      const { trialKey, label, reason, verdict } = alternative
      return {
        optionId: trialKey,
        label,
        statusQuo: false,
        summary: `Simulated result vs the baseline: ${verdictWords[verdict]}.`,
        metrics: bound(alternativeFigures(report, index)),
        risks: [
          ...(reason === null ? [] : [`No simulated result: ${reason}`.slice(0, 500)]),
          ...alternative.guardrails
            .filter(({ isBroken }) => isBroken)
            .map((guardrail) => brokenWords(report, guardrail, units)),
        ],
        reversibility: 'COSTLY',
        requires: [],
      }
    }),
  ]
}

const statisticWords = { MEAN: 'mean', P05: '5 % quantile', P95: '95 % quantile' } as const

function brokenWords(
  report: Report,
  { metric, statistic, comparator, value, threshold }: Guardrail,
  units: Pack['units'],
): string {
  const measured = unitIn(report, unitOfMetric(metric))
  const [found, bound] = [value, threshold].map((one) => valueWords({ units }, measured, one))
  const wanted = `${comparator === 'GTE' ? 'at least' : 'at most'} ${bound}`
  return `Breaches the guardrail: ${metricWords[metric]}, ${statisticWords[statistic]} ${found}, required ${wanted}`
}

const nameOf = (metric: string) => metric.toLowerCase().replaceAll('_', '-')

/** Better direction of a metric. The protocol defines it only for its primary metric. */
const better = ({ primary }: Report, metricId: string): Metric['better'] =>
  metricId === nameOf(primary.metric) ? primary.direction : 'NEITHER'

function baselineFigures(report: Report): Figure[] {
  const { metric } = report.primary
  const compared = report.alternatives.findIndex(({ secondary }) => secondary.length > 0)
  return [
    ...meanOf(metric, report.baseline.primary?.mean, '/payload/report/baseline/primary'),
    ...(report.alternatives[compared]?.secondary ?? []).flatMap((one, index) => {
      const at = `/payload/report/alternatives/${compared}/secondary/${index}/baseline`
      return meanOf(one.metric, one.baseline.mean, at)
    }),
  ]
}

function alternativeFigures(report: Report, index: number): Figure[] {
  const { metric } = report.primary
  const alternative = report.alternatives[index]
  if (!alternative) throw new Error(`The report has no alternative ${index}.`)
  const at = `/payload/report/alternatives/${index}`
  const { difference, secondary, verdict } = alternative
  return [
    ...meanOf(metric, alternative.primary?.mean, `${at}/primary`),
    ...(difference
      ? (['low', 'high'] as const).map((end) => ({
          metricId: `difference-${end}`,
          value: difference[end],
          pointer: `${at}/difference/${end}`,
        }))
      : []),
    ...secondary.flatMap((one, index) =>
      meanOf(one.metric, one.alternative.mean, `${at}/secondary/${index}/alternative`),
    ),
    { metricId: 'verdict', value: verdict, pointer: `${at}/verdict` },
  ]
}

const meanOf = (
  metric: contract.ResearchMetric,
  value: string | undefined,
  at: string,
): Figure[] =>
  value === undefined ? [] : [{ metricId: nameOf(metric), value, pointer: `${at}/mean` }]

const unitIn = ({ quoteAsset }: Report, unit: Report['primary']['unit']) =>
  unit === 'PIPS' ? { unit: 'PIPS' as const } : { unit: 'ATOMS' as const, asset: quoteAsset }
