import type { FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentById } from '../../sources.ts'
import { isValue } from './bind-pack.ts'
import { figureAt } from './figure-at.ts'
import { differenceOf, type InputOption, type Pack, type PackInput } from './pack-types.ts'

/** Sources of a packet that have changed or no longer exist. */
export async function supersededSources(
  records: TenantRecords,
  { evidence }: Pack,
): Promise<FieldErrors> {
  const current = await currentById(
    records,
    evidence.map(({ source }) => source),
  )
  const faults: FieldErrors = {}
  for (const [index, { source }] of evidence.entries()) {
    const now = current(source)?.resourceVersion ?? 'no version'
    if (now === source.resourceVersion) continue
    faults[`payload.evidence.${index}.source`] = [
      `must be the current version, got ${source.resourceVersion}, current is ${now}`,
    ]
  }
  return faults
}

/** Evidence that exceeds the maximum age of its packet. */
export function agedSources({ evidence }: Pack, now: number): FieldErrors {
  const faults: FieldErrors = {}
  for (const [index, { observedAt, maximumAgeSeconds }] of evidence.entries()) {
    const age = Math.floor((now - Date.parse(observedAt)) / 1000)
    if (age <= maximumAgeSeconds) continue
    faults[`payload.evidence.${index}.observedAt`] = [
      `must be at most ${maximumAgeSeconds} s old, got ${age} s`,
    ]
  }
  return faults
}

/**
 * Content bound to the current version of everything that it references, and the references that
 * changed.
 */
export interface Rebound {
  readonly options: readonly InputOption[]
  readonly evidence: NonNullable<PackInput['evidence']>
  readonly moved: Pack['moved']
  /** Figures that the current version lacks, and missing records. */
  readonly lost: FieldErrors
}

/** Rereads every figure of a pack in the current record versions. */
export async function reboundTo(records: TenantRecords, pack: Pack): Promise<Rebound> {
  const current = await currentById(
    records,
    pack.evidence.map(({ source }) => source),
  )
  const lost: FieldErrors = {}
  const changes = new Map<string, Pack['moved'][number]>()
  const moveTo = (source: SourceRef, record: VersionedRecord) => {
    if (record.resourceVersion === source.resourceVersion) return null
    const known = changes.get(source.id) ?? { source, to: record.resourceVersion, metrics: [] }
    changes.set(source.id, known)
    return known
  }
  const options = pack.options.map((option, itemIndex) => ({
    ...option,
    metrics: option.metrics.map((metric, index) => {
      const at = `payload.options.${itemIndex}.metrics.${index}`
      const record = current(metric.source)
      if (!record) {
        lost[`${at}.source`] = [`must be an existing record, got ${metric.source.id}`]
        return metric
      }
      const value = figureAt(record, metric)
      if (!isValue(value)) {
        lost[`${at}.pointer`] = [`must point to a value in ${record.resourceVersion}`]
        return metric
      }
      const change = moveTo(metric.source, record)
      if (change && value !== metric.value) {
        const { optionId } = option
        const difference = differenceOf(value, metric.value)
        change.metrics.push({
          optionId,
          metricId: metric.metricId,
          from: metric.value,
          to: value,
          difference,
        })
      }
      const source = { ...metric.source, resourceVersion: record.resourceVersion }
      // The bound version defines the label. In v1, label, unit and direction were author input:
      // the label becomes a note, and the field defines the rest.
      const { metricId, pointer, label, unit, asset, better, note, afterSpend } = metric
      const isFirstVersion = pack.packVersion === 'decision-pack-v1'
      const stated = isFirstVersion ? { label } : { unit, better, ...(asset ? { asset } : {}) }
      const unchanged = {
        metricId,
        pointer,
        value,
        source,
        ...(note ? { note } : {}),
        ...(afterSpend ? { afterSpend } : {}),
      }
      return { ...unchanged, ...stated }
    }),
  }))
  const evidence = pack.evidence.flatMap(({ source, maximumAgeSeconds }, index) => {
    const record = current(source)
    if (!record) {
      lost[`payload.evidence.${index}.source`] = [`must exist, got ${source.id}`]
      return []
    }
    moveTo(source, record)
    return [{ source: { ...source, resourceVersion: record.resourceVersion }, maximumAgeSeconds }]
  })
  return { options, evidence, moved: [...changes.values()], lost }
}
