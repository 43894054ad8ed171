import type { Drawing } from '@liquidity-os/drawing'
import { drawControl } from './control.ts'
import type { DrawnVault } from './drawn.ts'
import { drawReceipts } from './receipts.ts'

export default (drawn: DrawnVault): Drawing[] => [drawControl(drawn), drawReceipts(drawn)]
