import { canonicalize, sha256Hex } from '@liquidity-os/evidence'

export interface Series {
  name: string
  hash: string
  rows: number
  content: Uint8Array
}

interface SerializedRun {
  flowModel: string
  series: unknown[]
  actions: unknown[]
  layouts: unknown[]
}

/**
 * Samples of every run, plus its actions and layouts if present. Long series take about a second,
 * so the replay thread seals them.
 */
export function sealSeries(
  arms: readonly { armId: string; results: readonly SerializedRun[] }[],
): Series[] {
  return arms.flatMap(({ armId, results }) =>
    results.flatMap(({ flowModel, series, actions, layouts }) => {
      const name = `${armId}.${flowModel}`
      const tables = [
        { name: `${name}.actions`, rows: actions },
        { name: `${name}.layouts`, rows: layouts },
      ]
      return [{ name, rows: series }, ...tables.filter(({ rows }) => rows.length > 0)].map(seal)
    }),
  )
}

function seal({ name, rows }: { name: string; rows: unknown[] }): Series {
  const content = new TextEncoder().encode(canonicalize(rows))
  return { name, hash: `0x${sha256Hex(content)}`, rows: rows.length, content }
}
