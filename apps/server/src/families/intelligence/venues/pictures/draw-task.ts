import type { Drawing } from '@liquidity-os/drawing'
import { drawCoverage } from './coverage.ts'
import type { DrawnVenue } from './drawn-venue.ts'

export default (venue: DrawnVenue): Drawing[] => [drawCoverage(venue)]
