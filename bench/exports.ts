import { recordFamilies } from '@liquidity-os/contract'
import { humanColumns } from '../apps/server/src/families/platform/exports/human-columns.ts'
import writeList, {
  type ListExportTask,
} from '../apps/server/src/families/platform/exports/list-export-task.ts'
import { limits } from '../apps/server/src/limits.ts'
import { type Table, tableToCsv, workbookToXlsx } from '../packages/sheet/src/index.ts'
import type { Benchmark } from './benchmark.ts'
import { profileOf, sealRecording } from './studies/recorded-venue.ts'

const rowCount = 50_000

/**
 * A workbook of 50,000 rows and four columns. Peer: the CSV of the same rows. Also the largest
 * exported list of venue observations.
 */
export const exports: Benchmark = {
  name: 'exports',
  title: 'XLSX of 50,000 rows and 4 columns',
  units: { xlsx: 'ms', csv: 'ms', observations: 'ms' },
  comparisons: [
    { name: 'XLSX', of: 'xlsx', mark: null },
    { name: 'XLSX / CSV', of: 'xlsx', to: 'csv', mark: null },
    { name: 'XLSX of 32 MiB of observations', of: 'observations', mark: null },
  ],
  open: async () => {
    const table = sampleTable()
    const list = await observationList()
    const workbook = { title: 'Sample', facts: [], tables: [table], sources: [] }
    const milliseconds = (write: () => unknown) => {
      const startedAt = performance.now()
      write()
      return performance.now() - startedAt
    }
    const round = async () => ({
      csv: milliseconds(() => tableToCsv(table)),
      xlsx: milliseconds(() => workbookToXlsx(workbook)),
      observations: milliseconds(() => writeList(list)),
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

/** Pages with as many copies of a recorded observation as an export of a list may have. */
async function observationList(): Promise<ListExportTask> {
  const family = recordFamilies.find(({ type }) => type === 'VenueObservation')
  if (!family) throw new Error('The contract has no venue observations.')
  const venue = { id: 'venue_bench', resourceVersion: `0x${'1'.repeat(64)}` }
  const { payload, status } = await sealRecording({ ...venue, profile: profileOf() })
  const record = (index: number) => ({
    id: `venue_observation_${index}`,
    resourceType: 'VenueObservation',
    status,
    resourceVersion: `0x${index.toString(16).padStart(64, '0')}`,
    createdAt: new Date(Date.parse('2026-01-01T00:00:00Z') + index * 60_000).toISOString(),
    payload,
  })
  const page = (first: number) =>
    JSON.stringify({
      data: Array.from({ length: limits.exportPage }, (_, index) => record(first + index)),
      meta: { count: limits.exportPage, hasMore: true },
    })
  const pages: string[] = []
  let bytes = 0
  for (let next = page(0); bytes + Buffer.byteLength(next) <= limits.exportBytes; ) {
    pages.push(next)
    bytes += Buffer.byteLength(next)
    next = page(pages.length * limits.exportPage)
  }
  const columns = humanColumns(family)
  return { pages, title: 'Observations', columns, tokens: new Map(), format: { as: 'xlsx' } }
}
