import {
  advanceMigration,
  draftState,
  type MigrationMove,
  type MigrationState,
  type StepNature,
} from '@liquidity-os/engine/migration'
import { expect, it } from 'vitest'
import { holdsDeadline } from './plan-names.ts'

const forward: readonly StepNature[] = ['CHECK']
const validated: MigrationMove = { kind: 'VALIDATE', forward }
const started: readonly MigrationMove[] = [validated, { kind: 'START' }]
const checked: MigrationMove = { kind: 'STEP_VERIFIED', step: 0, outcome: 'WITHIN' }
const back: MigrationMove = { kind: 'ROLLBACK', checkpoint: 0, steps: ['CHECK'] }

function after(...moves: readonly MigrationMove[]): MigrationState {
  return moves.reduce((state, move) => {
    const next = advanceMigration(state, move)
    if (typeof next === 'string') throw new Error(next)
    return next
  }, draftState(forward))
}

it('is held while the deadline can end the plan', () => {
  for (const moves of [[], [validated], started]) expect(holdsDeadline(after(...moves))).toBe('YES')
})

it('may be gone where a deadline ends nothing any more', () => {
  expect(holdsDeadline(after(...started, checked))).toBe('EITHER')
  expect(holdsDeadline(after(...started, back))).toBe('EITHER')
})

it('is held by no plan that is overdue or has ended', () => {
  expect(holdsDeadline(after(validated, { kind: 'DEADLINE' }))).toBe('NO')
  expect(holdsDeadline(after(...started, { kind: 'CANCEL' }))).toBe('NO')
  const sent = after(...started, back, checked)
  expect([sent.phase, holdsDeadline(sent)]).toEqual(['RETIRED', 'NO'])
  expect(holdsDeadline({ ...after(...started), phase: 'PAUSED', isOverdue: true })).toBe('NO')
})
