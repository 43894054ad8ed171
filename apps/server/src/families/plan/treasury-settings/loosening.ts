import type { contract } from '@liquidity-os/contract'
import { changeState, type OwnersAt } from '../../../market/treasury/waiting-change.ts'

type Settings = contract.TreasurySettings
type Kept = contract.KeptTreasurySettings

/** Settings of an organization that has set none. */
export const unsetSettings: Settings = {
  reconciliation: { requireSecondPerson: false },
  primaryAssumptions: null,
  requiredLimits: [],
  minimumCoveragePips: 0,
}

/** Paths of the settings that would protect less than they do. Which assumptions are primary protects nothing by itself. */
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

/** What is wanted, but where that protects less than what is. */
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

/** The highest threshold first: a figure below it breaks the limit. */
const byStrictness = (a: Limit, b: Limit) => Number(BigInt(b.threshold) - BigInt(a.threshold))

/**
 * What holds at a moment, whether it is written down or not.
 *
 * @param ownersAt asked only where it decides
 */
export async function inForceAt(
  { settings, pending }: Kept,
  now: number,
  ownersAt: OwnersAt,
): Promise<Kept> {
  if (pending === null) return { settings, pending }
  const state = await changeState(pending, now, ownersAt)
  if (state === 'WAITS') return { settings, pending }
  return { settings: state === 'IN_FORCE' ? pending.settings : settings, pending: null }
}
