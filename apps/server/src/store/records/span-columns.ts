import { type Sql, sql } from '../database/sql.ts'

/** Columns of `venue_spans` that follow from the observation, as `venue_span_of` returns them, after the organization. */
const ofObservation: readonly string[] = [
  ...['id', 'venue_id', 'resource_version', 'status'],
  ...['first_block', 'first_hash', 'first_at', 'last_block', 'last_hash', 'last_at'],
  ...['parent_hash', 'start_snapshot', 'end_snapshot', 'events_hash', 'gaps'],
]
export const spanRowColumns: readonly string[] = ['organization_id', ...ofObservation]

/**
 * Starts an insert into `venue_spans` of rows that a FROM clause calls `span`. The organization is
 * a constant of the statement.
 */
export const insertSpans = (organizationId: string): Sql =>
  sql`insert into venue_spans (${{ text: spanRowColumns.join(', ') }})
    select ${organizationId}, ${{ text: ofObservation.map((name) => `span.${name}`).join(', ') }}`
