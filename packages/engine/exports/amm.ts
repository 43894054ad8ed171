export {
  assertTokens,
  type Dir,
  type LoggedMarket,
  type Market,
  type Orientation,
  type PoolMarket,
  type SwapOut,
  tokenCount,
} from '../src/amm/market.ts'
export { type JsonSafe, marketToJson, toJsonSafe } from '../src/amm/market-json.ts'
export { type BookLevel, type BookState, createBook } from '../src/amm/order-book/state.ts'
export { PoolRevertError, type RevertReason } from '../src/amm/pool-revert.ts'
export {
  rampAmplification,
  stopRamp,
  withdrawAdminFees,
} from '../src/amm/stableswap/administration.ts'
export { exchangeStable, type StableExchange, viewGetDy } from '../src/amm/stableswap/exchange.ts'
export { getD, getY, getYOfD } from '../src/amm/stableswap/invariant.ts'
export {
  addStableLiquidity,
  invariantOf,
  removeStableImbalance,
  removeStableLiquidity,
  removeStableOneCoin,
  type StableLiquidityChange,
  viewCalcTokenAmount,
  viewCalcWithdrawOneCoin,
  viewVirtualPrice,
} from '../src/amm/stableswap/liquidity.ts'
export {
  type AmplificationRamp,
  amplificationOf,
  createStablePool,
  FEE_DENOMINATOR,
  findStableFault,
  PRECISION,
  rateOfDecimals,
  type StableState,
  type StableVariant,
} from '../src/amm/stableswap/state.ts'
export {
  burn,
  collect,
  type LiquidityChange,
  midPrice,
  mint,
  priceOrNull,
  swapExactIn,
  swapExactOut,
  swapToPrice,
} from '../src/amm/swap.ts'
export { getAmountIn, getAmountOut } from '../src/amm/v2/formulas.ts'
export {
  type CpmmState,
  createCpmmPair,
  LOCKED_ACCOUNT,
  PAIR_ACCOUNT,
  type PairFee,
  UNISWAP_V2_FEE,
} from '../src/amm/v2/state.ts'
export { quoteBatch, SwapOutcomes, swapBatch } from '../src/amm/v3/fast/batch.ts'
export { type ClmmSession, openClmmSession, type SwapOutcome } from '../src/amm/v3/fast/session.ts'
export { liquidityForAmounts } from '../src/amm/v3/liquidity-amounts.ts'
export type { CumulativesInside, OracleReading } from '../src/amm/v3/oracle.ts'
export { observeOracle, readCumulativesInside } from '../src/amm/v3/oracle-reading.ts'
export {
  type ClmmState,
  createClmmPool,
  type Observation,
  type PositionKey,
  type PositionState,
  type TickState,
} from '../src/amm/v3/state.ts'
export type { SwapRequest } from '../src/amm/v3/swap.ts'
export {
  describeTickFaults,
  findTickFaults,
  setBits,
  type TickEvidence,
  type TickFault,
  type TickWindow,
} from '../src/amm/v3/tick-ledger.ts'
export {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  maxLiquidityPerTickFor,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '../src/amm/v3/tick-math.ts'
