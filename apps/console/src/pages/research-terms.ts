export interface RunEvent {
  id: string
  sequence: number
  kind: string
  occurredAt: string
  payload: Record<string, unknown>
}
export interface RunLeaf {
  leafIndex: number
  leaf: { loggedAt: string }
  event: { id: string }
}

/** Lock time of a protocol, and whether it precedes the data capture. */
export interface Lock {
  event: RunEvent
  /** Event that captured the data, or null before it. */
  capture: RunEvent | null
  isBeforeData: boolean
}

/**
 * The event that locked a protocol: the approval that sealed its hash, otherwise the first event
 * that contains it.
 *
 * @param events of the run, in any order
 */
export function lockOf(events: readonly RunEvent[], protocolHash: string): Lock | null {
  const ordered = events.toSorted((a, b) => a.sequence - b.sequence)
  const naming = ordered.filter(({ payload }) => payload.protocolHash === protocolHash)
  const event = naming.find(({ kind }) => kind === 'agent_run.protocol_sealed') ?? naming[0]
  if (!event) return null
  const capture = ordered.find(({ kind }) => kind === 'agent_run.capture_sealed') ?? null
  return { event, capture, isBeforeData: capture === null || event.sequence < capture.sequence }
}
