import { type Drawing, orReasons, type Paper } from '@liquidity-os/drawing'
import type { DrawnMarket } from './drawn-market.ts'
import { marketMapPictures } from './market-map-pictures.ts'

export default (market: DrawnMarket, paper: Paper): Drawing[] =>
  orReasons(marketMapPictures(market, paper), market, paper)
