import type { contract } from '@liquidity-os/contract'
import { pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import responses from '../../../../../../../packages/contract/examples/responses.json' with {
  type: 'json',
}
import { drawBridge } from './bridge.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation

const { payload } = responses.getTreasuryReconciliation.data as unknown as {
  payload: Reconciliation
}
const [line] = payload.lines
const of = (...changes: Partial<Reconciliation['lines'][number]>[]) =>
  drawBridge({ ...payload, lines: changes.map((change) => ({ ...line!, ...change })) }, usualPaper)

it.each([
  ['nothing', of()],
  ['a line that is whole', of({})],
  ['one side', of({ chain: null, cause: 'SINGLE_SIDED' })],
  ['the largest amounts', of({ ledger: `${10n ** 77n}`, chain: '0', cause: 'UNEXPLAINED' })],
  ['more lines than are drawn', of(...Array.from({ length: 60 }, () => ({})))],
])('is drawn inside its frame of %s', (_what, { picture, columns, rows }) => {
  expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity|undefined|\[object/)
  for (const row of rows) expect(row).toHaveLength(columns.length)
  for (const shape of picture.shapes) {
    if (shape.kind !== 'text' && shape.kind !== 'rect') continue
    expect(shape.y).toBeLessThan(picture.height)
    expect(shape.x).toBeLessThanOrEqual(picture.width)
  }
})

it('shows what differs first, and says why', () => {
  const { picture, rows } = of({}, { cause: 'LEDGER_STALE', ledger: '100', chain: '60' })
  const texts = picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(texts.indexOf('LEDGER_STALE')).toBeLessThan(texts.indexOf('AGREED'))
  expect(rows.map((row) => row[9])).toEqual(['AGREED', 'LEDGER_STALE'])
})
