import { writeFileSync } from 'node:fs'
import { compileAssembly } from './compile-assembly.ts'

const target = new URL('../src/amm/v3/fast/generated/clmm-module.ts', import.meta.url)

/** The source text of the module with the v3 pool. */
export function compileModule(): string {
  return compileAssembly({
    sources: 'assembly',
    constant: 'CLMM_MODULE',
    printedBy: 'build-wasm.ts',
  })
}

if (import.meta.main) writeFileSync(target, compileModule())
