import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { shareLinks, shares } from './records.ts'

export const family: Family = {
  contracts: [contract.mandateShareFamily],
  operations: {
    getSharedMarketMakerMandate: () => import('./getSharedMarketMakerMandate.ts'),
    createMandateShareLink: () => import('./createMandateShareLink.ts'),
    listMandateShares: shares.list(contract.listMandateShares),
    getMandateShares: shares.get(contract.getMandateShares),
    revokeMandateShareLink: () => import('./revokeMandateShareLink.ts'),
  },
  kinds: [shares.kind],
  departures: [shareLinks.departure()],
  sweeps: [
    {
      what: 'mandate shares',
      everyMilliseconds: limits.sweepMilliseconds,
      run: (services) => shareLinks.expire(services),
    },
  ],
}
