import {
  type Drawing,
  drawing,
  emptyNote,
  extentOf,
  fitText,
  flowedKeys,
  ink,
  linearScale,
  lineBetween,
  type NamedRows,
  namedRows,
  type Paper,
  printFigure,
  printTick,
  type Shape,
  styleOf,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { type DrawnAnomaly, inWords, readable } from './drawn-anomaly.ts'

const top = 40

interface Figure {
  readonly metric: string
  readonly unit: 'QUOTE_ATOMS' | 'PIPS'
  readonly low: number
  readonly median: number
  readonly high: number
  readonly realized: readonly number[]
  readonly z: number
}

/**
 * Each realized figure of the arm within the middle 95 % of its paths. Each row has a separate
 * scale.
 */
export function drawDivergence(anomaly: DrawnAnomaly, paper: Paper): Drawing {
  const layout = namedRows(paper, { left: 150, rightMargin: 200, height: 46 })
  const keys = flowedKeys(keysAt(layout.left), paper)
  const metrics = [...new Set(anomaly.contributors.map(({ kind }) => kind))]
  const found = metrics.flatMap((metric) => figureOf(metric, anomaly) ?? [])
  const shapes: Shape[] = found.flatMap((figure, index) =>
    rowOf(figure, top + keys.more + index * layout.height + layout.drop, layout),
  )
  const height = top + keys.more + Math.max(1, found.length) * layout.height + 14
  const nothing = { x: 0, y: top, width: paper.width, height: layout.height }
  return drawing(
    {
      id: 'anomaly-divergence',
      title: 'Realized results vs simulated paths',
      description: anomaly.explanation,
    },
    {
      columns: ['kind', 'ref', 'amount'],
      rows: anomaly.contributors.map(({ kind, ref, amount }) => [kind, ref, amount]),
    },
    {
      height,
      shapes:
        found.length === 0 ? [emptyNote(nothing, 'No comparison.')] : [...shapes, ...keys.shapes],
    },
    paper,
  )
}

function figureOf(metric: string, anomaly: DrawnAnomaly): Figure | null {
  const of = anomaly.contributors.filter(({ kind }) => kind === metric)
  const unit = metric === 'BASE_SHARE' ? ('PIPS' as const) : ('QUOTE_ATOMS' as const)
  const value = (ref: string) => {
    const amount = of.find((one) => one.ref === ref)?.amount
    return amount === undefined ? null : readable(amount, unit, anomaly)
  }
  const [low, median, high] = ['p02.5', 'p50', 'p97.5'].map((p) => value(`SIMULATED ${p}`))
  if (low == null || median == null || high == null) return null
  const realized = of
    .filter(({ ref }) => ref.startsWith('REALIZED'))
    .map(({ amount }) => readable(amount, unit, anomaly))
    .toSorted((a, b) => a - b)
  const z = Number(of.find(({ ref }) => ref === 'Z_MILLI')?.amount ?? 0) / 1000
  return { metric, unit, low, median, high, realized, z }
}

function rowOf(
  { metric, unit, low, median, high, realized, z }: Figure,
  y: number,
  layout: NamedRows,
): Shape[] {
  const { left, right } = layout

  const [from, to] = extentOf([low, high, ...realized])
  const margin = (to - from) * 0.08 || 1
  const x = linearScale([from - margin, to + margin], [left, right])
  const middle = y + 16
  const [paths, real] = [styleOf(0), styleOf(1)]
  const band = {
    x: x.at(low),
    y: middle - 8,
    width: Math.max(1, x.at(high) - x.at(low)),
    height: 16,
  }
  const isOut = realized.every((value) => value < low || value > high)
  const words = unit === 'PIPS' ? '%' : 'quote'
  const name = inWords(metric)
  const value = `${realized.map(printFigure).join(' … ')} ${words}`
  const detail = `median ${printFigure(median)}, score ${printTick(z, 0.1)}`
  return [
    ...(layout.isNarrow
      ? wordsAbove(layout, { name, value, top: y + 6 })
      : [
          textAt(left - 12, middle + 3.5, fitText(name, left - 18, 10.5), {
            size: 10.5,
            anchor: 'end',
          }),
        ]),
    lineBetween({ x: left, y: middle }, { x: right, y: middle }, { color: ink.grid, width: 0.7 }),
    { kind: 'rect', ...band, fill: '#cfe2ee', stroke: { color: paths.color, width: 0.8 } },
    lineBetween(
      { x: x.at(median), y: middle - 8 },
      { x: x.at(median), y: middle + 8 },
      {
        color: paths.color,
        width: 2,
      },
    ),
    ...realized.map(
      (value): Shape => ({
        kind: 'mark',
        form: 'diamond',
        x: x.at(value),
        y: middle,
        size: 8,
        color: real.color,
        isHollow: !isOut,
      }),
    ),
    ...(layout.isNarrow
      ? [textAt(left, middle + 22, detail, { size: 11, color: ink.faint })]
      : [
          textAt(right + 14, middle - 1, value, { size: 9.5 }),
          textAt(right + 14, middle + 11, detail, { size: 9.5, color: ink.faint }),
        ]),
  ]
}

function keysAt(left: number): Shape[][] {
  const [paths, real] = [styleOf(0), styleOf(1)]
  const mark = { kind: 'mark', form: 'diamond', size: 8, color: real.color, y: 14 } as const
  return [
    [
      {
        kind: 'rect',
        x: left,
        y: 8,
        width: 18,
        height: 11,
        fill: '#cfe2ee',
        stroke: { color: paths.color, width: 0.8 },
      },
      textAt(left + 24, 18, 'middle 95 % of paths, with median'),
    ],
    [{ ...mark, x: left + 268, isHollow: true }, textAt(left + 278, 18, 'realized, inside')],
    [
      { ...mark, x: left + 380, isHollow: false },
      textAt(left + 390, 18, 'outside in both flow models'),
    ],
  ]
}
