import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'

type Drawn = Pick<contract.AutonomyPolicy, 'comparison' | 'compilation' | 'level' | 'admission'>

const rowHeight = 20
/** Narrower is what one person may do, wider what only the owners may. */
const signs = {
  EQUAL: ['=', ink.axis],
  NARROWER: ['−', '#009e73'],
  WIDER: ['+', '#d55e00'],
  INCOMPARABLE: ['≠', '#d55e00'],
} as const
const columns = [
  ['limit', 44],
  ['before', 226],
  ['now', 386],
  ['who enforces it', 560],
] as const

/** Each limit before and now, which way authority went, and who enforces it. */
function drawLadder({ comparison, compilation, level, admission }: Drawn): Drawing {
  const coverage = new Map(compilation.coverage.map((one) => [one.field, one]))
  const shapes: Shape[] = columns.map(([title, x]) => textAt(x, 18, title, { isBold: true }))
  for (const [place, { field, relation, before, after }] of comparison.perField.entries()) {
    const y = 40 + place * rowHeight
    const [sign, color] = signs[relation]
    const isChanged = relation !== 'EQUAL'
    const words = (text: string) => fitText(text === '' ? 'none' : text, 150, 9)
    shapes.push(
      lineBetween({ x: 20, y: y - 14 }, { x: 740, y: y - 14 }, { color: ink.grid, width: 1 }),
      textAt(28, y, sign, { color, isBold: true, anchor: 'middle', size: 12 }),
      textAt(44, y, fitText(field, 176, 9), { size: 9, isBold: isChanged }),
      textAt(226, y, words(before), { size: 9, color: ink.faint }),
      textAt(386, y, words(after), { size: 9, isBold: isChanged }),
      textAt(560, y, enforcers[coverage.get(field)?.enforcedBy ?? 'SERVICE_CHECK'], { size: 9 }),
    )
  }
  const bottom = 40 + comparison.perField.length * rowHeight
  const legend =
    '−  grants less: one person may     +  grants more: only the owners of the Safe may'
  return drawing(
    {
      id: 'policy-limits',
      title: `Level ${level}, ${admission}: ${comparison.relation} than before`,
      description: comparison.perField
        .filter(({ relation }) => relation !== 'EQUAL')
        .map(
          ({ field, relation, before, after }) =>
            `${field} ${relation}: ${before || 'none'} became ${after || 'none'}.`,
        )
        .join(' ')
        .concat(' What only the service checks is never drawn as enforced by the chain.'),
    },
    {
      columns: ['limit', 'relation', 'before', 'now', 'enforced by', 'note'],
      rows: comparison.perField.map(({ field, relation, before, after }) => {
        const { enforcedBy, note } = coverage.get(field) ?? { enforcedBy: '', note: '' }
        return [field, relation, before, after, enforcedBy, note]
      }),
    },
    {
      height: bottom + 16,
      shapes: [...shapes, textAt(20, bottom + 4, legend, { size: 9, color: ink.faint })],
    },
  )
}

const enforcers = {
  ONCHAIN: 'the chain',
  BOTH: 'the chain and the service',
  SERVICE_CHECK: 'the service alone',
} as const

export default (drawn: Drawn): Drawing[] => [drawLadder(drawn)]
