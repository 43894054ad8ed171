import { type Drawing, drawing, drawingWidth } from '../../../../drawing/drawing.ts'
import { amountColors, fitText, ink, type Shape, textAt } from '../../../../drawing/picture.ts'
import type { JudgedReport } from '../judged/judged-kind.ts'
import { type DrawnRun, wordsOf } from './drawn.ts'

const [top, rowHeight, findingHeight] = [40, 34, 16]
const mostDrawn = 6

/** That nothing was found is no good sign, and has no color of one. */
const colors: Readonly<Record<string, string>> = {
  SOUND: amountColors.gain,
  NOTHING_FOUND: ink.axis,
  // Told from both by its lightness too.
  ATTENTION: '#e69f00',
  CRITICAL: amountColors.loss,
}

/** A row of the picture: what was judged or asked, what that came to, and what was found. */
interface Lane {
  readonly name: string
  /** Null where it could not be judged; a lane of what is no judgement has no mark. */
  readonly verdict: string | null
  readonly isJudged: boolean
  readonly findings: readonly Found[]
}

interface Found {
  readonly code: string
  readonly severity?: string
  readonly figures: readonly { readonly name: string; readonly value: string }[]
}

const titles: Readonly<Record<JudgedReport['reportVersion'], string>> = {
  'health-report-v1': 'Health',
  'proposal-review-report-v1': 'What was found of the proposal',
}

const withheldWords = {
  ROLE: 'It is for roles that may review.',
  VERSION: 'The proposal has another version now than the one that was reviewed.',
} as const

/** Every area with its verdict, and below it what was found and where. */
export function drawJudgement({ report: told, withheld }: DrawnRun): Drawing {
  const report = told?.reportVersion === 'research-report-v1' ? null : told
  const about = report
    ? {
        id: idOf(report),
        title: `${titles[report.reportVersion]} as of ${report.asOf}`,
        description: `${report.state}. ${report.areas.map(({ area, verdict }) => `${area}: ${verdict ?? 'not judged'}.`).join(' ')}`,
      }
    : {
        id: 'judgement',
        title: 'What was judged',
        description: withheld ? withheldWords[withheld] : 'There is no report yet.',
      }
  const lanes = report ? lanesOf(report) : []
  const table = {
    columns: ['area', 'verdict', 'finding', 'severity', 'figures'],
    rows: lanes.flatMap(rowsOf),
  }
  if (!report) {
    const shapes = [textAt(20, 30, about.description, { color: ink.faint })]
    return drawing(about, table, { height: 50, shapes })
  }
  const head = report.verdict === null ? wordsOf(report.state) : wordsOf(report.verdict)
  const shapes: Shape[] = [
    textAt(14, 22, `${head}, as of ${report.asOf}`, { size: 12, isBold: true }),
  ]
  let y = top
  for (const lane of lanes) {
    shapes.push(...laneShapes(lane, y))
    y += rowHeight + Math.min(mostDrawn, lane.findings.length) * findingHeight
  }
  if (report.reportVersion === 'proposal-review-report-v1') {
    shapes.push(textAt(14, y + 4, report.statement, { size: 10, isBold: true }))
    y += 16
  }
  return drawing(about, table, { height: y + 10, shapes })
}

const idOf = ({ reportVersion }: JudgedReport) => reportVersion.replace(/-report-v1$/, '')

function lanesOf(report: JudgedReport): Lane[] {
  const areas = report.areas.map(({ area, verdict, findings }) => ({
    ...{ name: area, verdict, isJudged: true, findings },
  }))
  if (report.reportVersion === 'health-report-v1') return areas
  const beside = (name: string, findings: readonly Found[]): Lane => ({
    ...{ name, verdict: null, isJudged: false, findings },
  })
  const { disagreements, unanswered, since } = report
  const changes = (since?.changes ?? []).map(({ code, before, after }) => ({
    code,
    figures: [before, after].flatMap((figure) => figure ?? []),
  }))
  return [
    ...areas,
    beside('TEXT_AND_CALLS', disagreements),
    beside('UNANSWERED', unanswered),
    beside('SINCE_BEFORE', changes),
  ]
}

const toldFigures = (figures: Found['figures']) =>
  figures.map(({ name, value }) => `${name} ${value}`).join(', ')

const rowsOf = ({ name, verdict, findings }: Lane) =>
  findings.length === 0
    ? [[name, verdict, null, null, null]]
    : findings.map(({ code, severity = null, figures }) => [
        ...[name, verdict, code, severity, toldFigures(figures)],
      ])

function laneShapes({ name, verdict, isJudged, findings }: Lane, y: number): Shape[] {
  const fill = verdict ? (colors[verdict] ?? null) : null
  const mark: Shape = {
    ...{ kind: 'rect', x: 14, y: y + 2, width: 12, height: 12, fill },
    stroke: { color: fill ?? ink.axis, width: 1 },
  }
  const unjudged = isJudged ? 'could not be judged' : findings.length === 0 ? 'nothing' : ''
  const hidden = findings.length > mostDrawn ? `, and ${findings.length - mostDrawn} more` : ''
  return [
    ...(isJudged ? [mark] : []),
    textAt(36, y + 12, wordsOf(name), { size: 11, isBold: true }),
    textAt(150, y + 12, verdict ? `${wordsOf(verdict)}${hidden}` : `${unjudged}${hidden}`, {
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
