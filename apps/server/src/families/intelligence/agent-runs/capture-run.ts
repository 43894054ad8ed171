import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { readPathSources, type StudySpec } from '../../simulate/studies/api.ts'
import { settleStep } from './advance-run.ts'
import { captureItems } from './capture-items.ts'
import { captureRoot } from './capture-root.ts'
import type { Run } from './records.ts'
import { stepAfterTrials } from './run-course.ts'
import { sealedProtocol } from './sealed-protocol.ts'
import { trialPlans } from './trial-plans.ts'

const whole = 1_000_000

/** Reads all inputs once and seals them. The run ignores later data. */
export async function captureRun(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { records } = run
  const { payload } = current.record
  const { protocol } = await sealedProtocol(records, payload)
  const specs = trialPlans(protocol).flatMap(({ spec }) => (spec ? [spec] : []))
  const { items, artifacts, gaps, observations } = await captureItems(records, protocol, specs)
  const shares: number[] = []
  for (const spec of specs) shares.push(await coverageOf(records, spec, observations))
  const coveragePips = Math.min(whole, ...shares)
  const captureHash = captureRoot(items)
  const isEnough = coveragePips >= protocol.capture.minimumCoveragePips
  return settleStep(run, current, {
    outcomeHash: captureHash,
    patch: { captureHash, capture: { items, coveragePips, gaps: gaps.slice(0, maxGaps) } },
    next: { step: isEnough ? stepAfterTrials(payload.trials) : 'DRAFT' },
    event: 'agent_run.capture_sealed',
    eventDetails: { captureHash, items: items.length, coveragePips },
    artifacts,
  })
}

const maxGaps = 64

/**
 * Share of blocks in the calibration windows that were observed, rounded down; 100 % if no
 * observation is needed. An incompatible trial counts alone and does not affect other trials.
 */
async function coverageOf(
  records: TenantRecords,
  spec: StudySpec,
  observations: ReadonlyMap<string, contract.VenueObservation>,
): Promise<number> {
  if (!('venue' in spec.market)) return whole
  const ranges = (spec.observations ?? []).flatMap(({ resourceVersion }) => {
    const found = observations.get(resourceVersion)
    return found ? [found.range] : []
  })
  if (ranges.length === 0) return whole
  const { fromBlock, toBlock } = spec.window ?? {
    fromBlock: Math.min(...ranges.map(({ from }) => from.number)),
    toBlock: Math.max(...ranges.map(({ to }) => to.number)),
  }
  const blocks = toBlock - fromBlock + 1
  const missing = await missingBlocks(records, spec)
  if (missing === null || blocks <= 0) return whole
  return Math.floor(((blocks - missing) * whole) / blocks)
}

/** Number of unobserved blocks in the window, or null if the sources do not fit. */
async function missingBlocks(records: TenantRecords, spec: StudySpec): Promise<number | null> {
  try {
    const { evidence } = await readPathSources(records, spec)
    return evidence.gaps
      .filter(({ code }) => code === 'BLOCKS_UNCOVERED')
      .reduce((sum, { fromBlock = 0, toBlock = -1 }) => sum + toBlock - fromBlock + 1, 0)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
