import type { contract } from '@liquidity-os/contract'
import {
  columnsOn,
  type Drawing,
  drawing,
  ink,
  lineBetween,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  usualPaper,
} from '@liquidity-os/drawing'

type Drawn = Pick<contract.AutonomyPolicy, 'comparison' | 'compilation' | 'level' | 'admission'>

const rowHeight = 20
/** One user can tighten a policy; only Safe owners can loosen it. */
const signs = {
  EQUAL: ['=', ink.axis],
  NARROWER: ['−', '#009e73'],
  WIDER: ['+', '#d55e00'],
  INCOMPARABLE: ['≠', '#d55e00'],
} as const
const columns = {
  sign: [20, 36],
  limit: [44, 220],
  before: [226, 376],
  now: [386, 536],
  who: [560, 740],
} as const
const titles = { limit: 'limit', before: 'before', now: 'now', who: 'enforced by' } as const

/**
 * Each limit before and now, the direction of the authority change, and the enforcer of the limit.
 */
function drawLadder({ comparison, compilation, level, admission }: Drawn, paper: Paper): Drawing {
  const table = columnsOn(paper, columns, [
    ['sign', 'limit', 'who'],
    ['before', 'now'],
  ])
  const first = 40 + table.more
  const coverage = new Map(compilation.coverage.map((one) => [one.field, one]))
  const shapes: Shape[] = Object.entries(titles).map(([name, title]) =>
    table.words(name as keyof typeof titles, 18, title, { isBold: true }),
  )
  for (const [index, { field, relation, before, after }] of comparison.perField.entries()) {
    const y = first + index * (rowHeight + table.more)
    const [sign, color] = signs[relation]
    const isChanged = relation !== 'EQUAL'
    const shown = (text: string) => (text === '' ? 'none' : text)
    shapes.push(
      lineBetween(
        { x: 20, y: y - 14 },
        { x: paper.width - 20, y: y - 14 },
        { color: ink.grid, width: 1 },
      ),
      textAt((table.of.sign.x + table.of.sign.end) / 2, y, sign, {
        color,
        isBold: true,
        anchor: 'middle',
        size: 12,
      }),
      table.words('limit', y, field, { size: 9, isBold: isChanged }),
      table.words('before', y, shown(before), { size: 9, color: ink.faint }),
      table.words('now', y, shown(after), { size: 9, isBold: isChanged }),
      table.words('who', y, enforcers[coverage.get(field)?.enforcedBy ?? 'SERVICE_CHECK'], {
        size: 9,
      }),
    )
  }
  const bottom = first + comparison.perField.length * (rowHeight + table.more)
  const legend = '−  tighter: one user may change it     +  looser: only Safe owners may change it'
  const note = noteOn(paper, { x: 20, y: bottom + 4 }, legend, { size: 9, color: ink.faint })
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
        .concat(' A limit that only the service checks is never shown as enforced by the chain.'),
    },
    {
      columns: ['limit', 'relation', 'before', 'now', 'enforced by', 'note'],
      rows: comparison.perField.map(({ field, relation, before, after }) => {
        const { enforcedBy, note } = coverage.get(field) ?? { enforcedBy: '', note: '' }
        return [field, relation, before, after, enforcedBy, note]
      }),
    },
    {
      height: bottom + 16 + note.more,
      shapes: [...shapes, ...note.shapes],
    },
    paper,
  )
}

const enforcers = {
  ONCHAIN: 'chain',
  BOTH: 'chain and service',
  SERVICE_CHECK: 'service only',
} as const

export default (drawn: Drawn, paper: Paper = usualPaper): Drawing[] => [drawLadder(drawn, paper)]
