import { contract } from '@liquidity-os/contract'
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
}
