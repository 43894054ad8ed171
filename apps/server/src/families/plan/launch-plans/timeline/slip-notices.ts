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

/** How many steps of the critical path a notice names, from the first that is open. */
const maxStepsNamed = 64

/** Tells of launches whose critical path leads past their date. */
export const tellSlippedLaunches: Sweep['run'] = (services) =>
  sweepOverdue(services, {
    actor: 'launch-slip-notices',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'LaunchPlan', {
        status: ['VALIDATED', 'PARTIAL'],
        order: 'OLDEST',
      }),
    end: tellSlip,
  })

async function tellSlip(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await launchPlans.current(records, id)
  if (!current || current.record.status === 'RETIRED') return null
  const { launchAt } = current.record.payload.request
  const slip = slipToTell(await records.events(id), { id, launchAt }, records.now)
  return slip && records.note(current, slippedKind, { ...slip })
}

/** What a notice says of a launch that is forecast later than planned. */
export interface Slip {
  readonly launchAt: string
  readonly forecastLaunchAt: string
  /** Days by which it is late, rounded up. */
  readonly daysLate: number
  readonly criticalPath: readonly string[]
}

/**
 * What is to be told of a plan that slips: when it begins to, whenever the delay has doubled since it was told, and anew after its
 * timeline has changed. So a plan that everybody forgot is told of ever more rarely.
 *
 * @param now milliseconds since 1970
 * @returns null where it does not slip, or nothing is new
 */
export function slipToTell(
  events: readonly OperatingSystemEvent[],
  plan: { readonly id: string; readonly launchAt: string },
  now: number,
): Slip | null {
  const timeline = foldTimeline(events, plan.id, plan.launchAt)
  // Gates open no earlier than now, with which the forecast counts already.
  const told = timelineDocument(plan, timeline, new Map(), now)
  const { forecastLaunchAt, criticalPath } = told
  // Whatever the phase: a launch that is prepared and does not begin is late as well.
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
