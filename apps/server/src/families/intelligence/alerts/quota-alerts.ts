import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { integerOf, type Row, textOf } from '../../../store/database/row.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Alert } from './alert.ts'

/** Used shares of the credits of a day: an alert opens, and becomes critical. */
const [warningShare, criticalShare] = [0.8, 0.95]

/**
 * Alerts for RPC nodes whose plan is nearly used up. They end with the UTC day.
 *
 * @param spent credits of the day by provider
 */
export function quotaAlerts(
  providers: readonly VersionedRecord<ProviderPayload>[],
  spent: readonly Row[],
  now: number,
): Alert[] {
  const used = new Map(spent.map((row) => [textOf(row, 'provider_id'), integerOf(row, 'credits')]))
  const day = Math.floor(now / dayMilliseconds) * dayMilliseconds
  return providers.flatMap(({ resourceType, id, resourceVersion, payload }): Alert[] => {
    const { limits } = payload.configuration as { limits?: contract.NodeLimits }
    const credits = used.get(id) ?? 0
    const perDay = limits?.creditsPerDay
    if (perDay === undefined || credits < warningShare * perDay) return []
    const percent = Math.floor((credits / perDay) * 100)
    return [
      {
        id: `PROVIDER_QUOTA:${id}`,
        kind: 'PROVIDER_QUOTA',
        severity: credits >= criticalShare * perDay ? 'CRITICAL' : 'WARNING',
        state: 'OPEN',
        subject: { pair: null, venueId: null },
        source: { resourceType, id, resourceVersion },
        evidenceHash: resourceVersion,
        occurrences: 1,
        title: `${payload.displayName} has used ${percent} % of its ${perDay} credits of today. Jobs stop at 95 %, all calls except probes at 100 %.`,
        openedAt: new Date(day).toISOString(),
        lastSeenAt: new Date(now).toISOString(),
      },
    ]
  })
}
