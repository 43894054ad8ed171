export {
  decomposeByPrices,
  type PricedFill,
  type PricedLeg,
} from '../src/attribution/decompose-by-prices.ts'
export {
  decomposeFill,
  type Fill,
  type KnownFillCosts,
  opportunityCost,
  type SandwichEvidence,
} from '../src/attribution/decompose-fill.ts'
export {
  averagePrice,
  branchSize,
  decomposeRoute,
  type FillTerms,
  legPrice,
  type RoutedFill,
  type RouteLeg,
  routePrice,
} from '../src/attribution/decompose-route.ts'
export { pairBeforeSwap, poolFromEvents } from '../src/attribution/event-state.ts'
export {
  COST_PARTS,
  type CostPart,
  type FillCosts,
  type OrderCosts,
  partsInPips,
  type ResidualPart,
  sumCosts,
} from '../src/attribution/fill-costs.ts'
export {
  movePips,
  REVERSION_SECONDS,
  reversionOf,
  type SquareRootBenchmark,
  shareProRata,
  squareRootBenchmark,
} from '../src/attribution/impact.ts'
export { marketWithout } from '../src/attribution/market-without.ts'
export { branchesOf, type TokenSwap } from '../src/attribution/route.ts'
export { type BlockSwap, findSandwiches, type Sandwich } from '../src/attribution/sandwich.ts'
