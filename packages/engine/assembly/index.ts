// The bit-exact Uniswap v3 pool as WebAssembly: host functions and memory addresses.

export { reserve, runBatch } from './batch'
export { crossed } from './crossings'
export {
  AMOUNTS,
  burn,
  collect,
  completePosition,
  draftPosition,
  keepDraft,
  mint,
} from './liquidity'
export {
  growObservations,
  increaseCardinalityNext,
  observationCardinality,
  observationCardinalityNext,
  observationCount,
  observationIndex,
  setOracle,
} from './oracle'
export {
  BALANCES,
  FEE_GROWTH,
  insertTick,
  LIQUIDITY,
  MAX_LIQUIDITY_PER_TICK,
  PRICE,
  PROTOCOL_FEES,
  putAt,
  setFee,
  setNow,
  setTerms,
  slotAt,
  tick,
  tickCount,
} from './pool'
export { LOG, LOG_ASKED, recover, recoverAsked } from './recovery'
export { AT_LIQUIDITY, AT_PRICE, REMAINING } from './step'
export {
  ASKED,
  commit,
  LIMIT,
  quote,
  reachedTick,
  TOTAL_FEE,
  TOTAL_IN,
  TOTAL_OUT,
  walk,
} from './swap'
export { MAX_SQRT_RATIO, MIN_SQRT_RATIO, ROOT_POWERS } from './tick-math'
