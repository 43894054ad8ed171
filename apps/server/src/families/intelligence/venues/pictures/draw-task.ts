import type { Drawing, Paper } from '@liquidity-os/drawing'
import { drawCoverage } from './coverage.ts'
import type { DrawnVenue } from './drawn-venue.ts'

export default (venue: DrawnVenue, paper: Paper): Drawing[] => [drawCoverage(venue, paper)]
