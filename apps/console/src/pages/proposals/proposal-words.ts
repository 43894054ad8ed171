import type { contract } from '@liquidity-os/contract'

/** Kinds of proposals in words. */
export const inWords: Readonly<Record<contract.ProposalActionType, string>> = {
  VENUE_CALLS: 'market transactions',
  ADMIT_POLICY: 'policy changes',
  ROLES_APPLY: 'role changes',
  TREASURY_TRANSFER: 'treasury transfers',
  OWNER_CHANGE: 'owner changes',
}

/** True while reviewers can decide. */
export const isUndecided = (phase: contract.ProposalPhase): boolean =>
  phase === 'OPEN' || phase === 'CHANGES_REQUESTED'

const day = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** `Dec 28, 2026`, in UTC. */
export const dayText = (time: string): string => day.format(new Date(time))
