import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const assembly = fileURLToPath(new URL('../assembly/', import.meta.url))
const target = new URL('../src/amm/v3/fast/generated/clmm-module.ts', import.meta.url)

/**
 * Compiles the AssemblyScript of `assembly/` and wraps the bytes in a TypeScript module, so that the engine
 * reads no file at run time.
 *
 * @returns the source text of that module
 */
export function compileModule(): string {
  const manifest = createRequire(import.meta.url).resolve('assemblyscript/package.json')
  const folder = mkdtempSync(join(tmpdir(), 'clmm-module-'))
  try {
    const out = join(folder, 'clmm.wasm')
    const compiler = join(dirname(manifest), 'bin/asc.js')
    const config = join(assembly, 'asconfig.json')
    const options = ['index.ts', '--config', config, '--baseDir', assembly, '--outFile', out]
    execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' })
    const lines =
      readFileSync(out)
        .toString('base64')
        .match(/.{1,96}/g) ?? []
    const text = lines.map((line) => `  '${line}'`).join(' +\n')
    return `// Printed by packages/engine/bin/build-wasm.ts from packages/engine/assembly; not edited by hand.\nexport const CLMM_MODULE =\n${text}\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) writeFileSync(target, compileModule())
