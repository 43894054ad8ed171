/** Durations; each name ends with its unit. */
export const secondMilliseconds = 1_000
export const minuteMilliseconds = 60_000
export const hourMilliseconds = 3_600_000
export const dayMilliseconds = 86_400_000

export const minuteSeconds = 60
export const hourSeconds = 3_600
export const daySeconds = 86_400
export const weekSeconds = 604_800
/** Of 365 days. */
export const yearSeconds = 31_536_000
