export type { AnomalyPayload } from './subject.ts'
