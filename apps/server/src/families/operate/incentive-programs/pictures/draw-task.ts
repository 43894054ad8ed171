import type { Drawing, Paper } from '@liquidity-os/drawing'
import type { DrawnProgram } from './drawn-program.ts'
import { incentivePictures } from './incentive-pictures.ts'

export default (program: DrawnProgram, paper: Paper): Drawing[] => incentivePictures(program, paper)
