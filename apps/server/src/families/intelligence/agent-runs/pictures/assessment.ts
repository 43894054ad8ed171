import type { contract } from '@liquidity-os/contract'
import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  lineOn,
  noteOn,
  type Paper,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import type { AssessmentReport } from '../assessed/report-kind.ts'
import { type DrawnRun, wordsOf } from './drawn.ts'

const [top, rowHeight, findingHeight] = [40, 34, 16]
const maxDrawn = 6

/** The absence of findings is not a positive result, so its color is neutral. */
const colors: Readonly<Record<string, string>> = {
  SOUND: amountColors.gain,
  NOTHING_FOUND: ink.axis,
  // Differs from both in lightness too, for color-blind readers.
  ATTENTION: '#e69f00',
  CRITICAL: amountColors.loss,
}

/** A row of the chart: a subject, its verdict and its findings. */
interface Lane {
  readonly name: string
  /** Null if no verdict was possible. A lane that has no verdict by design has no mark. */
  readonly verdict: string | null
  readonly isAssessed: boolean
  readonly findings: readonly Found[]
}

interface Found {
  readonly code: string
  readonly severity?: string
  readonly figures: readonly { readonly name: string; readonly value: string }[]
}

const withheldWords = {
  ROLE: 'This report requires a role that can review.',
  VERSION: 'The proposal has changed since this review.',
} as const

interface ReportSummary {
  readonly title: string
  readonly description: string
  readonly head: string
  readonly lanes: readonly Lane[]
  readonly foot: string | null
}

/** Every area with its verdict, followed by findings and their locations. */
export function drawAssessment({ report, withheld }: DrawnRun, paper: Paper): Drawing {
  if (!report || report.reportVersion === 'research-report-v1') {
    const description = withheld ? withheldWords[withheld] : 'No report yet.'
    const about = { id: 'judgement', title: 'Assessment', description }
    const note = noteOn(paper, { x: 20, y: 30 }, description, { color: ink.faint })
    const drawn = { height: 50 + note.more, shapes: note.shapes }
    return drawing(about, { columns, rows: [] }, drawn, paper)
  }
  const { title, description, head, lanes, foot } = summarizeReport(report)
  const heading = noteOn(paper, { x: 14, y: 22 }, head, { size: 12, isBold: true })
  const shapes: Shape[] = [...heading.shapes]
  let y = top + heading.more
  for (const lane of lanes) {
    const drawn = laneShapes(lane, y, paper)
    shapes.push(...drawn.shapes)
    y += drawn.height
  }
  if (foot !== null) {
    const words = footAt(y + 4, foot, paper)
    shapes.push(...words.shapes)
    y += 16 + words.more
  }
  const id = report.reportVersion.replace(/-report-v1$/, '')
  const table = { columns, rows: lanes.flatMap(rowsOf) }
  return drawing({ id, title, description }, table, { height: y + 10, shapes }, paper)
}

function footAt(y: number, text: string, paper: Paper) {
  const style = { size: 10, isBold: true }
  return paper.minFontSize === 0
    ? { shapes: [textAt(14, y, text, style)], more: 0 }
    : noteOn(paper, { x: 14, y }, text, style)
}

const columns = ['area', 'verdict', 'finding', 'severity', 'figures']

function summarizeReport(report: AssessmentReport): ReportSummary {
  switch (report.reportVersion) {
    case 'health-report-v1':
      return { ...summarizeAreas('Health', report), foot: null }
    case 'proposal-review-report-v1': {
      const summary = summarizeAreas('Proposal review', report)
      return {
        ...summary,
        lanes: [...summary.lanes, ...extensionAreas(report)],
        foot: report.statement,
      }
    }
    case 'public-project-report-v1':
      return summarizeProject(report)
  }
}

function summarizeAreas(
  about: string,
  report: contract.HealthReport | contract.ProposalReviewReport,
): Omit<ReportSummary, 'foot'> {
  const { asOf, state, verdict } = report
  return {
    title: `${about} as of ${asOf}`,
    description: `${state}. ${report.areas.map((one) => `${one.area}: ${one.verdict ?? 'no verdict'}.`).join(' ')}`,
    head: `${wordsOf(verdict ?? state)}, as of ${asOf}`,
    lanes: report.areas.map((one) => ({
      name: one.area,
      verdict: one.verdict,
      isAssessed: true,
      findings: one.findings,
    })),
  }
}

const unevaluated = (name: string, findings: readonly Found[]): Lane => ({
  name,
  verdict: null,
  isAssessed: false,
  findings,
})

function extensionAreas({
  disagreements,
  unanswered,
  since,
}: contract.ProposalReviewReport): Lane[] {
  const changes = (since?.changes ?? []).map(({ code, before, after }) => ({
    code,
    figures: [before, after].flatMap((figure) => figure ?? []),
  }))
  return [
    unevaluated('TEXT_AND_CALLS', disagreements),
    unevaluated('UNANSWERED', unanswered),
    unevaluated('SINCE_BEFORE', changes),
  ]
}

/** One lane per section and conclusion. Figures use the units of the observations. */
function summarizeProject({
  state,
  assetKey,
  observations,
  conclusions,
  changes,
  statement,
}: contract.PublicProjectReport): ReportSummary {
  const read = observations.map(
    ({ version, blocks }) => `${version} at block ${blocks.map(({ number }) => number).join(', ')}`,
  )
  const parts = conclusions.flatMap(({ sections, versions }) =>
    sections.map(({ id, findings }) =>
      unevaluated(
        `${id} ${versions.join(', ')}`,
        findings.map(({ code, figures }) => ({
          code,
          figures: figures.map(({ name, value, unit }) => ({
            name,
            value: unit === 'TEXT' ? value : `${value} ${wordsOf(unit)}`,
          })),
        })),
      ),
    ),
  )
  const changed = changes.map(({ pointer, kind, before, after }) => ({
    code: kind,
    figures: [{ name: pointer, value: `${before ?? 'nothing'} to ${after ?? 'nothing'}` }],
  }))
  return {
    title: `Observations of ${assetKey}`,
    description: `${state}. Observations ${read.join(' and ')}: ${statement}.`,
    head: `${wordsOf(state)}, from observation ${read.join(' and ')}`,
    lanes: [...parts, ...(observations.length > 1 ? [unevaluated('CHANGES', changed)] : [])],
    foot: statement,
  }
}

const formatFigures = (figures: Found['figures']) =>
  figures.map(({ name, value }) => `${name} ${value}`).join(', ')

const rowsOf = ({ name, verdict, findings }: Lane) =>
  findings.length === 0
    ? [[name, verdict, null, null, null]]
    : findings.map(({ code, severity = null, figures }) => [
        ...[name, verdict, code, severity, formatFigures(figures)],
      ])

/** Positions of verdict and findings: right of the lane name, or below it on narrow paper. */
const placesOn = (paper: Paper) =>
  isNarrow(paper)
    ? { name: 36, verdict: 36, drop: 16, right: paper.width - 12 }
    : { name: 36, verdict: paper.minFontSize === 0 ? 150 : 200, drop: 0, right: paper.width - 20 }

function laneShapes(lane: Lane, y: number, paper: Paper) {
  const { name, verdict, isAssessed, findings } = lane
  const { name: nameX, verdict: x, drop, right } = placesOn(paper)
  const fill = verdict ? (colors[verdict] ?? null) : null
  const mark: Shape = {
    kind: 'rect',
    x: 14,
    y: y + 2,
    width: 12,
    height: 12,
    fill,
    stroke: { color: fill ?? ink.axis, width: 1 },
  }
  const isReport = paper.minFontSize === 0
  const nameWidth = drop === 0 ? x - nameX - 10 : right - nameX
  const label = wordsOf(name)
  const shown = findings.slice(0, maxDrawn)
  const outcomeText = cameTo(lane)
  // A lane without an overall text needs no line below its name.
  let at = y + 28 + (outcomeText === '' ? 0 : drop)
  const found = shown.flatMap(({ code, figures }) => {
    const words = `${wordsOf(code)}: ${formatFigures(figures)}`
    const lines = lineOn(paper, { x, end: right, y: at }, words, { size: 9.5, color: ink.faint })
    at += findingHeight + lines.more
    return lines.shapes
  })
  return {
    shapes: [
      ...(isAssessed ? [mark] : []),
      textAt(nameX, y + 12, isReport ? label : fitText(label, nameWidth, 11, true), {
        size: 11,
        isBold: true,
      }),
      textAt(x, y + 12 + drop, outcomeText, {
        size: 11,
        color: verdict ? ink.text : ink.faint,
      }),
      ...found,
    ],
    height: at - y - 28 + rowHeight,
  }
}

/** Verdict text of a lane. States if no verdict was possible or no finding exists. */
function cameTo({ verdict, isAssessed, findings }: Lane): string {
  const silent = isAssessed ? 'no verdict possible' : findings.length === 0 ? 'nothing' : ''
  const hidden = findings.length > maxDrawn ? [`and ${findings.length - maxDrawn} more`] : []
  const came = verdict ? wordsOf(verdict) : silent
  return [...(came === '' ? [] : [came]), ...hidden].join(', ')
}
