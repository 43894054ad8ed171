import { compilePaths } from '../src/montecarlo/compiled/compiled-paths.ts'
import type { MonteCarloSpec } from '../src/montecarlo/monte-carlo-spec.ts'
import { runPathsOn, runPathsReadably } from '../src/montecarlo/monte-carlo-study.ts'
import { drawStudy } from './random-studies.ts'

export interface PathComparison {
  /** Null if both gave the same bytes, or the same error. */
  readonly difference: string | null
  /** Arms on paths by the engine that ran them, and studies that ended with an error. */
  readonly counts: Readonly<Record<'compiled' | 'same' | 'readable' | 'failed' | 'untaken', number>>
}

/** Everything of outcomes as text: two of one text are equal to the bit. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`
    if (part instanceof Float64Array) return [...part].map((number) => `${number}`)
    return Object.is(part, -0) ? '-0' : part
  })
}

/** Runs the first paths of a study on both engines. */
export function comparePaths(spec: MonteCarloSpec, paths: number): PathComparison {
  const compiled = compilePaths(spec)
  const counts = { compiled: 0, same: 0, readable: 0, failed: 0, untaken: 0 }
  if (compiled === null) return { difference: null, counts: { ...counts, untaken: 1 } }
  const own = attempt(() => runPathsOn(spec, 0, paths, (run) => compiled.run(run)))
  const right = attempt(() => runPathsReadably(spec, 0, paths))
  const failed = right.startsWith('threw') ? 1 : 0
  const difference = own === right ? null : firstDifference(own, right)
  return { difference, counts: { ...counts, ...compiled.counts, failed } }
}

/** Draws a study and compares. */
export function fuzzPaths(seed: number, paths: number): PathComparison {
  const { difference, counts } = comparePaths(drawStudy(seed), paths)
  return { difference: difference === null ? null : `seed ${seed}: ${difference}`, counts }
}

function attempt(run: () => unknown): string {
  try {
    return textOf(run())
  } catch (error) {
    return `threw ${error instanceof Error ? `${error.name}: ${error.message}` : `${error}`}`
  }
}

function firstDifference(own: string, right: string): string {
  let at = 0
  while (own[at] === right[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 120), at + 60)
  return `compiled ${around(own)} — readable ${around(right)}`
}
