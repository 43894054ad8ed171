import { type Table, tableToCsv, workbookToXlsx } from '../packages/sheet/src/index.ts'
import type { Benchmark } from './benchmark.ts'

const rowCount = 50_000

/** A workbook of 50,000 rows and four columns. Peer: the CSV of the same rows. */
export const exports: Benchmark = {
  name: 'exports',
  title: 'XLSX of 50,000 rows and 4 columns',
  units: { xlsx: 'ms', csv: 'ms' },
  comparisons: [
    { name: 'XLSX', of: 'xlsx', mark: null },
    { name: 'XLSX / CSV', of: 'xlsx', to: 'csv', mark: null },
  ],
  open: async () => {
    const table = sampleTable()
    const workbook = { title: 'Sample', facts: [], tables: [table], sources: [] }
    const milliseconds = (write: () => unknown) => {
      const startedAt = performance.now()
      write()
      return performance.now() - startedAt
    }
    const round = async () => ({
      csv: milliseconds(() => tableToCsv(table)),
      xlsx: milliseconds(() => workbookToXlsx(workbook)),
    })
    await round()
    return { round, close: async () => {} }
  },
}

/** A time, a price with its exact integer, an amount, and a text. */
function sampleTable(): Table {
  const start = Date.parse('2026-01-01T00:00:00Z')
  return {
    id: 'rows',
    title: 'Rows',
    columns: [
      { key: 'time', title: 'time', kind: 'TIME' },
      {
        key: 'price',
        title: 'price',
        kind: 'AMOUNT',
        unit: 'WETH/ENS',
        exact: { key: 'priceX36', unit: 'X36' },
      },
      { key: 'volume', title: 'volume', kind: 'AMOUNT', unit: 'WETH' },
      { key: 'venue', title: 'venue', kind: 'TEXT' },
    ],
    rows: Array.from({ length: rowCount }, (_, index) => {
      const odd = BigInt(index) * 2_654_435_761n
      return [
        start + index * 60_000,
        { atoms: 5_123_456_789_012_345_678_901_234_567_890_123n + odd ** 3n, decimals: 36 },
        { atoms: 10n ** 18n + odd, decimals: 18 },
        `ENS/WETH ${index % 7}`,
      ]
    }),
  }
}
