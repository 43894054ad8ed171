export { allocate, type Claim } from './allocation.ts'
export { treasuryEntries } from './records.ts'
