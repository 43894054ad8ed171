import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { treasuryEntries } from './records.ts'

export const family: Family = {
  contracts: [contract.treasuryEntriesFamily],
  operations: {
    listTreasuryEntries: treasuryEntries.list(contract.listTreasuryEntries),
    createTreasuryEntries: () => import('./createTreasuryEntries.ts'),
    getTreasuryEntries: treasuryEntries.get(contract.getTreasuryEntries),
    listTreasuryLedgerEntryVersions: treasuryEntries.versions(
      contract.listTreasuryLedgerEntryVersions,
    ),
    refreshTreasuryLedgerEntry: () => import('./refreshTreasuryLedgerEntry.ts'),
    retireTreasuryLedgerEntry: () => import('./retireTreasuryLedgerEntry.ts'),
  },
  kinds: [treasuryEntries.kind],
  sweeps: [
    {
      what: 'treasury reservations',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) =>
        (await import('./reservation-expiry.ts')).expireReservations(services),
    },
    {
      what: 'due obligations',
      everyMilliseconds: limits.obligationNoticeMilliseconds,
      run: async (services) =>
        (await import('./obligation-notices.ts')).notifyObligations(services),
    },
  ],
}
