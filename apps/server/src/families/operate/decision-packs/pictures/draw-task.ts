import type { Drawing, Paper } from '@liquidity-os/drawing'
import { type DrawnPack, packPictures } from './pack-pictures.ts'

export default (drawn: DrawnPack, paper?: Paper): Drawing[] => packPictures(drawn, paper)
