import type { Drawing } from '@liquidity-os/drawing'
import type { DrawnProof } from '../pictures.ts'
import { drawControlPath } from './control-path.ts'

export default (drawn: DrawnProof): Drawing[] => [drawControlPath(drawn)]
