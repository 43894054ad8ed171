export {
  compareTrials,
  type PairedTrial,
  type TrialTerms,
} from '../src/research/compare-trials.ts'
export { type SampleSummary, summarizeTrial } from '../src/research/summarize-trial.ts'
export {
  depthOfBand,
  type TrialMetric,
  trialMetrics,
  valueOfMetric,
} from '../src/research/trial-metrics.ts'
