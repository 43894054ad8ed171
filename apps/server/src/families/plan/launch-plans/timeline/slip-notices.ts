import type { OperatingSystemEvent } from '@liquidity-os/contract'
import { sweepOverdue } from '../../../../jobs/overdue.ts'
import type { Sweep } from '../../../../jobs/sweeps.ts'
import type { Change } from '../../../../store/records/change.ts'
import { headsStatement } from '../../../../store/records/find.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../../units.ts'
import { launchPlans } from '../records.ts'
import { appendedKind, completedKind, foldTimeline, slippedKind } from './fold-timeline.ts'
import { timelineDocument } from './timeline-document.ts'

/** Maximum steps of the critical path in a notice, starting with the first open step. */
const maxStepsNamed = 64

/** Publishes launches whose critical path ends after the launch date. */
export const notifySlippedLaunches: Sweep['run'] = (services) =>
  sweepOverdue(services, {
    actor: 'launch-slip-notices',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'LaunchPlan', {
        status: ['VALIDATED', 'PARTIAL'],
        order: 'OLDEST',
      }),
    end: notifySlip,
  })

async function notifySlip(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await launchPlans.current(records, id)
  if (!current || current.record.status === 'RETIRED') return null
  const { launchAt } = current.record.payload.request
  const slip = slipToTell(await records.events(id), { id, launchAt }, records.now)
  return slip && records.note(current, slippedKind, { ...slip })
}

/** Payload of a slip notice. */
export interface Slip {
  readonly launchAt: string
  readonly forecastLaunchAt: string
  /** Delay in days, rounded up. */
  readonly daysLate: number
  readonly criticalPath: readonly string[]
}

/**
 * Returns the next slip notice. One is due when the plan starts to slip, when the delay has doubled
 * since the last notice, and after a timeline change. Neglected plans therefore cause ever fewer
 * notices.
 *
 * @param now milliseconds since 1970
 * @returns null if the plan is on time, or no notice is due
 */
export function slipToTell(
  events: readonly OperatingSystemEvent[],
  plan: { readonly id: string; readonly launchAt: string },
  now: number,
): Slip | null {
  const timeline = foldTimeline(events, plan.id, plan.launchAt)
  // The forecast already assumes that gates open now at the earliest, so gate states are not
  // needed.
  const timelineView = timelineDocument(plan, timeline, new Map(), now)
  const { forecastLaunchAt, criticalPath } = timelineView
  // Independent of the phase: a prepared launch that does not start is late too.
  const late = Date.parse(forecastLaunchAt) - Date.parse(plan.launchAt)
  if (late <= 0) return null
  const daysLate = Math.ceil(late / dayMilliseconds)
  const last = events.findLast(({ kind }) =>
    [slippedKind, appendedKind, completedKind].includes(kind),
  )
  const before = last?.kind === slippedKind ? (last.payload as unknown as Slip).daysLate : 0
  if (before > 0 && daysLate < 2 * before) return null
  const { launchAt } = plan
  return {
    launchAt,
    forecastLaunchAt,
    daysLate,
    criticalPath: criticalPath.slice(0, maxStepsNamed),
  }
}
