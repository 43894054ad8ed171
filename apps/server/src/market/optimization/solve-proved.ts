import { type Certificate, certify, type LinearProgram } from '@liquidity-os/engine/optimization'
import { type Solved, solve } from './highs.ts'

/** A solved linear program with an exact-arithmetic certificate of its solution. */
export type Proved =
  | (Extract<Solved, { status: 'OPTIMAL' }> & { certificate: Certificate })
  | Exclude<Solved, { status: 'OPTIMAL' }>

/** Solves a program without binaries and certifies the answer against the text that was solved. */
export async function solveProved(program: LinearProgram): Promise<Proved> {
  const solved = await solve(program)
  if (solved.status !== 'OPTIMAL') return solved
  return { ...solved, certificate: certify(solved.text, solved.primal, solved.dual) }
}
