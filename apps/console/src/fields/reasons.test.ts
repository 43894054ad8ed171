import { expect, it } from 'vitest'
import { stateText } from './reasons.ts'

const reasons = ['COVERAGE_TOO_LOW', 'CONFIDENCE_TOO_LOW', 'VENUE_STALE']

it('adds the first reasons to the state of a result that is partial or withheld', () => {
  expect(stateText('ABSTAINED', { payload: { reasons } })).toBe(
    'Withheld: coverage too low, confidence too low, 1 more',
  )
  expect(stateText('PARTIAL', { payload: { result: { reasons: ['VENUE_STALE'] } } })).toBe(
    'Partial: venue stale',
  )
})

it('shows the state alone if it needs no reason or the record has none', () => {
  expect(stateText('COMPLETED', { payload: { reasons } })).toBe('Complete')
  expect(stateText('FAILED', { payload: {} })).toBe('Failed')
})
