import type { Schedule } from '../../../family-parts.ts'
import {
  configurationOf,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import { sql } from '../../../store/database/sql.ts'

/** Repeats the admission probe of chain providers periodically. */
export const providerProbe: Schedule = {
  task: 'PROVIDER_PROBE',
  type: 'Provider',
  activeStatus: 'ACTIVE',
  inactiveStatuses: ['PAUSED'],
  appliesTo: (payload) => configurationOf(payload as ProviderPayload) !== null,
  everySeconds: (_, { providerProbeSeconds }) => providerProbeSeconds,
  refreshes: sql`true`,
  queue: async (records, providerId) => {
    const current = await records.current<ProviderPayload>('Provider', providerId)
    if (current?.record.status !== 'ACTIVE') return null
    return queueRun(records, 'PROVIDER_PROBE', current.record)
  },
}
