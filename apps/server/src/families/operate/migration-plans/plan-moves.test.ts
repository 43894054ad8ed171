import { contract } from '@liquidity-os/contract'
import {
  advanceMigration,
  draftState,
  type MigrationMove,
  type MigrationState,
  type StepNature,
} from '@liquidity-os/engine/migration'
import { expect, it } from 'vitest'
import { statusOf } from './deciding/append-transition.ts'

const forward: readonly StepNature[] = ['CALL', 'SOAK']
/** Moves that bring another plan with them, so that a version is written even where the status stays. */
const replanning: ReadonlySet<string> = new Set(['VALIDATE', 'START', 'RESUME', 'ROLLBACK'])

/** Every move that a caller or the clock may make in a state, sensible or not. */
function movesIn({ forward: steps, done, back }: MigrationState): MigrationMove[] {
  const locations = [done, back?.done ?? 0].map((step) => ({ step }))
  const plain = ['START', 'PAUSE', 'COMPLETE', 'CANCEL', 'DEADLINE'] as const
  return [
    { kind: 'VALIDATE', forward },
    ...plain.map((kind) => ({ kind })),
    ...locations.flatMap(({ step }): MigrationMove[] => [
      { kind: 'STEP_SUBMITTED', step },
      { kind: 'STEP_CONFIRMED', step },
      { kind: 'STEP_FAILED', step },
      { kind: 'STEP_VERIFIED', step, outcome: 'WITHIN' },
      { kind: 'STEP_VERIFIED', step, outcome: 'OUTSIDE' },
      { kind: 'STEP_VERIFIED', step, outcome: 'STOP_RULE' },
    ]),
    { kind: 'RESUME', byOwner: true, rest: steps.slice(done) },
    { kind: 'ROLLBACK', checkpoint: 0, steps: [] },
    { kind: 'ROLLBACK', checkpoint: 0, steps: ['CALL'] },
  ]
}

it('are those of the machine, as far as they write a version', () => {
  const written = new Map<string, Set<string>>()
  const first = draftState([])
  const seen = new Set([JSON.stringify(first)])
  const waiting: MigrationState[] = [first]
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const from = statusOf(state)
    for (const move of movesIn(state)) {
      const after = advanceMigration(state, move)
      if (typeof after === 'string') continue
      const to = statusOf(after)
      if (from !== to || replanning.has(move.kind)) {
        written.set(from, (written.get(from) ?? new Set()).add(to))
      }
      const key = JSON.stringify(after)
      if (seen.has(key)) continue
      seen.add(key)
      waiting.push(after)
    }
  }
  const declared = Object.entries(contract.migrationPlanFamily.moves)
    .filter(([, states]) => states.length > 0)
    .map(([from, states]) => [from, [...states].sort()])
  const made = [...written].map(([from, states]) => [from, [...states].sort()])
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(declared))
})
