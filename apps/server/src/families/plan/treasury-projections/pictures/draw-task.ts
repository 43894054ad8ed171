import type { contract } from '@liquidity-os/contract'
import type { Drawing } from '@liquidity-os/drawing'
import { projectionPictures } from './projection-pictures.ts'

export default (payload: contract.TreasuryProjection): Drawing[] => projectionPictures(payload)
