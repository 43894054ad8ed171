export { allocate, type Claim } from './allocation.ts'
export { treasuryEntries } from './records.ts'
export {
  type AskedReservation,
  reservableHoldings,
  reserveHoldings,
} from './reserve.ts'
export { activeEntries, type LedgerEntry, liveReservations } from './reserved.ts'
