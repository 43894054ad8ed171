/** Kind of the name that an open anomaly holds: one of a kind and subject is open at a time. */
export const openName = 'open-anomaly'
