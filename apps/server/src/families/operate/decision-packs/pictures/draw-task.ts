import type { Drawing, Paper } from '@liquidity-os/drawing'
import type { DrawnPack } from './drawn-pack.ts'
import { packPictures } from './pack-pictures.ts'

export default (drawn: DrawnPack, paper?: Paper): Drawing[] => packPictures(drawn, paper)
