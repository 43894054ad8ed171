import {
  type contract,
  type FieldErrors,
  OperatingSystemEvent,
  recordFamilies,
} from '@liquidity-os/contract'

/** All event kinds of this release, each with the type of its record. */
export const eventKinds: readonly contract.EventKind[] = recordFamilies
  .flatMap(({ type, events }) => events.map((kind) => ({ kind, resourceType: type })))
  .sort((a, b) => (a.kind < b.kind ? -1 : 1))

const known: ReadonlySet<string> = new Set(eventKinds.map(({ kind }) => kind))

/** JSON Schema of the body of a delivery. */
export const messageSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    type: { type: 'string', enum: [...known] },
    timestamp: { type: 'string', format: 'date-time' },
    data: OperatingSystemEvent,
  },
  required: ['type', 'timestamp', 'data'],
  additionalProperties: false,
}

export function validateEventKind(member: string, requested: readonly string[]): FieldErrors {
  return Object.fromEntries(
    requested.flatMap((kind, index) =>
      kind === '*' || known.has(kind) ? [] : [[`${member}.${index}`, [faultOf(kind)]]],
    ),
  )
}

/** The same for one kind. */
export function eventKindFault(kind: string): string | null {
  return known.has(kind) ? null : faultOf(kind)
}

const faultOf = (kind: string) =>
  `must be "*" or a kind listed by GET /event-kinds, got ${JSON.stringify(kind)}; the nearest is ${nearest(kind)}`

function nearest(requestedValue: string): string {
  const [first] = [...known].toSorted(
    (a, b) => distance(requestedValue, a) - distance(requestedValue, b),
  )
  if (first === undefined) throw new Error('The contract lists no event.')
  return first
}

/** Number of inserted, deleted or changed letters (Levenshtein 1966). */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...a].entries()) {
    const now = [row + 1]
    for (const [column, other] of [...b].entries()) {
      const changed = (before[column] ?? 0) + (letter === other ? 0 : 1)
      now.push(Math.min(changed, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1))
    }
    before = now
  }
  return before[b.length] ?? 0
}
