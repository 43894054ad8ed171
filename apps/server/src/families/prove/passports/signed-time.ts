import { printSeconds } from '@liquidity-os/evidence'

/** A time as signed bodies write it: in whole seconds. */
export const signedTime = (time: string): string =>
  printSeconds(Math.floor(Date.parse(time) / 1000))
