import type { ReplayStudy } from '../src/study/recorded-study.ts'
import { runReplayStudyCompiled, runReplayStudyReadably } from '../src/study/replay-study.ts'
import { drawReplayStudy } from './random-recordings.ts'

export interface ReplayComparison {
  /** Null if both gave the same bytes, or the same error. */
  readonly difference: string | null
  /** Whether the compiled engine ran the study, left it to the readable one, or both threw. */
  readonly end: 'compiled' | 'left' | 'failed'
}

/** Runs a study on both engines. */
export function compareReplays(study: ReplayStudy): ReplayComparison {
  const own = attempt(() => runReplayStudyCompiled(study))
  if (own === 'null') return { difference: null, end: 'left' }
  const right = attempt(() => runReplayStudyReadably(study))
  const end = right.startsWith('threw') ? 'failed' : 'compiled'
  return { difference: own === right ? null : firstDifference(own, right), end }
}

/** Draws a study and compares. */
export function fuzzReplays(seed: number): ReplayComparison {
  const { difference, end } = compareReplays(drawReplayStudy(seed))
  return { difference: difference === null ? null : `seed ${seed}: ${difference}`, end }
}

function attempt(run: () => unknown): string {
  try {
    return JSON.stringify(run())
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
