import { expect, test } from 'vitest'
import {
  isFinalLeg,
  type LegState,
  legMoves,
  legStates,
  standingOf,
  tellerOf,
} from './leg-machine.ts'

test('every state can be reached from PLANNED, and every state that is not final can be left', () => {
  const reached = new Set<LegState>(['PLANNED'])
  for (const state of reached) for (const { to } of legMoves[state]) reached.add(to)
  expect([...reached].toSorted()).toEqual([...legStates].toSorted())
  expect(legStates.filter(isFinalLeg)).toEqual([
    ...['RECONCILED', 'REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED'],
  ])
})

test('only the chain says what the chain did, and only the clock what it ended', () => {
  expect(tellerOf('SUBMITTED', 'INCLUDED')).toBe('CHAIN')
  expect(tellerOf('INCLUDED', 'SUBMITTED')).toBe('CHAIN')
  expect(tellerOf('ARMED', 'EXPIRED')).toBe('CLOCK')
  expect(tellerOf('SUBMITTED', 'EXPIRED')).toBe('CHAIN')
  expect(tellerOf('PLANNED', 'ARMED')).toBe('OPERATOR')
  expect(tellerOf('PLANNED', 'SUBMITTED')).toBeNull()
  expect(tellerOf('SUBMITTED', 'CANCELLED')).toBeNull()
})

test('a plan stands as its legs do', () => {
  const of = (...states: LegState[]) => standingOf(states)
  expect(of('RECONCILED', 'PLANNED')).toBe('ACTIVE')
  expect(of('RECONCILED', 'RECONCILED')).toBe('COMPLETED')
  expect(of('RECONCILED', 'REVERTED')).toBe('PARTIAL')
  expect(of('REVERTED', 'EXPIRED')).toBe('FAILED')
  expect(of('REPLACED', 'CANCELLED')).toBe('FAILED')
  expect(of('EXPIRED', 'CANCELLED')).toBe('EXPIRED')
  expect(of('CANCELLED', 'CANCELLED')).toBe('REVOKED')
})
