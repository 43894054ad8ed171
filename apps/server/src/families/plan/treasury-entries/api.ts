export { allocate, type Claim } from './allocation.ts'
export { controlOf, isControlled, splitByControl, unprovenGap } from './control.ts'
export { treasuryEntries } from './records.ts'
export {
  type RequestedReservation,
  reservableHoldings,
  reserveHoldings,
} from './reserve.ts'
export { activeEntries, activeHoldings, type LedgerEntry, liveReservations } from './reserved.ts'
