import { expect, it } from 'vitest'
import { type Token, unitCells } from './human-cells.ts'

const column = { path: 'quantity', title: 'quantity', unit: 'ATOMS', asset: '/assetKey' }
const cells = (assetKey: string, declared: Record<string, Token> = {}) =>
  unitCells({ quantity: '12345', assetKey }, column, new Map(Object.entries(declared)))

it('writes currencies with the minor units of ISO 4217', () => {
  expect(cells('iso4217:USD')).toEqual([{ atoms: 12_345n, decimals: 2 }, 'USD'])
  expect(cells('iso4217:JPY')).toEqual([{ atoms: 12_345n, decimals: 0 }, 'JPY'])
  expect(cells('iso4217:KWD')).toEqual([{ atoms: 12_345n, decimals: 3 }, 'KWD'])
})

it('writes the native coin with 18 decimals', () => {
  const key = 'eip155:1/slip44:60'
  expect(cells(key)).toEqual([{ atoms: 12_345n, decimals: 18 }, null])
  const declared = { [key]: { symbol: 'ETH', decimals: null } }
  expect(cells(key, declared)).toEqual([{ atoms: 12_345n, decimals: 18 }, 'ETH'])
})

it('leaves amounts of unknown assets empty', () => {
  expect(cells('iso4217:ZZZ')).toEqual([null, null])
  expect(cells(`eip155:1/erc20:0x${'1'.repeat(40)}`)).toEqual([null, null])
})
