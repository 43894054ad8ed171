import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { depthPicture } from '../rendering/depth-picture.ts'
import { drawProof } from './draw-proof.ts'
import type { DrawnPassport } from './drawn.ts'

export default (drawn: DrawnPassport, paper: Paper = usualPaper): Drawing[] => [
  {
    picture: depthPicture(drawn.payload, drawn.pair, paper),
    columns: ['size, quote atoms', 'buying, pips', 'selling, pips'],
    rows: drawn.payload.usableDepthByTradeSize.map((row) => [
      ...[row.tradeSizeQuote, row.buySlippagePips, row.sellSlippagePips],
    ]),
  },
  drawProof(drawn, paper),
]
