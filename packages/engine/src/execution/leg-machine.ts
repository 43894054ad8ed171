export const legStates = [
  ...(['PLANNED', 'ARMED', 'SUBMITTED', 'INCLUDED', 'FINALIZED'] as const),
  ...(['RECONCILED', 'REVERTED', 'REPLACED', 'CANCELLED', 'EXPIRED'] as const),
] as const
export type LegState = (typeof legStates)[number]

/** Source of a leg's state change: an accountable operator, chain data, or the clock. */
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
    // Replacement hash for the same leg, if the first was wrong or was never mined.
    { to: 'SUBMITTED', by: 'OPERATOR' },
    { to: 'INCLUDED', by: 'CHAIN' },
    { to: 'REVERTED', by: 'CHAIN' },
    { to: 'REPLACED', by: 'CHAIN' },
    // A finalized block is past the deadline without inclusion, so inclusion is no longer possible.
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

/** Source that can report this transition; null if the transition is invalid. */
export const tellerOf = (from: LegState, to: LegState): LegTeller | null =>
  legMoves[from].find((move) => move.to === to)?.by ?? null

export type PlanStanding = 'ACTIVE' | 'COMPLETED' | 'PARTIAL' | 'EXPIRED' | 'REVOKED' | 'FAILED'

/**
 * Plan status from the states of its legs. ACTIVE while a leg is not final, COMPLETED if all legs
 * are reconciled, PARTIAL if some are. If no leg is reconciled: FAILED if one reverted or was
 * replaced, else EXPIRED if one expired, else REVOKED.
 */
export function standingOf(states: readonly LegState[]): PlanStanding {
  if (states.some((state) => !isFinalLeg(state))) return 'ACTIVE'
  const has = (...wanted: LegState[]) => states.some((state) => wanted.includes(state))
  if (has('RECONCILED'))
    return states.every((state) => state === 'RECONCILED') ? 'COMPLETED' : 'PARTIAL'
  if (has('REVERTED', 'REPLACED')) return 'FAILED'
  return has('EXPIRED') ? 'EXPIRED' : 'REVOKED'
}
