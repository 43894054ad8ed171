/** Columns of `venue_spans` that follow from the observation, as `venue_span_of` returns them; the organization is the first. */
export const spanRowColumns: readonly string[] = [
  ...['organization_id', 'id', 'venue_id', 'resource_version', 'status'],
  ...['first_block', 'first_hash', 'first_at', 'last_block', 'last_hash', 'last_at'],
  ...['parent_hash', 'start_snapshot', 'end_snapshot', 'events_hash', 'gaps'],
]
