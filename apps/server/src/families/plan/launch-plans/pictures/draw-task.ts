import type { Drawing } from '../../../../drawing/drawing.ts'
import { type DrawnLaunch, launchPictures } from './launch-pictures.ts'

export default (drawn: DrawnLaunch): Drawing[] => launchPictures(drawn)
