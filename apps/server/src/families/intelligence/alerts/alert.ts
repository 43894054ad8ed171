import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

/** Alert computed from the records. `alert-notices.ts` adds user actions. */
export type Alert = Omit<Static<typeof contract.Alert>, 'acknowledged' | 'mutedUntil'>
