import Type, { type Static } from 'typebox'
import { OperatingSystemEvent } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, scoped } from '../operation.ts'
import { closed, list, named, orNull } from '../scalars.ts'

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

/** Largest number of events in one answer. */
export const eventsAtOnce = 500

export const EventsRead = named(
  'EventsRead',
  closed({
    events: list(OperatingSystemEvent, eventsAtOnce, {
      description: 'In the order in which they were committed; events of one record in theirs.',
    }),
    hasMore: Type.Boolean({
      description: 'Whether the next request has something to read at once.',
    }),
    nextCursor: orNull(
      Type.String({
        description:
          'Where to go on, also at the end: send it as `after`. Null only where nothing was ever committed.',
      }),
    ),
  }),
)
export type EventsRead = Static<typeof EventsRead>

export const listEvents = operation({
  id: 'listEvents',
  isExtension: true,
  method: 'GET',
  path: '/events',
  ...heading,
  summary: 'Read what has happened, in order',
  description:
    'Every committed event of the organization, oldest first, each once and none skipped, whoever commits at the same time: whoever keeps `nextCursor` and asks again later has missed nothing. A credential needs what registering a webhook for every kind would need.',
  auth: scoped('webhooks:manage'),
  permission: 'read',
  query: {
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          '`nextCursor` of an earlier answer, with the same `kind`; absent: from the first event on.',
      }),
    ),
    kind: Type.Optional(
      Type.String({
        pattern: '^[a-z_]+(\\.[a-z_]+)+$',
        maxLength: 100,
        description: 'Only events of this kind, of those that GET /event-kinds lists.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: eventsAtOnce,
        default: 100,
        description: 'At most so many.',
      }),
    ),
  },
  success: [200],
  response: data(EventsRead),
  errors: ['LIQUIDITY_CURSOR_INVALID', 'LIQUIDITY_EVENT_CURSOR_LOST'],
})

export const eventFamily = declareFamily({ room: 'platform/events', operations: [listEvents] })
