import type { Drawing, Paper } from '@liquidity-os/drawing'
import { anomalyPictures } from './anomaly-pictures.ts'
import type { DrawnAnomaly } from './drawn-anomaly.ts'

export default (anomaly: DrawnAnomaly, paper: Paper): Drawing[] => anomalyPictures(anomaly, paper)
