import { type Drawing, orReasons } from '@liquidity-os/drawing'
import type { DrawnMarket } from './drawn-market.ts'
import { marketMapPictures } from './market-map-pictures.ts'

export default (market: DrawnMarket): Drawing[] => orReasons(marketMapPictures(market), market)
