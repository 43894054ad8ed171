// Whole paths of passive arms in one call: prices, arbitrage, traders, ledgers and samples of every
// step. Also runs the same arms on a recorded market. Each part follows a class of `src/montecarlo`
// or `src/study`, which documents meaning and reasons.

export * from '../index'
export { clearTicks } from '../pool'
export {
  BESIDE,
  CAPITAL,
  COMPOUNDED,
  DELTA_PNL,
  DIVERGENCE,
  DRIFT,
  FEES,
  FEES_AT_ACCRUAL,
  HELD,
  IDLE,
  INITIAL_BASE,
  LVR,
  NET_VS_HOLD,
  openBooks,
  REBALANCE_COST,
  SEGMENT_START,
  SETTLED,
  valuations,
} from './books'
export {
  ARBITRAGE_PROFIT,
  ARBITRAGE_VOLUME,
  arbitrages,
  begin,
  MARKOUT,
  markOut,
  NOISE_VOLUME,
  noiseTrades,
  refusedTrades,
  run,
  setCourse,
  step,
  stops,
  TRADED,
} from './course'
export { X36 } from './fractions'
export { claimedEnd, fixedEnd, keep, recall } from './image'
export { MARKOUT_WAITS, MARKOUTS } from './markouts'
export { isBeyond } from './numbers'
export { costs, draws, preparePath, ratios, START_PRICE, sales, setSteps } from './prices'
export {
  ARBITRAGE_COST,
  beginReplay,
  bookAnew,
  endReplay,
  FLOW_ARBITRAGE_VOLUME,
  FLOW_VOLUME,
  flowArbitrages,
  flowSwaps,
  highestTick,
  lowestTick,
  openReplay,
  positionOf,
  replayBands,
  replaySamples,
  replaySizes,
  rewind,
  runTape,
  secondsInRange,
  setReplaySamples,
  tape,
} from './replay'
export {
  bands,
  DEPLETED,
  depths,
  fan,
  fanCount,
  inRangeCount,
  MAX_DRAWDOWN,
  marks,
  quoteDepletedAt,
  rules,
  sampleCount,
  secondsToTarget,
  setSamples,
  setTarget,
  sizes,
  slippages,
} from './samples'
export { openShocks, SHOCK_BAND, shares, sharesOf, shockCount } from './shocks'
