import type { contract } from '@liquidity-os/contract'

type Settings = contract.TreasurySettings
type Kept = contract.KeptTreasurySettings

/** Settings of an organization that has set none. */
export const unsetSettings: Settings = { reconciliation: { requireSecondPerson: false } }

/** Paths of the settings that would protect less than they do. */
export function loosened(now: Settings, wanted: Settings): string[] {
  const isWaived =
    now.reconciliation.requireSecondPerson && !wanted.reconciliation.requireSecondPerson
  return isWaived ? ['reconciliation.requireSecondPerson'] : []
}

/** Of two settings the one that protects more, member by member. */
export function stricterOf(a: Settings, b: Settings): Settings {
  const requireSecondPerson =
    a.reconciliation.requireSecondPerson || b.reconciliation.requireSecondPerson
  return { reconciliation: { requireSecondPerson } }
}

/** What holds at a moment: a change whose time has come is in force, and one that nobody confirmed in time is gone. */
export function inForceAt({ settings, pending }: Kept, now: number): Kept {
  if (pending === null) return { settings, pending }
  if (isOver(pending.effectiveAt, now)) return { settings: pending.settings, pending: null }
  return isOver(pending.expiresAt, now) ? { settings, pending: null } : { settings, pending }
}

const isOver = (at: string | null, now: number) => at !== null && Date.parse(at) <= now
