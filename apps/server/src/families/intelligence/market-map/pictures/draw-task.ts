import { type Drawing, drawCharts, orReasons, type Paper } from '@liquidity-os/drawing'
import { type DrawnMarket, marketMapCharts } from '../charts.ts'

export default (market: DrawnMarket, paper: Paper): Drawing[] =>
  orReasons(drawCharts(marketMapCharts(market), paper), market, paper)
