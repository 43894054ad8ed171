export { alertsOf } from './alerts.ts'
export { evaluateVenue, withScoreEvaluation } from './thresholds/commit-evaluation.ts'
