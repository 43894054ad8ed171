import { writeFileSync } from 'node:fs'
import { compileAssembly } from './compile-assembly.ts'

const target = new URL('../src/montecarlo/compiled/generated/paths-module.ts', import.meta.url)

/** The source text of the module that runs whole paths. */
export function compilePaths(): string {
  return compileAssembly({
    sources: 'assembly/paths',
    constant: 'PATHS_MODULE',
    printedBy: 'build-paths.ts',
  })
}

if (import.meta.main) writeFileSync(target, compilePaths())
