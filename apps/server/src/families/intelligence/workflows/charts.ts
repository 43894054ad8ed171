import {
  type ChartCells,
  type ChartSpec,
  cellSeries,
  columnsOf,
  named,
} from '@liquidity-os/drawing'
import { type DrawnRun, describeFigure, type Finding, type Run } from './describe-figure.ts'

/** A chart for each section of a run that has findings. */
export const workflowCharts = (drawn: DrawnRun): ChartSpec[] =>
  drawn.run.sections
    .filter(({ findings }) => findings.length > 0)
    .map((section) => sectionChart(section, drawn))

/** Findings in the summary; the table has all. */
const maxFindings = 12

/** Each sentence of a section with its figures and units. */
function sectionChart(
  { id, title, findings }: Run['sections'][number],
  drawn: DrawnRun,
): ChartSpec {
  return {
    id: `workflow-${id}`,
    kind: 'heat',
    title,
    summary: findings
      .slice(0, maxFindings)
      .map((finding) => describeFinding(finding, drawn))
      .join(' '),
    x: named,
    table: { columns: findingColumns, rows: findings.flatMap((one) => findingRows(one, drawn)) },
    series: cellSeries('finding', { figure: 'Figure', value: 'Value' }),
  }
}

function describeFinding({ text, figures }: Finding, drawn: DrawnRun): string {
  const values = figures
    .map((figure) => describeFigure(figure, drawn))
    .map(({ what, value }) => (what === 'computed' ? `${value}.` : `${what}: ${value}.`))
  return [text, ...values].join(' ')
}

const findingColumns = columnsOf({
  finding: 'Finding',
  figure: 'Figure',
  value: 'Value',
  source: 'Source',
  unit: 'Unit',
  exact: 'Exact value',
})

/** A row per figure; the rows after the first continue it. */
function findingRows({ text, figures }: Finding, drawn: DrawnRun): ChartCells[] {
  if (figures.length === 0) return [[text, '', '', '', '', '']]
  return figures.map((figure, index) => {
    const { what, value } = describeFigure(figure, drawn)
    const { pointer, unit, value: exact } = figure
    return [index === 0 ? text : '', what, value, pointer, unit, exact]
  })
}
