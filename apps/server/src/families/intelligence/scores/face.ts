export type { ScorePayload } from './active-score.ts'
