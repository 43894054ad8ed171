export { type LastSweep, lastSweep } from './last-sweep.ts'
export type { AnomalyPayload } from './subject.ts'
