export { impactPips, type Sale, type Sold, sellFor } from '../src/treasury/convert.ts'
export type { Conversion, CourseMonth, HoldingMonth, Share } from '../src/treasury/course.ts'
export { flowAmounts, growthAt } from '../src/treasury/flow-amounts.ts'
export { type LineSensitivity, lineSensitivity } from '../src/treasury/line-sensitivity.ts'
export { pricesAlong } from '../src/treasury/price-path.ts'
export {
  projectScenario,
  type RunwayViews,
  type ScenarioProjection,
} from '../src/treasury/projection.ts'
export { type ProjectionWork, projectionWork } from '../src/treasury/projection-work.ts'
export { type Runway, runwayOf } from '../src/treasury/runway.ts'
export {
  type AssetMarket,
  type Certainty,
  ONE_X36,
  type PricePath,
  type ProjectedAsset,
  type ProjectedFlow,
  type ProjectedHolding,
  type ProjectedScenario,
  type Tier,
  type TreasuryTerms,
} from '../src/treasury/terms.ts'
export {
  type Fan,
  LEAST_RETURN_ROWS,
  type PathTerms,
  type ReturnModel,
  type TreasuryPaths,
  treasuryPaths,
} from '../src/treasury/treasury-paths.ts'
