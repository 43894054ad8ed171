export {
  LOCKED_ACCOUNT,
  PAIR_ACCOUNT,
  type PoolOperation,
  type UniswapV2Operation,
  type UniswapV3Operation,
} from './parity/operations.ts'
export { randomV2Sequence, type V2SequenceSpec } from './parity/random-v2.ts'
export { randomV3Sequence, type V3SequenceSpec } from './parity/random-v3.ts'
export { type RandomStream, randomStream, xoshiro128 } from './random/xoshiro128.ts'

export const engineVersion = '0.1.0'
