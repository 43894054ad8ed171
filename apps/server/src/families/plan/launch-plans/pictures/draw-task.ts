import type { Drawing, Paper } from '@liquidity-os/drawing'
import { type DrawnLaunch, launchPictures } from './launch-pictures.ts'

export default (drawn: DrawnLaunch, paper: Paper): Drawing[] => launchPictures(drawn, paper)
