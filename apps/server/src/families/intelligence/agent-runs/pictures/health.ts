import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawing, drawingWidth } from '../../../../drawing/drawing.ts'
import { amountColors, fitText, ink, type Shape, textAt } from '../../../../drawing/picture.ts'
import type { Run } from '../records.ts'
import { wordsOf } from './drawn.ts'

type Area = contract.HealthReport['areas'][number]

const [top, rowHeight, findingHeight] = [40, 34, 16]
const mostDrawn = 6

const colors: Readonly<Record<contract.HealthVerdict, string>> = {
  SOUND: amountColors.gain,
  // Told from both by its lightness too.
  ATTENTION: '#e69f00',
  CRITICAL: amountColors.loss,
}

/** Every area with its verdict, and below it what was found and where. */
export function drawHealth(run: Run): Drawing {
  const report = run.report?.reportVersion === 'health-report-v1' ? run.report : null
  const about = {
    id: 'health',
    title: report ? `Health as of ${report.asOf}` : 'Health',
    description: report
      ? `${report.state}. ${report.areas.map(({ area, verdict }) => `${area}: ${verdict ?? 'not judged'}.`).join(' ')}`
      : 'There is no report yet.',
  }
  const table = {
    columns: ['area', 'verdict', 'finding', 'severity', 'figures'],
    rows: (report?.areas ?? []).flatMap(rowsOf),
  }
  if (!report) {
    const shapes = [textAt(20, 30, 'there is no report yet', { color: ink.faint })]
    return drawing(about, table, { height: 50, shapes })
  }
  const head = report.verdict === null ? wordsOf(report.state) : wordsOf(report.verdict)
  const shapes: Shape[] = [
    textAt(14, 22, `${head}, as of ${report.asOf}`, { size: 12, isBold: true }),
  ]
  let y = top
  for (const area of report.areas) {
    shapes.push(...laneOf(area, y))
    y += rowHeight + Math.min(mostDrawn, area.findings.length) * findingHeight
  }
  return drawing(about, table, { height: y + 10, shapes })
}

const toldFigures = (figures: Area['figures']) =>
  figures.map(({ name, value }) => `${name} ${value}`).join(', ')

const rowsOf = ({ area, verdict, findings }: Area) =>
  findings.length === 0
    ? [[area, verdict, null, null, null]]
    : findings.map(({ code, severity, figures }) => [
        ...[area, verdict, code, severity, toldFigures(figures)],
      ])

function laneOf({ area, verdict, findings }: Area, y: number): Shape[] {
  const fill = verdict ? colors[verdict] : null
  return [
    {
      ...{ kind: 'rect', x: 14, y: y + 2, width: 12, height: 12, fill },
      stroke: { color: fill ?? ink.axis, width: 1 },
    },
    textAt(36, y + 12, wordsOf(area), { size: 11, isBold: true }),
    textAt(150, y + 12, verdict ? wordsOf(verdict) : 'could not be judged', {
      ...{ size: 11, color: verdict ? ink.text : ink.faint },
    }),
    ...findings
      .slice(0, mostDrawn)
      .map(({ code, figures }, place) =>
        textAt(
          ...([150, y + 28 + place * findingHeight] as const),
          fitText(`${wordsOf(code)}: ${toldFigures(figures)}`, drawingWidth - 170, 9.5),
          { size: 9.5, color: ink.faint },
        ),
      ),
  ]
}
