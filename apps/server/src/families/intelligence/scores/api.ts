export { holderOf as activeScoreOf, type ScorePayload, type ScoreRecord } from './active-score.ts'
export { samplesInput } from './reliability-samples.ts'
