export { allocate, type Claim } from './allocation.ts'
export { obligationFigures } from './obligation-figures.ts'
export { treasuryEntries } from './records.ts'
