import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  fitText,
  ink,
  letterOn,
  lineBetween,
  type Paper,
  type Shape,
  styleOf,
  type TableCell,
  textAt,
  widthOf,
  wrapText,
} from '@liquidity-os/drawing'
import { type DrawnRun, describeFigure, type FigureText, type Finding, type Run } from './drawn.ts'

const findingsShown = 12
const [left, top] = [16, 24]
const columns = { text: [left, 356], figure: [380, 744] } as const
type Cells = Columns<keyof typeof columns>
const [lineHeight, figureHeight, barHeight] = [15, 16, 6]
const blue = styleOf(0).color
const minName = 30

/** A section of a run: each sentence with its figures and units. Shares also appear as bars. */
export function drawSection(
  section: Run['sections'][number],
  drawn: DrawnRun,
  paper: Paper,
): Drawing {
  const cells = columnsOn(paper, columns, [['text'], ['figure']])
  const { id, title, findings } = section
  const rows = findings.map((finding) => ({
    finding,
    figures: finding.figures.map((figure) => describeFigure(figure, drawn)),
  }))
  const shapes: Shape[] = []
  let y = top
  for (const { finding, figures } of rows.slice(0, findingsShown)) {
    const row = rowOf(finding, figures, y, cells, paper)
    shapes.push(...row.drawn)
    y += row.height
  }
  const hidden = findings.length - findingsShown
  if (hidden > 0) {
    shapes.push(textAt(left, y + 8, `${hidden} more in the record`, { size: 10, color: ink.faint }))
  }
  return drawing(
    {
      id: `workflow-${id}`,
      title,
      description: rows
        .slice(0, findingsShown)
        .map(({ finding, figures }) =>
          [
            finding.text,
            ...figures.map(({ what, value }) =>
              what === 'computed' ? `${value}.` : `${what}: ${value}.`,
            ),
          ].join(' '),
        )
        .join(' '),
    },
    {
      columns: ['finding', 'figure', 'unit', 'value'],
      rows: findings.flatMap(({ text, figures }) =>
        figures.length === 0
          ? [[text, '', '', '']]
          : figures.map(({ pointer, unit, value }) => [text, pointer, unit, value]),
      ),
    },
    { height: y + (hidden > 0 ? 18 : 2), shapes },
    paper,
  )
}

function rowOf(
  { text }: Finding,
  figures: readonly FigureText[],
  y: number,
  cells: Cells,
  paper: Paper,
) {
  const { text: label, figure: figureCell } = cells.of
  const lines = wrapText(text, label.end - label.x, letterOn(paper, 10.5))
  const heights = figures.map(({ share }) => figureHeight + (share === null ? 0 : barHeight + 4))
  const figuresHeight = heights.reduce((sum, one) => sum + one, 0)
  const below = cells.isStacked ? lines.length * lineHeight : 0
  const height = Math.max(lines.length * lineHeight, below + figuresHeight)
  const drawn: Shape[] = [
    lineBetween(
      { x: label.x, y: y - 12 },
      { x: figureCell.end, y: y - 12 },
      { color: ink.grid, width: 0.7 },
    ),
    ...lines.map((line, at) => textAt(label.x, y + 4 + at * lineHeight, line, { size: 10.5 })),
  ]
  let at = y + 4 + below
  for (const [index, figure] of figures.entries()) {
    drawn.push(...figureShapes(figure, at, figureCell, paper))
    at += heights[index] ?? 0
  }
  return { height: height + 16, drawn }
}

function figureShapes(
  { what, value, share }: FigureText,
  y: number,
  { x, end }: TableCell,
  paper: Paper,
): Shape[] {
  const letter = letterOn(paper, 10.5)
  // On a screen, a value too wide for its name appears alone, because truncated digits would show a
  // wrong amount.
  const max = paper.minFontSize === 0 ? (end - x) * (260 / 364) : end - x
  const shown = fitText(value, max, letter, true)
  const availableWidth = end - x - widthOf(shown, letter, true) - 14
  return [
    ...(availableWidth < minName
      ? []
      : [
          textAt(x, y, fitText(what, availableWidth, letterOn(paper, 10)), {
            size: 10,
            color: ink.faint,
          }),
        ]),
    textAt(end, y, shown, { size: 10.5, anchor: 'end', isBold: true }),
    ...(share === null
      ? []
      : barOf(Math.min(1, Math.max(0, share)), { x, y: y + 5, width: end - x })),
  ]
}

function barOf(share: number, at: { x: number; y: number; width: number }): Shape[] {
  const { width, ...box } = { ...at, height: barHeight }
  return [
    { kind: 'rect', ...box, width, fill: '#f2f2f2' },
    { kind: 'rect', ...box, width: width * share, fill: blue },
  ]
}
