export { type LastSweep, lastSweep } from './last-sweep.ts'
