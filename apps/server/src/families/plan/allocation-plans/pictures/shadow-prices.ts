import {
  type Box,
  type Drawing,
  drawing,
  emptyNote,
  fitText,
  flowedKeys,
  frameOf,
  hatch,
  namedRows,
  numberAxis,
  type Paper,
  type Shape,
  styleOf,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { type DrawnPlan, shown, targetWords } from './drawn.ts'

/** Change in capital per 100 quote of a target or limit. */
export function drawShadowPrices(plan: DrawnPlan, paper: Paper): Drawing {
  const layout = namedRows(paper, { left: 220, rightMargin: 70, height: 30 })
  const { left, right } = layout
  const rows = plan.payload.shadowPrices
    .filter(({ stage }) => stage === 'CAPITAL')
    .map(({ constraint, quotePerUnitX18 }) => ({
      constraint,
      words: constraintWords(plan, constraint),
      isTarget: /argets\./.test(constraint),
      change: Number(quotePerUnitX18) / 1e16,
    }))
    .sort((a, b) => b.change - a.change)
  const height = Math.max(2, rows.length) * layout.height
  const keys = flowedKeys(keysAt(left), paper)
  const box: Box = { x: left, y: 52 + keys.more, width: right - left, height }
  const x = numberAxis([0, ...rows.map(({ change }) => change)], [left, right], {
    title: 'capital for the next 100 quote, quote',
    count: layout.isNarrow ? 3 : 5,
  })
  const shapes: Shape[] = [
    ...keys.shapes,
    ...frameOf(box, x, { scale: x.scale, ticks: [], title: '' }),
  ]
  if (rows.length === 0) shapes.push(emptyNote(box, 'No binding constraints.'))
  for (const [index, { words, isTarget, change }] of rows.entries()) {
    const y = box.y + index * layout.height + 6 + layout.drop
    const bar = { x: left, y, width: Math.max(0.5, x.scale.at(change) - left), height: 18 }
    const value = shown(change)
    if (layout.isNarrow) {
      shapes.push(...wordsAbove(layout, { name: words, value, top: y }), ...barOf(bar, isTarget))
      continue
    }
    const name = fitText(words, left - 18, 10.5)
    shapes.push(
      textAt(left - 8, y + 13, name, { size: 10.5, anchor: 'end' }),
      ...barOf(bar, isTarget),
      textAt(left + bar.width + 6, y + 13, value, { size: 10.5, halo: '#ffffff' }),
    )
  }
  return drawing(
    {
      id: 'allocation-prices',
      title: 'Shadow price of each constraint',
      description:
        rows
          .map(({ words, isTarget, change }) =>
            isTarget
              ? `${words}: the next 100 quote require ${shown(change)} of capital.`
              : `${words}: 100 more quote would save ${shown(change)} of capital.`,
          )
          .join(' ') || 'No binding constraints.',
    },
    {
      columns: ['constraint', 'capital for the next 100'],
      rows: rows.map(({ constraint, change }) => [constraint, change]),
    },
    { height: box.y + box.height + 46, shapes },
    paper,
  )
}

const limitWords: Readonly<Record<string, string>> = {
  'budget.base': 'base budget',
  'budget.quote': 'quote budget',
  'limits.perOptionPips': 'share per option',
  'limits.perVenuePips': 'share per venue',
  'limits.perChainPips': 'chain share',
  'limits.turnoverQuote': 'turnover',
  'limits.minPositionQuote': 'minimum position',
  'risk.maxCvarQuote': 'CVaR',
}

/** Display name of a constraint; by default its field name. */
function constraintWords(plan: DrawnPlan, constraint: string): string {
  const { targets, sizeTargets = [] } = plan.payload.request
  const [list, at] = constraint.split('.')
  const places = list === 'targets' ? targets : list === 'sizeTargets' ? sizeTargets : []
  const target = places[Number(at)]
  return target ? targetWords(plan, target) : (limitWords[constraint] ?? constraint)
}

type Bar = { x: number; y: number; width: number; height: number }

function barOf(bar: Bar, isTarget: boolean): Shape[] {
  const { color } = styleOf(isTarget ? 1 : 0)
  if (isTarget) return [{ kind: 'rect', ...bar, fill: color }]
  return [
    { kind: 'rect', ...bar, fill: '#ffffff', stroke: { color, width: 1 } },
    ...hatch(bar, color, 5),
  ]
}

function keysAt(left: number): Shape[][] {
  return [
    [
      ...barOf({ x: left, y: 18, width: 18, height: 11 }, true),
      textAt(left + 24, 27, 'target: capital required for more'),
    ],
    [
      ...barOf({ x: left + 250, y: 18, width: 18, height: 11 }, false),
      textAt(left + 274, 27, 'limit: capital saved if relaxed'),
    ],
  ]
}
