import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { RequestActor } from '../../../access/request-actor.ts'
import { type Scheduled, schedulesOf, schedulesStatements } from '../../../jobs/schedules.ts'
import type { ScheduleReading } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Hash = contract.Schedule['resourceVersion']

/** Every schedule of an organization, by its id. */
export async function schedulesById(
  records: TenantRecords,
  services: ScheduleReading,
): Promise<ReadonlyMap<string, Scheduled>> {
  const { schedules } = await services.families()
  const answers = await records.query(schedulesStatements(schedules, records.organizationId))
  const scheduled = await schedulesOf(schedules, records, services, answers)
  return new Map(scheduled.map((one) => [scheduleId(one), one]))
}

const scheduleId = ({ task, subject }: Pick<Scheduled, 'task' | 'subject'>) =>
  `${task}:${subject.id}`

/** Version of an unchanged schedule; a changed one has the version of its setting. */
export const unchangedVersion = (id: string) => H('schedule-unchanged/v1', { id }) as Hash

/** Response format of a schedule. The job is included only for users who can act on it. */
export function scheduleView(
  scheduled: Scheduled,
  actor: Pick<RequestActor, 'permissions'>,
): contract.Schedule {
  const id = scheduleId(scheduled)
  const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return {
    id,
    task: scheduled.task,
    subject: scheduled.source as contract.Schedule['subject'],
    everySeconds: scheduled.everySeconds,
    state: scheduled.state,
    lagSeconds: scheduled.lagSeconds,
    lastSuccessAt: timeOf(scheduled.succeededAt),
    nextAt: timeOf(scheduled.nextAt),
    cause: scheduled.cause,
    setEverySeconds: scheduled.setting?.everySeconds ?? null,
    jobId: actor.permissions.has('operate') ? scheduled.jobId : null,
    resourceVersion: (scheduled.setting?.resourceVersion as Hash) ?? unchangedVersion(id),
  }
}
