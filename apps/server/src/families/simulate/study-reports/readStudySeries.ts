import { contract } from '@liquidity-os/contract'
import { thinSeries } from '@liquidity-os/engine/statistics'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { rowsToCsv } from '../../../reports/csv.ts'

type Row = Readonly<Record<string, unknown>> & { readonly timestamp: number }

export default handle(contract.readStudySeries, async (request): Promise<Outcome> => {
  const { params, query, records, fail } = request
  const study = await records.current<contract.SimulationStudy>('SimulationStudy', params.id)
  if (!study) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const series = study.record.payload.result?.seriesArtifacts ?? []
  const sealed = series.find(({ name }) => name === params.name)
  if (!sealed) {
    const names = series.map(({ name }) => name).join(', ') || 'none'
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND', {
      message: `The study has no series ${params.name}, only ${names}.`,
    })
  }
  // The study run sealed this.
  const rows = JSON.parse(Buffer.from(await records.artifact(sealed.hash)).toString()) as Row[]
  const [from, to] = [secondsOf(query.from), secondsOf(query.to)]
  const within = rows.filter(
    ({ timestamp }) => (from === null || timestamp >= from) && (to === null || timestamp <= to),
  )
  const thinnedRows = thinned(within, query.points ?? limits.seriesPoints)
  const isCsv = query.as === 'csv'
  const bytes = Buffer.from(isCsv ? rowsToCsv(thinnedRows) : canonicalize(thinnedRows))
  const contentHash = `0x${sha256Hex(bytes)}`
  const name = `study-${contentHash.slice(2, 10)}.${isCsv ? 'csv' : 'json'}`
  return {
    bytes,
    etag: contentHash,
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/json',
      'content-disposition': `${isCsv ? 'attachment' : 'inline'}; filename="${name}"`,
    },
  }
})

const secondsOf = (time: string | undefined) =>
  time === undefined ? null : Date.parse(time) / 1000

/** Thins samples while preserving the shape of net vs HODL; other series are truncated. */
function thinned(rows: readonly Row[], points: number): readonly Row[] {
  if (rows.length <= points) return rows
  if (!rows.every(({ netVsHold }) => typeof netVsHold === 'string')) return rows.slice(0, points)
  const places = rows.map(({ timestamp }) => timestamp)
  const values = rows.map(({ netVsHold }) => Number(netVsHold))
  // The indexes refer to these rows.
  return thinSeries(places, values, points).map((index) => rows[index]!)
}
