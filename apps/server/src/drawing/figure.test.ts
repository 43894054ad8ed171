import { expect, it } from 'vitest'
import { type FigureData, sealFigure } from './figure.ts'

it('a figure has other data under another hash, and the same data under the same', () => {
  const sealed = (amount: string, title: string) =>
    sealFigure({
      id: 'figure',
      kind: 'FEES_AND_LVR',
      description: 'What is seen',
      title,
      columns: [{ name: 'feesLow', unit: 'QUOTE_ATOMS' }],
      rows: [[amount]],
    } satisfies FigureData).dataHash
  expect(sealed('1', 'Fees')).not.toBe(sealed('2', 'Fees'))
  expect(sealed('1', 'Fees')).toBe(sealed('1', 'Another title'))
})
