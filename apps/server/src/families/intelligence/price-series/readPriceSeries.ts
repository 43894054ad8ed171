import { contract } from '@liquidity-os/contract'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { csvLine } from '@liquidity-os/sheet'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { resampled, x18Of } from '../../../market/prices/price-course.ts'
import { readPrices } from '../../../market/prices/price-store.ts'
import { daySeconds } from '../../../units.ts'

export default handle(contract.readPriceSeries, async (request): Promise<Outcome> => {
  const { params, query, records, now, fail } = request
  const series = await records.current<contract.PriceSeries>('PriceSeries', params.id)
  if (!series) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const to = query.to === undefined ? Math.floor(now / 1000) : secondsOf(query.to)
  const from = query.from === undefined ? to - daySeconds : secondsOf(query.from)
  if (from > to || to - from > limits.pricesDays * daySeconds) {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'query.from': [`must be at most ${limits.pricesDays} days before to, and not after it`],
      },
    })
  }
  const { payload } = series.record
  // A grid starts with an earlier price.
  const reach = query.grid === undefined ? 0 : 3 * query.grid
  const read = await readPrices(records, series.record, { from: from - reach, to })
  const points =
    query.grid === undefined ? read.points : resampled(read.points, query.grid, { from, to })
  if (points.length > limits.pricesPoints) {
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'query.grid': [
          `must return at most ${limits.pricesPoints} prices, got ${points.length}; use a coarser grid or a shorter period`,
        ],
      },
    })
  }
  const rows = points.map(({ at, priceX36, errorPips }) => {
    const x18 = x18Of(priceX36)
    return {
      at: timeOf(at),
      priceX36: `${priceX36}`,
      priceX18: x18 === null ? null : `${x18}`,
      errorPips,
      isCoarse: x18 === null,
      isProvisional: at >= read.provisionalFrom,
    }
  })
  const isCsv = query.as === 'csv'
  const text = isCsv
    ? csvOf(rows)
    : canonicalize({
        seriesId: payload.seriesId,
        key: payload.key,
        from: timeOf(from),
        to: timeOf(to),
        gridSeconds: query.grid ?? payload.key.gridSeconds,
        generations: read.segments.map(({ day, generation, artifactHash }) => ({
          day,
          generation,
          artifactHash,
        })),
        points: rows,
        gaps: read.segments.flatMap(({ gaps }) => gaps),
      })
  const bytes = Buffer.from(text)
  const etag = `0x${sha256Hex(bytes)}`
  const name = `prices-${etag.slice(2, 10)}.${isCsv ? 'csv' : 'json'}`
  return {
    bytes,
    etag,
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/json',
      'content-disposition': `${isCsv ? 'attachment' : 'inline'}; filename="${name}"`,
    },
  }
})

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

function csvOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = ['at', 'priceX36', 'priceX18', 'errorPips', 'isProvisional'] as const
  const lines = rows.map((row) => columns.map((name) => cellOf(row[name])))
  return [columns, ...lines].map(csvLine).join('')
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value)
