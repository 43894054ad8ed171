import { isDeepStrictEqual } from 'node:util'
import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  type NamedRows,
  namedRows,
  type Paper,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'

type Projection = contract.TreasuryProjection
type Views = Projection['scenarios'][number]['runway']['cash']

const levels = [
  ['cash', 'cash'],
  ['liquid', 'liquid'],
  ['withOwnToken', 'with own token'],
] as const
const computeLayout = (paper: Paper): NamedRows => {
  const layout = namedRows(paper, { left: 240, rightMargin: 130, height: 2 * rowHeight })
  // Narrow bars have the view name on the left and the months on the right.
  return isNarrow(paper) ? { ...layout, left: 44, right: paper.width - 110 } : layout
}
const rowHeight = 17

/** Runway by level and scenario: with COMMITTED inflow only, and with expected inflow. */
export function drawRunway(projection: Projection, paper: Paper): Drawing {
  const layout = computeLayout(paper)
  const { scenarios } = projection
  const horizon = Math.max(1, ...scenarios.map(({ months }) => months.length)) * 1000
  const rows = scenarios.flatMap(rowsOf)
  const shapes: Shape[] = [
    textAt(layout.isNarrow ? 6 : layout.left, 16, 'months until a COMMITTED payment is unmet', {
      size: 10,
      color: ink.faint,
    }),
  ]
  for (const [index, row] of rows.entries())
    shapes.push(...bars(row, 24 + index * layout.height, horizon, layout))
  if (rows.length === 0) shapes.push(textAt(20, 40, 'No data could be read.', { color: ink.faint }))
  return drawing(
    {
      id: 'projection-runway',
      title: 'Runway by scenario',
      description: `Runway of ${scenarios.length} scenarios by assets that may be sold to pay, for proven and attested holdings. A second row includes asserted holdings if they change the runway.`,
    },
    {
      columns: ['scenario', 'level', 'view', 'months, thousandths', 'beyond the horizon'],
      rows: rows.flatMap(({ scenarioId, words, views }) =>
        (['gross', 'net'] as const).map((view) => [
          ...[scenarioId, words, view, views[view].monthsX3],
          views[view].beyondHorizon ? 'yes' : 'no',
        ]),
      ),
    },
    { height: 40 + Math.max(1, rows.length) * layout.height, shapes },
    paper,
  )
}

interface Row {
  readonly scenarioId: string
  readonly words: string
  readonly views: Views
}

/**
 * Controlled holdings give the headline; self-reported holdings extend it. Older projections have
 * only the total.
 */
function rowsOf({ scenarioId, runway, controlledRunway }: Projection['scenarios'][number]): Row[] {
  return levels.flatMap(([level, words]) => {
    const [controlled, whole] = [controlledRunway?.[level], runway[level]]
    if (!whole) return []
    const asserted = { scenarioId, words: `${words}, with asserted`, views: whole }
    if (!controlled) return [asserted]
    const headline = { scenarioId, words, views: controlled }
    return isDeepStrictEqual(controlled, whole) ? [headline] : [headline, asserted]
  })
}

function bars(
  { scenarioId, words, views }: Row,
  top: number,
  horizon: number,
  { left, right, drop, isNarrow: isAbove }: NamedRows,
): Shape[] {
  const name = fitText(`${scenarioId}, ${words}`, isAbove ? right : left - 60, 10)
  return (['gross', 'net'] as const).flatMap((view, index): Shape[] => {
    const { monthsX3, beyondHorizon } = views[view]
    const y = top + drop + index * (rowHeight - 4)
    const long = (monthsX3 / horizon) * (right - left)
    const label = `${beyondHorizon ? 'over ' : ''}${monthsX3 / 1000} months`
    return [
      ...(index === 0 ? [textAt(6, isAbove ? y - 5 : y + 9, name, { size: 10 })] : []),
      textAt(left - 6, y + 9, view, { size: 9.5, anchor: 'end', color: ink.faint }),
      {
        kind: 'rect',
        x: left,
        y,
        width: Math.max(long, 0.8),
        height: 10,
        fill: styleOf(index).color,
      },
      textAt(left + long + 5, y + 9, label, { size: 9.5 }),
    ]
  })
}
