import { writeFileSync } from 'node:fs'
import { compileAssembly } from './compile-assembly.ts'

const target = new URL('../src/montecarlo/estimator/generated/estimator-module.ts', import.meta.url)

/** The source text of the module with the estimator in floats. */
export function compileEstimator(): string {
  return compileAssembly({
    sources: 'assembly/montecarlo',
    constant: 'ESTIMATOR_MODULE',
    printedBy: 'build-monte-carlo.ts',
  })
}

if (import.meta.main) writeFileSync(target, compileEstimator())
