import type { contract } from '@liquidity-os/contract'
import type { Drawing, Paper } from '@liquidity-os/drawing'
import { projectionPictures } from './projection-pictures.ts'

export default (payload: contract.TreasuryProjection, paper: Paper): Drawing[] =>
  projectionPictures(payload, paper)
