import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { liquidityHistory } from './liquidity-history.ts'
import { renderReport } from './render-report.ts'
import { type HashedReport, type Rendering, reportContentOf } from './study-report.ts'

export type RenderingFormat = Rendering['format']

/** Input of a report for a thread: a record and sealed bytes. */
export interface ReportTask {
  study: VersionedRecord<contract.SimulationStudy>
  venue: contract.StudyReport['venue']
  /** JSON of the study's stored series, by name. */
  series: ReadonlyMap<string, Uint8Array>
  /** The observed market before its first event, and its events; null without observations. */
  observed: { start: Uint8Array; events: readonly Uint8Array[] } | null
  formats: readonly RenderingFormat[]
}

export interface ReportTaskResult {
  report: HashedReport
  renderings: Rendering[]
}

const decoder = new TextDecoder()

/** Creates a report, unsigned. Pure: equal tasks give equal bytes on every machine. */
export default async function makeReport(task: ReportTask): Promise<ReportTaskResult> {
  const { study, venue, observed, formats } = task
  const series = new Map(
    [...task.series].map(([name, bytes]) => [name, JSON.parse(decoder.decode(bytes)) as unknown[]]),
  )
  const liquidity = observed ? liquidityHistory(observed.start, observed.events) : null
  const report = reportContentOf({ study, venue, series, liquidity })
  const renderings: Rendering[] = []
  for (const format of formats) renderings.push(await renderReport(report, format))
  return { report, renderings }
}
