import type { Drawing } from '@liquidity-os/drawing'
import { type DrawnPack, packPictures } from './pack-pictures.ts'

export default (drawn: DrawnPack): Drawing[] => packPictures(drawn)
