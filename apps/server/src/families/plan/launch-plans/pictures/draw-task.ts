import type { Drawing } from '@liquidity-os/drawing'
import { type DrawnLaunch, launchPictures } from './launch-pictures.ts'

export default (drawn: DrawnLaunch): Drawing[] => launchPictures(drawn)
