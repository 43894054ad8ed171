import {
  type Drawing,
  drawing,
  fitText,
  ink,
  lineBetween,
  type Shape,
  styleOf,
  textAt,
  widthOf,
  wrapText,
} from '@liquidity-os/drawing'
import { type DrawnRun, type Finding, type Run, type ToldFigure, tellFigure } from './drawn.ts'

const findingsShown = 12
const [left, middle, right, top] = [16, 380, 744, 24]
const [lineHeight, figureHeight, barHeight] = [15, 16, 6]
const blue = styleOf(0).color

/** What a part of a run found: each sentence beside its figures, with their units; a share is a bar as well. */
export function drawSection(section: Run['sections'][number], drawn: DrawnRun): Drawing {
  const { id, title, findings } = section
  const told = findings.map((finding) => ({
    finding,
    figures: finding.figures.map((figure) => tellFigure(figure, drawn)),
  }))
  const shapes: Shape[] = []
  let y = top
  for (const { finding, figures } of told.slice(0, findingsShown)) {
    const row = rowOf(finding, figures, y)
    shapes.push(...row.drawn)
    y += row.height
  }
  const hidden = findings.length - findingsShown
  if (hidden > 0) {
    shapes.push(textAt(left, y + 8, `${hidden} more in the record`, { size: 10, color: ink.faint }))
  }
  return drawing(
    {
      ...{ id: `workflow-${id}`, title },
      description: told
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
  )
}

function rowOf({ text }: Finding, figures: readonly ToldFigure[], y: number) {
  const lines = wrapText(text, middle - left - 24, 10.5)
  const heights = figures.map(({ share }) => figureHeight + (share === null ? 0 : barHeight + 4))
  const height = Math.max(
    lines.length * lineHeight,
    heights.reduce((sum, one) => sum + one, 0),
  )
  const drawn: Shape[] = [
    lineBetween({ x: left, y: y - 12 }, { x: right, y: y - 12 }, { color: ink.grid, width: 0.7 }),
    ...lines.map((line, at) => textAt(left, y + 4 + at * lineHeight, line, { size: 10.5 })),
  ]
  let at = y + 4
  for (const [place, figure] of figures.entries()) {
    drawn.push(...figureShapes(figure, at))
    at += heights[place] ?? 0
  }
  return { height: height + 16, drawn }
}

function figureShapes({ what, value, share }: ToldFigure, y: number): Shape[] {
  const shown = fitText(value, 260, 10.5, true)
  const room = right - middle - widthOf(shown, 10.5, true) - 14
  return [
    textAt(middle, y, fitText(what, room, 10), { size: 10, color: ink.faint }),
    textAt(right, y, shown, { size: 10.5, anchor: 'end', isBold: true }),
    ...(share === null ? [] : barOf(Math.min(1, Math.max(0, share)), y + 5)),
  ]
}

function barOf(share: number, y: number): Shape[] {
  const box = { x: middle, y, height: barHeight }
  const width = right - middle
  return [
    { kind: 'rect', ...box, width, fill: '#f2f2f2' },
    { kind: 'rect', ...box, width: width * share, fill: blue },
  ]
}
