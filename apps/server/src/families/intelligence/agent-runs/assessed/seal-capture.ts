import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import type { Current } from '../../../../store/records/tenant-records.ts'
import { settleStep } from '../advance-run.ts'
import { itemOf, itemOfRecord, nowhere } from '../capture-items.ts'
import { captureRoot, inOrder } from '../capture-root.ts'
import type { Run } from '../records.ts'
import { sealJson } from '../sealed-json.ts'

/** A sealed item that is not a record: source, content and time. */
export interface Found {
  readonly source: Partial<contract.CapturedItem['source']> & {
    readonly kind: contract.CapturedItem['source']['kind']
  }
  readonly content: unknown
  /** Null if the content has no time. */
  readonly observedAt: string | null
}

export interface Captured {
  /** The request and its assessment rules. */
  readonly request: object
  /** Moment of the assessment, or null if the assessment is independent of time. */
  readonly asOf: string | null
  readonly records: readonly VersionedRecord[]
  readonly found: readonly Found[]
  readonly gaps: NonNullable<Run['capture']>['gaps']
  readonly coveragePips: number
}

const maxGaps = 64

/** Seals the captured data with the request and settles the step. Later data is ignored. */
export function sealCapture(
  run: JobRun,
  current: Current<Run>,
  { request: requested, asOf, records, found, gaps, coveragePips }: Captured,
): JobEnd {
  const request: Found = {
    source: { kind: 'REQUEST' },
    content: requested,
    observedAt: asOf,
  }
  const ofSources = [request, ...found].map(({ source, content, observedAt }) => {
    const json = sealJson(content)
    const item = itemOf({
      source: { ...nowhere, member: null, ...source },
      contentHash: json.contentHash,
      observedAt,
    })
    return { json, item }
  })
  const ofRecords = records.map((record) => {
    const json = sealJson(record)
    return { json, item: itemOfRecord(record, json) }
  })
  const sealed = [...ofSources, ...ofRecords]
  const items = inOrder(sealed.map(({ item }) => item))
  const captureHash = captureRoot(items)
  return settleStep(run, current, {
    outcomeHash: captureHash,
    patch: { captureHash, capture: { items, coveragePips, gaps: gaps.slice(0, maxGaps) } },
    next: { step: 'DRAFT' },
    event: 'agent_run.capture_sealed',
    eventDetails: { captureHash, items: items.length, coveragePips },
    artifacts: sealed.map(({ json }) => json),
  })
}
