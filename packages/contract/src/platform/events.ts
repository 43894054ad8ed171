import Type, { type Static } from 'typebox'
import { OperatingSystemEvent } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, scoped } from '../operation.ts'
import { closed, list, named, orNull } from '../scalars.ts'

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

/** Maximum number of events in one response. */
export const eventsAtOnce = 500

export const EventsRead = named(
  'EventsRead',
  closed({
    events: list(OperatingSystemEvent, eventsAtOnce, {
      description: 'Events in commit order; events of one record in record order.',
    }),
    hasMore: Type.Boolean({
      description: 'True if more events are available now.',
    }),
    nextCursor: orNull(
      Type.String({
        description:
          'Cursor of the next request, also at the end: send it as `after`. Null only if the organization has no events.',
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
  summary: 'Read events in order',
  description:
    'Every committed event of the organization, oldest first, exactly once, also under concurrent commits. A client that stores `nextCursor` misses no event. A credential needs the scopes that a webhook for every kind needs.',
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
        description: 'Event kind filter, from the kinds of GET /event-kinds.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: eventsAtOnce,
        default: 100,
        description: 'Maximum number of events.',
      }),
    ),
  },
  success: [200],
  response: data(EventsRead),
  errors: ['LIQUIDITY_CURSOR_INVALID', 'LIQUIDITY_EVENT_CURSOR_LOST'],
})

export const eventFamily = declareFamily({ module: 'platform/events', operations: [listEvents] })
