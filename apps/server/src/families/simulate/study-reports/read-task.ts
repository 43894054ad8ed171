import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { storedVersion } from '../../../store/records/stored-version.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { RenderingFormat, ReportTask } from './report-task.ts'

/** The input of the report of one study version. */
export async function reportTask(
  records: TenantRecords,
  study: VersionedRecord<contract.SimulationStudy>,
  formats: readonly RenderingFormat[],
): Promise<ReportTask> {
  const { spec } = study.payload
  const observed =
    spec.kind === 'REPLAY' ? await observedOf(records, spec.observations ?? []) : null
  const venue = await venueOf(records, spec.market)
  return { study, venue, series: await seriesOf(records, study), observed, formats }
}

/** The sealed series of a study, by name. */
export async function seriesOf(
  records: TenantRecords,
  { payload: { result } }: VersionedRecord<contract.SimulationStudy>,
): Promise<ReportTask['series']> {
  const series = new Map<string, Uint8Array>()
  for (const { name, hash } of result?.seriesArtifacts ?? []) {
    series.set(name, await records.artifact(hash))
  }
  return series
}

async function venueOf(
  records: TenantRecords,
  market: contract.StudySpec['market'],
): Promise<ReportTask['venue']> {
  if (!('venue' in market)) return null
  const { payload } = await storedVersion<contract.VenueProfile>(
    records,
    'VenueProfile',
    market.venue,
  )
  const { name, kind, address } = payload
  return { name, kind, address }
}

type Ref = { id: string; resourceVersion: string }

/** The sealed bytes of observations, in chain order. */
async function observedOf(
  records: TenantRecords,
  refs: readonly Ref[],
): Promise<ReportTask['observed']> {
  const found = await Promise.all(
    refs.map((ref) => storedVersion<contract.VenueObservation>(records, 'VenueObservation', ref)),
  )
  found.sort((a, b) => a.payload.range.from.number - b.payload.range.from.number)
  const [first] = found
  if (!first) return null
  return {
    start: await records.artifact(first.payload.start.artifactHash),
    events: await Promise.all(
      found.map(({ payload }) => records.sharedArtifact(payload.events.artifactHash)),
    ),
  }
}
