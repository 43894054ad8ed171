import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, record, session } from '../operation.ts'
import { closed, Hash, named, oneOf, orNull, Reason, RecordId, Timestamp } from '../scalars.ts'

export const scheduleStates = ['ON_TIME', 'LATE', 'OVERDUE', 'BLOCKED', 'OFF'] as const

const Task = Type.String({
  pattern: '^[A-Z][A-Z_]{2,59}$',
  description: 'Kind of the jobs.',
  examples: ['VENUE_INDEX'],
})

const ScheduleId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9:_-]{2,199}$',
  description: 'The task and the id of its subject.',
  examples: ['VENUE_INDEX:venue_0198f0f0c0de7000800000000000a001'],
})

/** Schedule state of a subject, visible to all readers. */
export const standing = {
  everySeconds: Type.Integer({
    minimum: 0,
    description: 'Interval between runs, in seconds; 0 if automatic runs are disabled.',
  }),
  state: oneOf(
    scheduleStates,
    'LATE after more than two intervals without a success, OVERDUE after more than six; BLOCKED: the last run failed, see `cause`; OFF: automatic runs are disabled.',
  ),
  lagSeconds: Type.Integer({
    minimum: 0,
    description: 'Seconds since the last success, or since the last change of the subject.',
  }),
  lastSuccessAt: orNull(Timestamp),
  nextAt: orNull(Timestamp),
  cause: orNull(
    Type.String({
      description:
        'Error code of a failed run, or LIQUIDITY_ORGANIZATION_STORAGE_FULL if a full storage quota prevents runs.',
    }),
  ),
}

export const Schedule = named(
  'Schedule',
  closed({
    id: ScheduleId,
    task: Task,
    subject: SourceRef,
    ...standing,
    setEverySeconds: orNull(
      Type.Integer({ minimum: 60, description: 'Operator setting; null for the default.' }),
    ),
    jobId: orNull(
      Type.String({
        description: 'Job of the newest run; null without a run or without `operate`.',
      }),
    ),
    resourceVersion: Hash,
  }),
)
export type Schedule = Static<typeof Schedule>

/** Operator settings: the record of a schedule, created by its first change. */
export const ScheduleSetting = named(
  'ScheduleSetting',
  closed({
    task: Task,
    subject: closed({ resourceType: Type.String({ maxLength: 80 }), id: RecordId }),
    everySeconds: orNull(Type.Integer({ minimum: 60, maximum: 604_800 })),
  }),
)
export type ScheduleSetting = Static<typeof ScheduleSetting>

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

export const listSchedules = operation({
  id: 'listSchedules',
  isExtension: true,
  method: 'GET',
  path: '/schedules',
  ...heading,
  summary: 'List schedules',
  description:
    'Every scheduled subject, by task and subject, with its state: last success, next run, and cause of a failure.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  query: {
    task: Type.Optional(Task),
    state: Type.Optional(oneOf(scheduleStates, 'Schedules in this state.')),
  },
  success: [200],
  response: collection(Schedule),
})

export const changeSchedule = operation({
  id: 'changeSchedule',
  isExtension: true,
  method: 'PATCH',
  path: '/schedules/{id}',
  ...heading,
  summary: 'Turn a schedule off or on, or change its interval',
  description:
    'Change for one subject. A running job finishes. A user can request a run at any time, also if the schedule is OFF.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  params: { id: ScheduleId },
  success: [200],
  body: closed({
    state: Type.Optional(oneOf(['ON', 'OFF'], 'ON enables automatic runs, OFF disables them.')),
    everySeconds: Type.Optional(
      orNull(
        Type.Integer({
          minimum: 60,
          maximum: 604_800,
          description: 'Interval between runs, from a minute to a week; null restores the default.',
        }),
      ),
    ),
    reason: Reason,
  }),
  response: record(Schedule),
  example: { body: { state: 'OFF', reason: 'The venue is being moved' } },
})

export const scheduleFamily = declareFamily({
  module: 'platform/schedules',
  operations: [listSchedules, changeSchedule],
  type: 'ScheduleSetting',
  prefix: 'schedule',
  name: 'schedule',
  plural: 'schedules',
  payload: ScheduleSetting,
  moves: { ACTIVE: ['ACTIVE', 'PAUSED'], PAUSED: ['PAUSED', 'ACTIVE'] },
  events: ['schedule.changed', 'schedule.turned_off', 'schedule.turned_on'],
  title: 'payload.task',
  columns: ['payload.task', 'payload.everySeconds', 'status'],
  ui: {
    page: 'settings/schedules',
    task: 'Schedules',
    icon: 'calendar-clock',
    summary: 'Recurring tasks with interval and last success.',
    empty: 'The service adds schedules with venues and holdings.',
    title: 'task',
    columns: ['task', 'subject', 'everySeconds', 'state', 'lastSuccessAt', 'nextAt'],
    actions: {
      changeSchedule: { label: 'Edit schedule' },
    },
    docs: 'platform',
  },
})
