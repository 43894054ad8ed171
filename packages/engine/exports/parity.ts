export { applyOperation, type OperationOutcome } from '../src/parity/apply-operation.ts'
export type { PoolLog } from '../src/parity/logs.ts'
export type {
  PoolOperation,
  UniswapV2Operation,
  UniswapV3Operation,
} from '../src/parity/operations.ts'
export { randomV2Sequence, type V2SequenceSpec } from '../src/parity/random-v2.ts'
export { randomV3Sequence, type V3SequenceSpec } from '../src/parity/random-v3.ts'
export {
  answerStableCall,
  compareStableRecordings,
  type StableCall,
  type StableParity,
  type StableRecording,
} from '../src/parity/recorded-stable.ts'
export { listStorage, tickBitmap } from '../src/parity/storage.ts'
