export {
  type BootstrappingPool,
  priceWithoutTrades,
  sellFromBootstrappingPool,
} from '../src/launch/bootstrapping-pool.ts'
export {
  type ClearingAuction,
  clearAuction,
  MPS,
} from '../src/launch/continuous-clearing-auction.ts'
export {
  criticalChain,
  type PlannedStep,
  type TimedStep,
  TimelineError,
  timedSteps,
} from '../src/launch/critical-path.ts'
export {
  type Bid,
  type DemandTerms,
  drawDemand,
  type Sale,
  type SalePoint,
} from '../src/launch/demand.ts'
export {
  type DutchSale,
  dutchPrice,
  type FixedPriceSale,
  sellAtFixedPrice,
  sellByDutchAuction,
} from '../src/launch/posted-price.ts'
export { type SeededBand, type SeededPool, sellFromPool } from '../src/launch/seeded-pool.ts'
