import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { providerProbe } from './provider-probe.ts'
import { providers } from './records.ts'

export const family: Family = {
  contracts: [contract.providerFamily],
  operations: {
    listOperatingSystemProviders: providers.list(contract.listOperatingSystemProviders),
    putOperatingSystemProvider: () => import('./putOperatingSystemProvider.ts'),
  },
  kinds: [providers.kind],
  jobs: { PROVIDER_PROBE: { run: () => import('./provider-probe-job.ts') } },
  keeps: [providerProbe],
  checklist: [
    {
      place: 10,
      code: 'REGISTER_CHAIN_PROVIDER',
      type: 'Provider',
      title: 'Register a chain provider',
      why: 'Everything that is measured is read from a chain at a final block.',
      operationId: 'putOperatingSystemProvider',
    },
  ],
}
