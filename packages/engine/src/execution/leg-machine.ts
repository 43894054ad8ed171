/** Where a leg of a plan stands. */
export const legStates = [
  ...(['PLANNED', 'ARMED', 'SUBMITTED', 'INCLUDED', 'FINALIZED'] as const),
  ...(['RECONCILED', 'REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED'] as const),
] as const
export type LegState = (typeof legStates)[number]

/** Who may say that a leg moved: a person who answers for it, the chain as it was read, or the clock. */
export type LegTeller = 'OPERATOR' | 'CHAIN' | 'CLOCK'

export interface LegMove {
  readonly to: LegState
  readonly by: LegTeller
}

/** A state that leads nowhere is final. */
export const legMoves: Readonly<Record<LegState, readonly LegMove[]>> = {
  PLANNED: [
    { to: 'ARMED', by: 'OPERATOR' },
    { to: 'CANCELLED', by: 'OPERATOR' },
    { to: 'EXPIRED', by: 'CLOCK' },
  ],
  ARMED: [
    { to: 'SUBMITTED', by: 'OPERATOR' },
    { to: 'CANCELLED', by: 'OPERATOR' },
    { to: 'EXPIRED', by: 'CLOCK' },
  ],
  SUBMITTED: [
    // Another hash for the same leg, where the first was wrong or was never mined.
    { to: 'SUBMITTED', by: 'OPERATOR' },
    { to: 'INCLUDED', by: 'CHAIN' },
    { to: 'REVERTED', by: 'CHAIN' },
    { to: 'REPLACED', by: 'CHAIN' },
    // A final block is past the deadline and nothing was included: it cannot be any more.
    { to: 'EXPIRED', by: 'CHAIN' },
  ],
  INCLUDED: [
    // The block was orphaned.
    { to: 'SUBMITTED', by: 'CHAIN' },
    { to: 'FINALIZED', by: 'CHAIN' },
    { to: 'REVERTED', by: 'CHAIN' },
  ],
  FINALIZED: [{ to: 'RECONCILED', by: 'CHAIN' }],
  RECONCILED: [],
  REVERTED: [],
  REPLACED: [],
  CANCELLED: [],
  EXPIRED: [],
}

export const isFinalLeg = (state: LegState): boolean => legMoves[state].length === 0

/** Who may say that a leg goes from one state to another; null where none leads there. */
export const tellerOf = (from: LegState, to: LegState): LegTeller | null =>
  legMoves[from].find((move) => move.to === to)?.by ?? null

export type PlanStanding = 'ACTIVE' | 'COMPLETED' | 'PARTIAL' | 'EXPIRED' | 'REVOKED' | 'FAILED'

/**
 * What the legs of a plan make of it: ACTIVE while one lives, COMPLETED where all were reconciled, PARTIAL where some were;
 * of none, FAILED where one reverted or was replaced, else EXPIRED where time ended one, else REVOKED.
 */
export function standingOf(states: readonly LegState[]): PlanStanding {
  if (states.some((state) => !isFinalLeg(state))) return 'ACTIVE'
  const has = (...wanted: LegState[]) => states.some((state) => wanted.includes(state))
  if (has('RECONCILED'))
    return states.every((state) => state === 'RECONCILED') ? 'COMPLETED' : 'PARTIAL'
  if (has('REVERTED', 'REPLACED')) return 'FAILED'
  return has('EXPIRED') ? 'EXPIRED' : 'REVOKED'
}
