import { printSeconds } from '@liquidity-os/evidence'

/** A time in signed form: whole seconds. */
export const signedTime = (time: string): string =>
  printSeconds(Math.floor(Date.parse(time) / 1000))
