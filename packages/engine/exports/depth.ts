export {
  type Depth,
  depthLadder,
  type Side,
} from '../src/depth/depth-ladder.ts'
export { type Slip, slippageTable } from '../src/depth/slippage-table.ts'
export { baseFor, quoteValue } from '../src/depth/value.ts'
