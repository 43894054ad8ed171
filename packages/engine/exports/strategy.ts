export type { StrategyError, StrategyErrorCode } from '../src/strategy/check-strategy.ts'
export {
  type Compilation,
  type CompilationContext,
  type CompilationReport,
  compileStrategy,
  type PositionPreview,
  type StrategyBounds,
  type StrategyWarning,
} from '../src/strategy/compile-strategy.ts'
export type {
  Action,
  Guards,
  PositionPlan,
  RangeTemplate,
  Rule,
  StrategyDefinition,
  TokenRole,
  Trigger,
} from '../src/strategy/definition.ts'
export { layRanges, type Place, rangeAround } from '../src/strategy/lay-ranges.ts'
export { PriceMemory } from '../src/strategy/price-memory.ts'
export {
  type EdgePrices,
  edgePricesOf,
  LowerPipsError,
  MOST_LOWER_PIPS,
} from '../src/strategy/range-edges.ts'
export {
  type StrategyTerms,
  strategyArm,
  UnknownVolatilityError,
} from '../src/strategy/strategy-arm.ts'
