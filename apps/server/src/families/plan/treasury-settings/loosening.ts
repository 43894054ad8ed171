import type { contract } from '@liquidity-os/contract'
import { changeState, type OwnersAt } from '../../../market/treasury/waiting-change.ts'

type Settings = contract.TreasurySettings
type Stored = contract.KeptTreasurySettings

/** Default settings of an organization. */
export const unsetSettings: Settings = {
  reconciliation: { requireSecondPerson: false },
  primaryAssumptions: null,
  requiredLimits: [],
  minimumCoveragePips: 0,
}

/**
 * Paths of settings that would offer less protection. The choice of primary assumptions is not
 * protective.
 */
export function loosened(now: Settings, wanted: Settings): string[] {
  const { reconciliation, requiredLimits, minimumCoveragePips } = stricterOf(now, wanted)
  const isWaived = reconciliation.requireSecondPerson !== wanted.reconciliation.requireSecondPerson
  const isLowered = requiredLimits.some(
    ({ metric, threshold }) =>
      !wanted.requiredLimits.some((one) => one.metric === metric && one.threshold === threshold),
  )
  return [
    ...(isWaived ? ['reconciliation.requireSecondPerson'] : []),
    ...(isLowered ? ['requiredLimits'] : []),
    ...(minimumCoveragePips === wanted.minimumCoveragePips ? [] : ['minimumCoveragePips']),
  ]
}

/** Requested settings, with the current values where these protect more. */
export function stricterOf(now: Settings, wanted: Settings): Settings {
  const both = [...now.requiredLimits, ...wanted.requiredLimits]
  const requiredLimits = [...Map.groupBy(both, ({ metric }) => metric).values()].flatMap((limits) =>
    limits.toSorted(byStrictness).slice(0, 1),
  )
  return {
    reconciliation: {
      requireSecondPerson:
        now.reconciliation.requireSecondPerson || wanted.reconciliation.requireSecondPerson,
    },
    primaryAssumptions: wanted.primaryAssumptions,
    requiredLimits: requiredLimits.toSorted((a, b) => (a.metric < b.metric ? -1 : 1)),
    minimumCoveragePips: Math.max(now.minimumCoveragePips, wanted.minimumCoveragePips),
  }
}

type Limit = Settings['requiredLimits'][number]

/** Highest threshold first: a lower figure breaches the limit. */
const byStrictness = (a: Limit, b: Limit) => Number(BigInt(b.threshold) - BigInt(a.threshold))

/**
 * Settings in force at a moment, even before the sweep records them.
 *
 * @param ownersAt called only if needed
 */
export async function inForceAt(
  { settings, pending }: Stored,
  now: number,
  ownersAt: OwnersAt,
): Promise<Stored> {
  if (pending === null) return { settings, pending }
  const state = await changeState(pending, now, ownersAt)
  if (state === 'WAITS') return { settings, pending }
  return { settings: state === 'IN_FORCE' ? pending.settings : settings, pending: null }
}
