import { orReasons } from '../../../../drawing/abstained.ts'
import type { Drawing } from '../../../../drawing/drawing.ts'
import type { DrawnMarket } from './drawn-market.ts'
import { marketMapPictures } from './market-map-pictures.ts'

export default (market: DrawnMarket): Drawing[] => orReasons(marketMapPictures(market), market)
