import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  advance,
  draftState,
  type MigrationMove,
  type MigrationState,
  nextStep,
  type StepNature,
  terminalPhases,
} from './state-machine.ts'

const C: StepNature = 'CALL'
/** Plans of several sizes, with and without a pilot that is soaked. */
const plans: Readonly<Record<string, readonly StepNature[]>> = {
  'one transaction': [C],
  'one transaction and a check': [C, 'CHECK'],
  'three transactions': [C, C, C],
  'a pilot with its soak, then the remaining steps': [C, 'CHECK', 'SOAK', 'CHECK', C, 'CHECK'],
}

interface Exploration {
  states: MigrationState[]
  /** Places of the states that a move leads to. */
  edges: number[][]
  moves: number
  faults: string[]
}

/** Every state that can be reached, by every move that any caller can make in it. */
function explore(forward: readonly StepNature[]): Exploration {
  const places = new Map<string, number>()
  const found: Exploration = { states: [], edges: [], moves: 0, faults: [] }
  const placeOf = (state: MigrationState) => {
    const key = JSON.stringify(state)
    const known = places.get(key)
    if (known !== undefined) return known
    const place = found.states.push(state) - 1
    places.set(key, place)
    return place
  }
  placeOf(draftState(forward))
  for (let place = 0; place < found.states.length; place += 1) {
    const state = found.states[place]!
    const next = movesIn(state).flatMap((move) => {
      const after = advance(state, move)
      if (typeof after === 'string') return []
      found.faults.push(...faultsOfEdge(state, move, after))
      return [after]
    })
    found.moves += next.length
    found.faults.push(...faultsOfState(state))
    found.edges.push(next.map(placeOf))
  }
  return found
}

function movesIn(state: MigrationState): MigrationMove[] {
  const { forward, done, checkpoints, back } = state
  const steps = Array.from({ length: forward.length + 2 }, (_, step) => step)
  return [
    { kind: 'VALIDATE', forward },
    ...(['START', 'PAUSE', 'COMPLETE', 'CANCEL', 'DEADLINE'] as const).map((kind) => ({ kind })),
    ...steps.flatMap((step): MigrationMove[] => [
      ...(['STEP_SUBMITTED', 'STEP_CONFIRMED', 'STEP_FAILED'] as const).map((kind) => ({
        kind,
        step,
      })),
      ...(['WITHIN', 'OUTSIDE', 'STOP_RULE'] as const).map((outcome) => ({
        kind: 'STEP_VERIFIED' as const,
        step,
        outcome,
      })),
    ]),
    ...[true, false].map((byOwner) => ({
      kind: 'RESUME' as const,
      byOwner,
      rest: forward.slice(done),
    })),
    ...[...checkpoints, forward.length + 1].flatMap((checkpoint): MigrationMove[] => {
      const whole = Array.from({ length: Math.max(0, done - checkpoint) }, () => C)
      // Planned anew on the way, what is left of it may be as long as it was, or shorter.
      const rest = back === null ? whole : back.steps.slice(back.done)
      return [whole, rest, []].map((reverse) => ({
        kind: 'ROLLBACK' as const,
        checkpoint,
        steps: reverse,
      }))
    }),
  ]
}

const isTerminal = ({ phase }: MigrationState) => terminalPhases.includes(phase)

/** What a move broke; empty where nothing. */
function faultsOfEdge(
  before: MigrationState,
  move: MigrationMove,
  after: MigrationState,
): string[] {
  const isGoingBack = before.phase === 'ROLLING_BACK'
  const kept = before.checkpoints.every(
    (checkpoint, place) => after.checkpoints[place] === checkpoint,
  )
  return broken({
    'an end was left': isTerminal(before),
    'a step was undone': after.done < before.done,
    'a checkpoint was lost': !kept,
    'a submission was forgotten': before.everSubmitted && !after.everSubmitted,
    'the way back was left': isGoingBack && !['ROLLING_BACK', 'RETIRED'].includes(after.phase),
    'confirmed without submission': before.inFlight === null && after.inFlight === 'CONFIRMED',
    'two in flight': before.inFlight !== null && move.kind === 'STEP_SUBMITTED',
  })
}

/** What does not hold in a state; empty where everything does. */
function faultsOfState(state: MigrationState): string[] {
  const { phase, forward, done, checkpoints, inFlight, everSubmitted, pause, back } = state
  const isUnderWay = ['ACTIVE', 'PAUSED', 'ROLLING_BACK'].includes(phase)
  return broken({
    'more done than there is': done > forward.length,
    'checkpoints do not rise': checkpoints.some(
      (at, place) => place > 0 && at <= checkpoints[place - 1]!,
    ),
    'a checkpoint ahead': (checkpoints.at(-1) ?? 0) > done,
    'in flight at rest': inFlight !== null && !isUnderWay,
    'in flight without a transaction': inFlight !== null && nextStep(state)?.nature !== 'CALL',
    'paused without cause': !isTerminal(state) && (phase === 'PAUSED') !== (pause !== null),
    'completed too early': phase === 'COMPLETED' && (done < forward.length || back !== null),
    'retired too early': phase === 'RETIRED' && back?.done !== back?.steps.length,
    'given up with funds moved':
      everSubmitted && !isUnderWay && !['COMPLETED', 'RETIRED'].includes(phase),
  })
}

const broken = (claims: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(claims).flatMap(([claim, isBroken]) => (isBroken ? [claim] : []))

/** Places from which a state that fits can be reached. */
function canReach({ states, edges }: Exploration, fits: (state: MigrationState) => boolean) {
  const into: number[][] = states.map(() => [])
  for (const [from, targets] of edges.entries()) for (const to of targets) into[to]!.push(from)
  const found = new Set(states.flatMap((state, place) => (fits(state) ? [place] : [])))
  for (const place of found) for (const from of into[place]!) found.add(from)
  return found
}

describe.each(Object.entries(plans))('%s', (name, forward) => {
  const explored = explore(forward)

  test('no invariant is broken in any state that can be reached, nor by any move', () => {
    expect(explored.faults).toEqual([])
  })

  test('from every state that is not an end, an end can be reached', () => {
    const finished = canReach(explored, ({ phase }) => phase === 'COMPLETED' || phase === 'RETIRED')
    const given = canReach(explored, ({ phase }) => phase === 'REVOKED' || phase === 'EXPIRED')
    const open = [...explored.states.entries()].filter(([, state]) => !isTerminal(state))
    expect(open.filter(([place]) => !finished.has(place))).toEqual([])
    // Only where nothing was sent yet may it also be given up.
    const mayGiveUp = ({ everSubmitted, phase }: MigrationState) =>
      !everSubmitted && phase !== 'ROLLING_BACK'
    expect(open.filter(([place, state]) => given.has(place) !== mayGiveUp(state))).toEqual([])
  })

  test('the page tells how many states and moves there are', () => {
    const { states, moves } = explored
    const page = readFileSync(
      new URL('../../../../docs/methodology/migration-simulation.md', import.meta.url),
      'utf8',
    )
    expect(page).toContain(
      `| ${name} | ${forward.length} | ${grouped(states.length)} | ${grouped(moves)} |`,
    )
  })
})

const grouped = (count: number) => `${count}`.replaceAll(/\B(?=(\d{3})+$)/g, ',')

test('what may not happen is refused with its reason', () => {
  const draft = draftState([C, 'CHECK'])
  const to = (...moves: MigrationMove[]) =>
    moves.reduce<MigrationState>((state, move) => {
      const after = advance(state, move)
      if (typeof after === 'string') throw new Error(`${move.kind}: ${after}`)
      return after
    }, draft)
  const started: MigrationMove[] = [{ kind: 'VALIDATE', forward: draft.forward }, { kind: 'START' }]
  const sent: MigrationMove = { kind: 'STEP_SUBMITTED', step: 0 }
  const verified: MigrationMove = { kind: 'STEP_VERIFIED', step: 0, outcome: 'WITHIN' }
  const cancel: MigrationMove = { kind: 'CANCEL' }
  expect(advance(draft, { kind: 'START' })).toBe('NOT_ALLOWED')
  expect(advance(to(...started), { kind: 'STEP_SUBMITTED', step: 1 })).toBe('STEP_ORDER')
  expect(advance(to(...started), verified)).toBe('STEP_ORDER')
  expect(advance(to(...started, sent), sent)).toBe('IN_FLIGHT')
  expect(advance(to(...started, sent), cancel)).toBe('FUNDS_IN_TRANSIT')
  expect(advance(to(cancel), cancel)).toBe('TERMINAL')
  expect(advance(to(...started), { kind: 'COMPLETE' })).toBe('STEPS_LEFT')
  expect(advance(to(...started), { kind: 'ROLLBACK', checkpoint: 1, steps: [] })).toBe(
    'NO_CHECKPOINT',
  )
  const overdue = to(...started, sent, { kind: 'DEADLINE' }, { kind: 'STEP_FAILED', step: 0 })
  const resume = { kind: 'RESUME', byOwner: true, rest: overdue.forward } as const
  expect(advance(overdue, resume)).toBe('OVERDUE')
  const soaked = { ...to(...started), phase: 'PAUSED', pause: 'STOP_RULE' } as const
  expect(advance(soaked, { ...resume, byOwner: false })).toBe('OWNER_REQUIRED')
})
