export {
  type Replay,
  type ReplayOptions,
  replayBaseline,
  startReplay,
} from '../src/replay/baseline.ts'
export type { PositionCoverage } from '../src/replay/clmm-replay.ts'
export {
  classifyPairSwap,
  type PairAmounts,
  type PairSwapClass,
} from '../src/replay/cpmm-replay.ts'
export { decodeLog, LogDecodeError, type RawLog } from '../src/replay/decode-log.ts'
export type {
  ClmmEvent,
  CpmmEvent,
  EventPlace,
  EventType,
  LiquidityEvent,
  MarketEvent,
  PoolEvent,
  StableEvent,
  SwapEvent,
} from '../src/replay/events.ts'
export type {
  Divergence,
  Fidelity,
  KindCount,
  Mismatch,
  SwapMode,
  Verdict,
} from '../src/replay/fidelity.ts'
export { followMarket, type MarketFollower } from '../src/replay/market-follower.ts'
export { type PairFlows, pairFlows } from '../src/replay/pair-flows.ts'
export {
  type ClmmTerms,
  type ReadClmmState,
  readClmmState,
  readRecordedClmmState,
} from '../src/replay/read/clmm-state.ts'
export {
  bindColumns,
  bindObject,
  parseUtc,
  type RowSource,
  readEventRow,
} from '../src/replay/read/event-row.ts'
export { type InputFault, ReplayInputError, showCell } from '../src/replay/read/input-error.ts'
export { asNode, type JsonNode, readBigint } from '../src/replay/read/json-fields.ts'
export { readMarket } from '../src/replay/read/market.ts'
export {
  type ClmmPoolTerms,
  type CpmmPoolTerms,
  type FeeStep,
  readFeePips,
  readPairFee,
  readPoolTerms,
  readReserve,
  readTickSpacing,
} from '../src/replay/read/pool-terms.ts'
export { readStableRecording, type StableRow } from '../src/replay/read/stable-recording.ts'
export { isStableDocument, readStableState } from '../src/replay/read/stable-state.ts'
export { parseSmall, parseWhole } from '../src/replay/read/whole-number.ts'
export { type RecoveredCall, recoverSwap } from '../src/replay/recover-swap.ts'
export { SingleRangeReplay } from '../src/replay/single-range.ts'
export { atTime } from '../src/replay/stable-replay.ts'
