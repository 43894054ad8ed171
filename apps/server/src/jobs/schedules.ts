import { setImmediate } from 'node:timers/promises'
import type { contract } from '@liquidity-os/contract'
import type { ErrorCode } from '@liquidity-os/contract/outline'
import type { Schedule } from '../family-parts.ts'
import { limits } from '../limits.ts'
import type { RecordReading, RecordSweeping, ScheduleReading, Services } from '../services.ts'
import { ConflictError, type Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, type Rows, textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { findStatement, headsStatement } from '../store/records/find.ts'
import { idPrefixes, type ResourceType } from '../store/records/resource-types.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'
import { type KnownRuns, offsetOf, type Timing, timingOf } from './schedule-timing.ts'
import { type ScheduledSubject, type Setting, settingOf, subjectOf } from './scheduled-subject.ts'
import { type ActiveHead, readFacts } from './subject-facts.ts'

/** A subject with a schedule, active or inactive. */
export interface Scheduled extends Timing {
  readonly task: string
  readonly subject: { readonly resourceType: string; readonly id: string }
  readonly source: {
    readonly resourceType: string
    readonly id: string
    readonly resourceVersion: string
  }
  readonly everySeconds: number
  readonly succeededAt: number | null
  /** Error code of the failure that prevents a refresh. */
  readonly cause: string | null
  readonly jobId: string | null
  readonly setting: Setting | null
  /** How it would run without a setting, and the code of its newest failure. */
  readonly unset: KnownRuns & { readonly failure: string | null; readonly isFull: boolean }
}

export function schedulesStatements(schedules: readonly Schedule[], organizationId: string): Sql[] {
  return [
    findStatement(organizationId, 'ScheduleSetting', {}),
    ...schedules.flatMap((schedule) => [
      findStatement(organizationId, schedule.type, {
        status: [schedule.activeStatus, ...schedule.inactiveStatuses],
      }),
      runsStatement(schedule, organizationId),
    ]),
  ]
}

/** Schedule states from the results of `schedulesStatements`, most overdue first. */
export async function schedulesOf(
  schedules: readonly Schedule[],
  records: TenantRecords,
  { config, usage }: Pick<Services, 'config' | 'usage'>,
  answers: readonly Rows[],
): Promise<Scheduled[]> {
  const isFull = (await usage.excess(records.organizationId)) !== null
  const [set = [], ...scheduleRows] = answers
  const settings = new Map(
    records
      .opened<contract.ScheduleSetting>(set)
      .map((record) => [`${record.payload.task}:${record.payload.subject.id}`, settingOf(record)]),
  )
  const found = schedules.flatMap((schedule, index) => {
    const runs = new Map((scheduleRows[2 * index + 1] ?? []).map((row) => [textOf(row, 'id'), row]))
    return records
      .opened(scheduleRows[2 * index] ?? [])
      .map((record) => subjectOf(schedule, record, config))
      .filter(({ isConcerned }) => isConcerned)
      .map((subject) =>
        scheduledOf(schedule, subject, {
          run: runs.get(subject.id),
          isFull,
          records,
          setting: settings.get(`${schedule.task}:${subject.id}`) ?? null,
        }),
      )
  })
  return found.sort(soonestFirst)
}

const soonestFirst = (a: Scheduled, b: Scheduled) => (a.nextAt ?? Infinity) - (b.nextAt ?? Infinity)

interface Known {
  /** A row of `runsStatement`; undefined if no run exists. */
  readonly run: Row | undefined
  readonly setting: Setting | null
  readonly isFull: boolean
  readonly records: Pick<TenantRecords, 'organizationId' | 'now'>
}

function scheduledOf(
  { task }: Schedule,
  { id, resourceType, resourceVersion, isActive, everySeconds, since }: ScheduledSubject,
  { run, setting, isFull, records }: Known,
): Scheduled {
  const unset = {
    everySeconds,
    since,
    isActive,
    offsetSeconds: 0,
    ...runsOf(run),
    failure: causeOf(run),
    isFull,
  }
  const subject = { resourceType, id }
  const source = { resourceType, id, resourceVersion }
  const jobId = run ? optionalTextOf(run, 'job_id') : null
  return underSetting({ task, subject, source, jobId, unset }, setting, records)
}

/**
 * Schedule state with the operator's setting applied. A setting cannot enable a schedule that the
 * deployment disables. An organization with full storage gets no runs, so its subjects become late.
 */
export function underSetting(
  {
    task,
    subject,
    source,
    jobId,
    unset,
  }: Pick<Scheduled, 'task' | 'subject' | 'source' | 'jobId' | 'unset'>,
  setting: Setting | null,
  { organizationId, now }: Pick<TenantRecords, 'organizationId' | 'now'>,
): Scheduled {
  const everySeconds = unset.everySeconds === 0 ? 0 : (setting?.everySeconds ?? unset.everySeconds)
  const known = {
    ...unset,
    everySeconds,
    isActive: unset.isActive && setting?.isOff !== true,
    offsetSeconds: offsetOf([organizationId, task, subject.id], everySeconds),
  }
  const timing = timingOf(known, now)
  return {
    task,
    subject,
    source,
    jobId,
    unset,
    setting,
    everySeconds,
    ...timing,
    nextAt: unset.isFull ? null : timing.nextAt,
    succeededAt: unset.succeededAt,
    cause: causeFor(timing, unset),
  }
}

function causeFor({ state }: Timing, { isFull, failure }: Scheduled['unset']): string | null {
  if (isFull && state !== 'OFF') return 'LIQUIDITY_ORGANIZATION_STORAGE_FULL' satisfies ErrorCode
  return state === 'BLOCKED' ? failure : null
}

/** Newest run and newest success per subject, and the number of failures since. */
function runsStatement(schedule: Schedule, organizationId: string): Sql {
  const { type, activeStatus, inactiveStatuses } = schedule
  const heads = headsStatement(organizationId, type, {
    status: [activeStatus, ...inactiveStatuses],
  })
  return runsOfHeads(
    schedule,
    sql`select ${organizationId} as organization_id, asked.* from (${heads}) as asked`,
  )
}

/** @param heads a query of columns `organization_id`, `id`, `resource_version` and `status` */
function runsOfHeads({ task, refreshes }: Schedule, heads: Sql): Sql {
  const ofSubject = sql`j.organization_id = h.organization_id and j.kind = ${task} and j.subject_id = h.id`
  return sql`select h.*, last.id as job_id, last.status as last_status, last.created_at, last.finished_at, last.error,
      fresh.finished_at as succeeded_at, failed.failures, failed.failing_since
    from (${heads}) as h
    left join lateral (select j.id, j.status, j.created_at, j.finished_at, j.error from jobs j where ${ofSubject}
      order by j.created_at desc limit 1) as last on true
    left join lateral (select j.created_at, j.finished_at from jobs j where ${ofSubject} and j.status = 'COMPLETED'
      and ${refreshes} order by j.created_at desc limit 1) as fresh on true
    cross join lateral (select count(*) as failures, min(f.finished_at) as failing_since from
      (select j.finished_at from jobs j where ${ofSubject} and j.status = 'FAILED'
        and j.created_at > coalesce(fresh.created_at, 0)
        order by j.created_at limit ${limits.failuresCounted}) as f) as failed`
}

function runsOf(
  row: Row | undefined,
): Pick<KnownRuns, 'last' | 'succeededAt' | 'failures' | 'failingSince'> {
  if (!row || row.job_id === null) {
    return { last: null, succeededAt: null, failures: 0, failingSince: null }
  }
  const timeOf = (name: string) => (row[name] === null ? null : integerOf(row, name))
  return {
    last: {
      status: textOf(row, 'last_status'),
      queuedAt: integerOf(row, 'created_at'),
      endedAt: timeOf('finished_at'),
    },
    succeededAt: timeOf('succeeded_at'),
    failures: integerOf(row, 'failures'),
    failingSince: timeOf('failing_since'),
  }
}

function causeOf(row: Row | undefined): string | null {
  const text = row ? optionalTextOf(row, 'error') : null
  return text === null ? null : (JSON.parse(text) as { code: string }).code
}

/** Queues due runs in all organizations, with a limit per organization. */
export async function queueDue(
  services: RecordSweeping & ScheduleReading & Pick<Services, 'metrics'>,
): Promise<void> {
  const { schedules } = await services.families()
  const worst = new Map(schedules.map(({ task }) => [task, 0]))
  await walk(services, schedules, async (records, scheduled) => {
    for (const schedule of schedules) {
      const own = scheduled.filter(({ task }) => task === schedule.task)
      note(worst, own)
      await queueOf(services, schedule, records, own)
    }
  })
  for (const [task, lagSeconds] of worst) services.metrics.observeLag(task, lagSeconds)
}

function note(worst: Map<string, number>, scheduled: readonly Scheduled[]): void {
  for (const { task, state, lagSeconds } of scheduled) {
    if (state !== 'OFF') worst.set(task, Math.max(worst.get(task) ?? 0, lagSeconds))
  }
}

async function queueOf(
  { committer, log }: Pick<Services, 'committer' | 'log'>,
  schedule: Schedule,
  records: TenantRecords,
  scheduled: readonly Scheduled[],
): Promise<void> {
  const underWay = scheduled.filter(({ isUnderWay }) => isUnderWay).length
  const due = scheduled.filter(({ nextAt }) => nextAt !== null && nextAt <= records.now)
  for (const { subject } of due.slice(0, Math.max(0, limits.scheduledAtOnce - underWay))) {
    try {
      const change = await schedule.queue(records, subject.id)
      if (change) await committer.commit(change)
    } catch (error) {
      // Another server, or a person, was first.
      if (error instanceof ConflictError) continue
      // One unreadable subject must not delay the others.
      log.warn({ err: error, task: schedule.task, id: subject.id }, 'Failed to queue a due task.')
    }
  }
}

/** Organizations that are walked without a pause. */
const organizationsAtOnce = 100

async function walk(
  services: RecordReading & Pick<Services, 'config' | 'log' | 'usage'>,
  schedules: readonly Schedule[],
  visit: (records: TenantRecords, scheduled: readonly Scheduled[]) => Promise<void>,
): Promise<void> {
  const { database, clock, log, usage } = services
  const heads = await readActiveHeads(services, schedules)
  const facts = await readFacts(services, heads)
  const byOrganization = Map.groupBy(heads, (one) => one.organizationId)
  for (const [itemIndex, [organizationId, some]] of [...byOrganization].entries()) {
    // Yields between batches of organizations, so other requests are served.
    if (itemIndex % organizationsAtOnce === organizationsAtOnce - 1) await setImmediate()
    const records = new TenantRecords({
      purpose: 'JOB',
      organizationId,
      actor: { kind: 'SYSTEM', id: 'schedule' },
      now: clock(),
      database,
      verified: services.verified,
      artifacts: services.artifacts,
    })
    // Without the settings, a schedule that an operator disabled would look enabled.
    if (some.some((head) => head.schedule === null && !facts.isRead(head))) continue
    try {
      const isFull = (await usage.excess(organizationId)) !== null
      const scheduled = some.flatMap((head) => {
        const subject = facts.subject(head)
        if (head.schedule === null || !subject?.isConcerned) return []
        const setting = facts.setting(organizationId, head.schedule.task, head.id)
        return [scheduledOf(head.schedule, subject, { run: head.row, setting, isFull, records })]
      })
      if (scheduled.length > 0) await visit(records, scheduled.sort(soonestFirst))
    } catch (error) {
      // An unreadable record of one organization must not delay the others.
      log.warn({ err: error, organizationId }, 'Failed to read the schedules of an organization.')
    }
  }
}

/** Record heads of all organizations that define schedules, ordered by organization. */
async function readActiveHeads(
  { database }: Pick<Services, 'database'>,
  schedules: readonly Schedule[],
): Promise<ActiveHead[]> {
  const settings = { type: 'ScheduleSetting', statuses: ['ACTIVE', 'PAUSED'] } as const
  const found = await allHeads(database, settings, (heads) => heads)
  const activeHeads = found.map((row) => activeHeadOf(row, null))
  for (const schedule of schedules) {
    const { type, activeStatus, inactiveStatuses } = schedule
    const requested = { type, statuses: [activeStatus, ...inactiveStatuses] }
    const rows = await allHeads(database, requested, (heads) => runsOfHeads(schedule, heads))
    for (const row of rows) activeHeads.push(activeHeadOf(row, schedule))
  }
  return activeHeads.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1))
}

const activeHeadOf = (row: Row, schedule: Schedule | null): ActiveHead => ({
  organizationId: textOf(row, 'organization_id'),
  id: textOf(row, 'id'),
  resourceVersion: textOf(row, 'resource_version'),
  schedule,
  row,
})

const placeOf = (row: Row) => `${textOf(row, 'organization_id')} ${textOf(row, 'id')}`

/** Rows about heads of one type in all organizations, a page of heads at a time. */
async function allHeads(
  database: Database,
  { type, statuses }: { readonly type: ResourceType; readonly statuses: readonly string[] },
  ask: (heads: Sql) => Sql,
): Promise<Row[]> {
  const found: Row[] = []
  for (let [organizationId, id] = ['', '']; ; ) {
    const heads = sql`select organization_id, id, resource_version, status from record_heads
      where left(id, -33) = ${idPrefixes[type]} and status in ${values(statuses)}
      and (organization_id, id) > (${organizationId}, ${id})
      order by organization_id, id limit ${limits.walkedHeads}`
    const [rows = []] = await database.dispatch([ask(heads)])
    found.push(...rows)
    const last = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).at(-1)
    if (!last || rows.length < limits.walkedHeads) return found
    organizationId = textOf(last, 'organization_id')
    id = textOf(last, 'id')
  }
}

/** Freshness of one task across all organizations, without naming any. */
export interface TaskFreshness {
  readonly task: string
  readonly late: number
  readonly overdue: number
  readonly blocked: number
  readonly worstLagSeconds: number
}

export async function freshnessOf(
  services: RecordReading & ScheduleReading & Pick<Services, 'log'>,
): Promise<TaskFreshness[]> {
  const { schedules } = await services.families()
  const all: Scheduled[] = []
  await walk(services, schedules, async (_, scheduled) => {
    all.push(...scheduled.filter(({ state }) => state !== 'OFF'))
  })
  return schedules.map(({ task }) => {
    const own = all.filter((one) => one.task === task)
    const count = (state: Scheduled['state']) => own.filter((one) => one.state === state).length
    return {
      task,
      late: count('LATE'),
      overdue: count('OVERDUE'),
      blocked: count('BLOCKED'),
      worstLagSeconds: own.reduce((worst, { lagSeconds }) => Math.max(worst, lagSeconds), 0),
    }
  })
}

export const scheduling = {
  what: 'schedules',
  everyMilliseconds: limits.scheduleMilliseconds,
  run: queueDue,
}
