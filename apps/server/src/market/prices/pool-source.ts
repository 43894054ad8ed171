/** Name of a pool in the key of a price series. */
export const poolSource = (pool: string): string => `pool:${pool.toLowerCase()}`

/** True if a price series has the prices of a pool. */
export const isOfPool = ({ of }: { readonly of: string }, pool: string): boolean =>
  of.endsWith(`:${poolSource(pool)}`)
