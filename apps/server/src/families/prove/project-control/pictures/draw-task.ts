import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { DrawnProof } from '../pictures.ts'
import { drawControlPath } from './control-path.ts'

export default (drawn: DrawnProof, paper: Paper = usualPaper): Drawing[] => [
  drawControlPath(drawn, paper),
]
