import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const assembly = fileURLToPath(new URL('../assembly/montecarlo/', import.meta.url))
const target = new URL('../src/montecarlo/estimator/generated/estimator-module.ts', import.meta.url)

/**
 * Compiles the AssemblyScript of `assembly/montecarlo` and wraps the bytes in a TypeScript module, so that
 * the engine reads no file at run time.
 *
 * @returns the source text of that module
 */
export function compileEstimator(): string {
  const manifest = createRequire(import.meta.url).resolve('assemblyscript/package.json')
  const folder = mkdtempSync(join(tmpdir(), 'estimator-module-'))
  try {
    const out = join(folder, 'estimator.wasm')
    const compiler = join(dirname(manifest), 'bin/asc.js')
    const config = join(assembly, 'asconfig.json')
    const options = ['index.ts', '--config', config, '--baseDir', assembly, '--outFile', out]
    execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' })
    const lines =
      readFileSync(out)
        .toString('base64')
        .match(/.{1,96}/g) ?? []
    const text = lines.map((line) => `  '${line}'`).join(' +\n')
    return `// Printed by packages/engine/bin/build-monte-carlo.ts from packages/engine/assembly/montecarlo; not edited by hand.\nexport const ESTIMATOR_MODULE =\n${text}\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) writeFileSync(target, compileEstimator())
