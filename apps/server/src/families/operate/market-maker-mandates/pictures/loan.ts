import {
  type Drawing,
  drawing,
  drawingWidth,
  emptyNote,
  frameOf,
  ink,
  lineBetween,
  numberAxis,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { coverageOf } from '@liquidity-os/engine/mandates'
import { daySeconds } from '../../../../units.ts'
import { isoOf } from '../mandate-terms.ts'
import type { DrawnMandate } from './drawn-mandate.ts'

const box = { x: 66, y: 44, width: drawingWidth - 66 - 150, height: 180 }
const height = 274
const mostMarks = 40

/** How far what the maker holds covers its loan: what the chain shows solid, with what is attested dashed. */
export function drawLoan({ loan, month, terms }: DrawnMandate): Drawing {
  const kpi = terms.kpis.find(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')
  const points = loan.map((reading) => {
    const { chain, both } = coverageOf(reading)
    return { at: reading.at, chain: Number(chain) / 10_000, both: Number(both) / 10_000 }
  })
  const last = points.at(-1)
  const about = {
    id: 'mandate-loan',
    title: 'Is the loan still there?',
    description: last
      ? `${points.length} readings. At ${isoOf(last.at)} the chain shows ${last.chain} % of it, with what is attested ${last.both} %.`
      : 'Nothing was read of the loan in this month.',
  }
  const table = {
    columns: ['at', 'on chain, %', 'with attested, %'],
    rows: points.map(({ at, chain, both }) => [isoOf(at), chain, both]),
  }
  if (!last) return drawing(about, table, { height, shapes: [emptyNote(box, about.description)] })
  const dayOf = (at: number) => (at - month.from) / daySeconds
  const days = (month.to - month.from) / daySeconds
  const x = numberAxis([0, days], [box.x, box.x + box.width], {
    ...{ title: `days since ${isoOf(month.from).slice(0, 10)}`, isTight: true, count: 6 },
  })
  const promised = kpi ? Number(kpi.threshold) / 10_000 : 0
  const values = points.flatMap(({ chain, both }) => [chain, both])
  const y = numberAxis([0, 100, promised, ...values], [box.y + box.height, box.y], {
    title: 'of the loan, %',
  })
  const line = (
    of: (point: (typeof points)[number]) => number,
    dash?: readonly number[],
  ): Shape[] => [
    {
      kind: 'line',
      points: points.map((point) => ({ x: x.scale.at(dayOf(point.at)), y: y.scale.at(of(point)) })),
      stroke: { color: styleOf(0).color, width: 2, ...(dash ? { dash } : {}) },
    },
  ]
  const end = x.scale.at(dayOf(last.at)) + 8
  const threshold = y.scale.at(promised)
  const shapes: Shape[] = [
    ...frameOf(box, x, y),
    lineBetween(
      { x: box.x, y: threshold },
      { x: box.x + box.width, y: threshold },
      { color: ink.text, width: 1.4 },
    ),
    textAt(box.x + box.width + 6, threshold + 3, `promised ${promised} %`, { size: 9 }),
    ...(points.some(({ chain, both }) => chain !== both) ? line(({ both }) => both, [5, 4]) : []),
    ...line(({ chain }) => chain),
    // So many readings are a line by themselves.
    ...(points.length > mostMarks ? [] : points).map(
      ({ at, chain }): Shape => ({
        ...{ kind: 'mark', form: 'circle', x: x.scale.at(dayOf(at)), y: y.scale.at(chain) },
        ...{ size: 5, color: styleOf(0).color, isHollow: false },
      }),
    ),
    textAt(end, y.scale.at(last.chain) + 16, `on chain ${last.chain} %`, {
      ...({ halo: ink.paper, anchor: end > box.x + box.width - 90 ? 'end' : 'start' } as const),
    }),
  ]
  return drawing(about, table, { height, shapes })
}
