import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawCosts } from './costs.ts'
import { drawDepth } from './depth.ts'
import type { DrawnMarket } from './drawn-market.ts'
import { drawGaps } from './gaps.ts'
import { drawShares } from './shares.ts'

/** The pictures of one pair of a market map, each with its table. The same map gives the same pictures. */
export function marketMapPictures(market: DrawnMarket, paper: Paper = usualPaper): Drawing[] {
  return [drawDepth, drawShares, drawCosts, drawGaps].map((draw) => draw(market, paper))
}
