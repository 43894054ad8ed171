import { expect, it } from 'vitest'
import { lockOf, type RunEvent } from './research-terms.ts'

const event = (sequence: number, kind: string, payload = {}): RunEvent => ({
  id: `event_${sequence}`,
  sequence,
  kind: `agent_run.${kind}`,
  payload,
  occurredAt: '2026-01-01T00:00:00.000Z',
})
const named = { protocolHash: '0x1' }

it('finds the approval that locked a protocol, and whether the data came after it', () => {
  const [planned, sealed, captured] = [
    event(2, 'phase_changed', named),
    event(3, 'protocol_sealed', named),
    event(4, 'capture_sealed'),
  ]
  expect(lockOf([captured, sealed, planned], '0x1')).toEqual({
    event: sealed,
    capture: captured,
    isBeforeData: true,
  })
  expect(lockOf([planned], '0x1')).toEqual({ event: planned, capture: null, isBeforeData: true })
  expect(lockOf([event(1, 'capture_sealed'), sealed], '0x1')?.isBeforeData).toBe(false)
  expect(lockOf([planned, sealed], '0x2')).toBeNull()
})
