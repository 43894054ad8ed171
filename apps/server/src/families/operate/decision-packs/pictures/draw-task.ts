import type { Drawing } from '../../../../drawing/drawing.ts'
import { type DrawnPack, packPictures } from './pack-pictures.ts'

export default (drawn: DrawnPack): Drawing[] => packPictures(drawn)
