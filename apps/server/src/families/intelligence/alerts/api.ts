export { alertsOf, ranks } from './alerts.ts'
export {
  evaluateScore,
  evaluateVenue,
  withScoreEvaluation,
} from './thresholds/commit-evaluation.ts'
