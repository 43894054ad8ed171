import { canonicalize, sha256Hex } from '@liquidity-os/evidence'

/** A series of a study as it is stored beside it: the bytes, and their hash. */
export interface Series {
  name: string
  hash: string
  rows: number
  content: Uint8Array
}

/** A run of an arm as the engine tells it, as far as series go. */
interface ToldRun {
  flowModel: string
  series: unknown[]
  actions: unknown[]
  layouts: unknown[]
}

/**
 * Samples of each run; and what its arm did, and where its liquidity lay, where there is anything to tell. Long
 * ones are a second's work, so they are sealed in the thread that ran the replay.
 */
export function sealSeries(
  arms: readonly { armId: string; results: readonly ToldRun[] }[],
): Series[] {
  return arms.flatMap(({ armId, results }) =>
    results.flatMap(({ flowModel, series, actions, layouts }) => {
      const name = `${armId}.${flowModel}`
      const told = [
        { name: `${name}.actions`, rows: actions },
        { name: `${name}.layouts`, rows: layouts },
      ]
      return [{ name, rows: series }, ...told.filter(({ rows }) => rows.length > 0)].map(seal)
    }),
  )
}

function seal({ name, rows }: { name: string; rows: unknown[] }): Series {
  const content = new TextEncoder().encode(canonicalize(rows))
  return { name, hash: `0x${sha256Hex(content)}`, rows: rows.length, content }
}
