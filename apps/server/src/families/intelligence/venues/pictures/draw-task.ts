import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { venueCharts } from '../charts.ts'
import type { DrawnVenue } from '../drawn-venue.ts'

export default (venue: DrawnVenue, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(venueCharts(venue), paper)
