import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

/** What the records tell by themselves; see `alert-notices.ts` for what people did about it. */
export type Alert = Omit<Static<typeof contract.Alert>, 'acknowledged' | 'mutedUntil'>
