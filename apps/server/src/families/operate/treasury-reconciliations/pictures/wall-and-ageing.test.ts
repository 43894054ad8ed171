import type { contract } from '@liquidity-os/contract'
import { type Drawing, pictureToSvg, screenPaper, usualPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import responses from '../../../../../../../packages/contract/examples/responses.json' with {
  type: 'json',
}
import { drawAgeing } from './ageing.ts'
import { drawCustodyWall } from './custody-wall.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = Reconciliation['lines'][number]

const { payload } = responses.getTreasuryReconciliation.data as unknown as {
  payload: Reconciliation
}
const [line] = payload.lines
const withLines = (changes: readonly Partial<Line>[]): Reconciliation => ({
  ...payload,
  lines: changes.map((change) => ({ ...line!, ...change })),
})
const many = (count: number, of: (place: number) => Partial<Line>) =>
  Array.from({ length: count }, (_, place) => of(place))
const onChain = (place: number) => ({
  container: `eip155:1:0x${`${place}`.padStart(40, '0')}`,
})

it.each<[string, Partial<Line>[]]>([
  ['nothing', []],
  ['one line', [{}]],
  ['the largest amounts', [{ ledger: `${10n ** 77n}`, chain: `${10n ** 77n}`, ageDays: 9000 }]],
  ['many assets of one container', many(60, () => ({ ageDays: 1 }))],
  ['many containers', many(60, (place) => ({ ...onChain(place), ageDays: place }))],
])('wall and ageing stay inside their frames with %s', (_what, changes) => {
  const reconciliation = withLines(changes)
  for (const { picture, columns, rows } of [
    ...[drawCustodyWall(reconciliation, usualPaper), drawAgeing(reconciliation, usualPaper)],
  ]) {
    expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity|undefined|\[object/)
    for (const row of rows) expect(row).toHaveLength(columns.length)
    for (const shape of picture.shapes) {
      if (shape.kind === 'rect') {
        expect(shape.y + shape.height).toBeLessThanOrEqual(picture.height)
        expect(shape.x + shape.width).toBeLessThanOrEqual(picture.width)
      }
      if (shape.kind === 'text') expect(shape.y).toBeLessThan(picture.height)
    }
  }
})

it('the wall says of each how it is known', () => {
  const { rows, columns } = drawCustodyWall(
    withLines([
      { chain: '1', chainProof: 'MERKLE' },
      { chain: '1', chainProof: 'READ' },
      { chain: null, chainProof: null, custody: '1' },
      { chain: null, chainProof: null, custody: null },
    ]),
    usualPaper,
  )
  const known = columns.indexOf('known')
  expect(rows.map((row) => row[known])).toEqual(['PROVED', 'READ', 'SIGNED', 'ASSERTED'])
})

it('the oldest difference comes first, and what is closed is left out', () => {
  const drawn: Drawing = drawAgeing(
    withLines([{ ageDays: 3 }, { ageDays: null }, { ageDays: 95 }]),
    usualPaper,
  )
  expect(drawn.rows.map((row) => row.at(-1))).toEqual([95, 3])
  expect(drawn.picture.description).toContain('1 over 90 days')
  // A bar is as long as its age beside the oldest.
  const bars = drawn.picture.shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape.width] : []))
  expect(bars[1]! / bars[0]!).toBeCloseTo(3 / 95)
})

it('the legend of the wall loses no word on a narrow screen', () => {
  const { picture } = drawCustodyWall(withLines([]), screenPaper(280))
  const said = picture.shapes.map((shape) => (shape.kind === 'text' ? shape.text : '')).join(' ')
  expect(said.replaceAll(/\s+/g, ' ')).toContain('shown by the state root of a final block')
})
