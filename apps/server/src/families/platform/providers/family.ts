import { contract } from '@liquidity-os/contract'
import { forgetMinutes } from '../../../store/node-calls/node-calls.ts'
import type { Family } from '../../family.ts'
import { providerProbe } from './provider-probe.ts'
import { providers } from './records.ts'

const pausedKinds: ReadonlySet<string> = new Set([
  ...['PRICE_ORACLE', 'MARKET_DATA', 'QUOTE_SOURCE', 'LANGUAGE_MODEL', 'SAFE_SERVICE'],
])

export const family: Family = {
  contracts: [contract.providerFamily],
  operations: {
    listOperatingSystemProviders: providers.list(contract.listOperatingSystemProviders),
    putOperatingSystemProvider: () => import('./putOperatingSystemProvider.ts'),
    readProviderHealth: () => import('./readProviderHealth.ts'),
    probeProvider: () => import('./probeProvider.ts'),
  },
  kinds: [providers.kind],
  jobs: { PROVIDER_PROBE: { run: () => import('./provider-probe-job.ts') } },
  schedules: [providerProbe],
  retention: forgetMinutes,
  departures: [
    providers.departure({
      // These supply prices, quotes or texts from an endpoint that the member chose, or send data to it. Chain data is
      // checked by other means, and indexing must not stop because a colleague leaves: an owner reviews the rest.
      outcome: ({ kind }) => (pausedKinds.has(kind) ? 'PAUSED' : 'UNCHANGED'),
      maker: 'LAST',
      title: ({ providerId, kind }) => `${providerId} (${kind})`,
      event: 'provider.replaced',
    }),
  ],
  checklist: [
    {
      place: 10,
      code: 'REGISTER_CHAIN_PROVIDER',
      type: 'Provider',
      title: 'Add an RPC provider',
      why: 'The service reads market data from a node at finalized blocks.',
      operationId: 'putOperatingSystemProvider',
    },
  ],
}
