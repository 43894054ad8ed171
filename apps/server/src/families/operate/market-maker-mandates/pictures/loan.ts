import {
  type Box,
  chartBox,
  type Drawing,
  drawing,
  emptyNotes,
  flowedKeys,
  frameOf,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  numberAxis,
  type Paper,
  type Point,
  type Shape,
  type Stroke,
  styleOf,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import { coverageOf } from '@liquidity-os/engine/mandates'
import { daySeconds } from '../../../../units.ts'
import { isoOf } from '../mandate-terms.ts'
import type { DrawnMandate } from './drawn-mandate.ts'

const place = { x: 66, y: 44, height: 180 }
const [rightMargin, height] = [150, 274]
const maxMarks = 40
const seen: Stroke = { color: styleOf(0).color, width: 2 }
const attested = { ...seen, dash: [5, 4] }
const asPromised: Stroke = { color: ink.text, width: 1.4 }

/**
 * Loan coverage by the market maker's holdings. On-chain holdings are solid, attested holdings
 * dashed.
 */
export function drawLoan({ loan, month, terms }: DrawnMandate, paper: Paper): Drawing {
  const box = chartBox(place, rightMargin, paper)
  const kpi = terms.kpis.find(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')
  const points = loan.map((reading) => {
    const { chain, both } = coverageOf(reading)
    return { at: reading.at, chain: Number(chain) / 10_000, both: Number(both) / 10_000 }
  })
  const last = points.at(-1)
  const about = {
    id: 'mandate-loan',
    title: 'Loan coverage',
    description: last
      ? `${points.length} readings. At ${isoOf(last.at)} the chain shows ${last.chain} % of the loan, or ${last.both} % with attested holdings.`
      : 'No readings of the loan in this month.',
  }
  const table = {
    columns: ['at', 'on chain, %', 'with attested, %'],
    rows: points.map(({ at, chain, both }) => [isoOf(at), chain, both]),
  }
  if (!last) {
    return drawing(about, table, { height, shapes: emptyNotes(box, about.description) }, paper)
  }
  const dayOf = (at: number) => (at - month.from) / daySeconds
  const days = (month.to - month.from) / daySeconds
  const x = numberAxis([0, days], [box.x, box.x + box.width], {
    title: `days since ${isoOf(month.from).slice(0, 10)}`,
    isTight: true,
    count: 6,
  })
  const promised = kpi ? Number(kpi.threshold) / 10_000 : 0
  const values = points.flatMap(({ chain, both }) => [chain, both])
  const y = numberAxis([0, 100, promised, ...values], [box.y + box.height, box.y], {
    title: 'share of the loan, %',
  })
  const line = (
    of: (point: (typeof points)[number]) => number,
    dash?: readonly number[],
  ): Shape[] => [
    {
      kind: 'line',
      points: points.map((point) => ({ x: x.scale.at(dayOf(point.at)), y: y.scale.at(of(point)) })),
      stroke: { ...seen, ...(dash ? { dash } : {}) },
    },
  ]
  const threshold = y.scale.at(promised)
  const hasAttested = points.some(({ chain, both }) => chain !== both)
  const end = { x: x.scale.at(dayOf(last.at)), y: y.scale.at(last.chain) }
  const keys = isNarrow(paper)
    ? flowedKeys(keysOf({ ...last, hasAttested, promised }), paper)
    : { shapes: [], more: 0 }
  const isInline = !isNarrow(paper)
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    lineBetween({ x: box.x, y: threshold }, { x: box.x + box.width, y: threshold }, asPromised),
    ...(isInline ? [labelPromised(promised, threshold, box)] : []),
    ...(hasAttested ? line(({ both }) => both, attested.dash) : []),
    ...line(({ chain }) => chain),
    // With this many readings, the line needs no point marks.
    ...(points.length > maxMarks ? [] : points).map(
      ({ at, chain }): Shape => ({
        kind: 'mark',
        form: 'circle',
        x: x.scale.at(dayOf(at)),
        y: y.scale.at(chain),
        size: 5,
        color: styleOf(0).color,
        isHollow: false,
      }),
    ),
    ...(isInline ? [labelSeen(last.chain, end, box, paper)] : keys.shapes),
    ...(isInline && hasAttested && paper.minFontSize > 0 ? attestedAbove(last.both, box) : []),
  ]
  const below = isInline ? 0 : 22 + keys.more
  return drawing(about, table, { height: height + below, shapes }, paper)
}

interface Named {
  /** Coverage of the loan at the last reading, in %. */
  readonly chain: number
  readonly both: number
  readonly hasAttested: boolean
  readonly promised: number
}

/** Legend with a line sample per entry, in rows below a narrow chart. */
function keysOf({ chain, both, hasAttested, promised }: Named): Shape[][] {
  const y = height + 8
  const key = (text: string, stroke: Stroke): Shape[] => [
    lineBetween({ x: 0, y: y - 4 }, { x: 22, y: y - 4 }, stroke),
    textAt(27, y, text, { size: 9 }),
  ]
  return [
    key(`on chain ${chain} %`, seen),
    ...(hasAttested ? [key(`with attested ${both} %`, attested)] : []),
    key(`required ${promised} %`, asPromised),
  ]
}

const labelPromised = (promised: number, y: number, { x, width }: Box): Shape =>
  textAt(x + width + 6, y + 3, `required ${promised} %`, { size: 9 })

/** Legend of the dashed line, above the chart on the right. */
function attestedAbove(both: number, { x, y, width }: Box): Shape[] {
  const label = `with attested ${both} %`
  const right = x + width
  const left = right - widthOf(label, 11) - 28
  return [
    lineBetween({ x: left, y: y - 13 }, { x: left + 22, y: y - 13 }, attested),
    textAt(right, y - 9, label, { size: 11, anchor: 'end' }),
  ]
}

/** Label below the end of the line; on screen, left of the promised value. */
function labelSeen(chain: number, end: Point, { x, width }: Box, paper: Paper): Shape {
  const right = x + width
  const caption = `on chain ${chain} %`
  const isReport = paper.minFontSize === 0
  const labelWidth = isReport ? 90 : widthOf(caption, letterOn(paper, 10))
  const isAtEnd = end.x + 8 > right - labelWidth
  return textAt(isAtEnd && !isReport ? right : end.x + 8, end.y + 16, caption, {
    halo: ink.paper,
    anchor: isAtEnd ? 'end' : 'start',
  })
}
