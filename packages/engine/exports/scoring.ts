export {
  CompositeMarket,
  type CompositeSlip,
  type CompositeVenue,
  feePipsOf,
  type PricedMarket,
} from '../src/scoring/composite-market.ts'
export {
  type Suspicion,
  sandwichTrades,
  suspiciousTrades,
  type TapeTrade,
} from '../src/scoring/flow-integrity.ts'
export { type HourlyWindow, type HourOfFlow, hourlyInterval } from '../src/scoring/hourly-score.ts'
export {
  diagnoseMarket,
  type MarketDiagnostics,
  type PricePoint,
} from '../src/scoring/market-diagnostics.ts'
export {
  type ComponentFeature,
  type ComponentScore,
  type Grade,
  type MarketFeatures,
  type ScoreResult,
  scoreInterval,
  scoreMarket,
} from '../src/scoring/market-quality.ts'
export {
  type MarketSample,
  measureMarket,
  type ScoreWindow,
  worseSlippageOf,
} from '../src/scoring/measure-market.ts'
export {
  areEnoughLarge,
  chooseRecoveries,
  LargestTrades,
  type MarketLevel,
  type Recovery,
  RecoveryWatch,
} from '../src/scoring/recovery-watch.ts'
export {
  type ComponentCode,
  type ComponentDefinition,
  MQS_1,
  type RawUnit,
} from '../src/scoring/weight-set-mqs-1.ts'
