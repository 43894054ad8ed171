import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTool } from '../../../tools/install.ts'

/** A module of the engine that is written in AssemblyScript. */
export interface AssemblyModule {
  /** Folder below `packages/engine` with its `index.ts` and `asconfig.json`. */
  readonly sources: string
  /** Name of the constant that holds its bytes. */
  readonly constant: string
  /** Program below `packages/engine/bin` that prints it. */
  readonly printedBy: string
}

const engine = fileURLToPath(new URL('..', import.meta.url))

/**
 * Compiles AssemblyScript and wraps the bytes in a TypeScript module, so that the engine reads no
 * file at run time. The first call installs the compiler.
 *
 * @returns the source text of the module
 */
export function compileAssembly({ sources, constant, printedBy }: AssemblyModule): string {
  const folder = mkdtempSync(join(tmpdir(), `${basename(sources)}-module-`))
  try {
    const out = join(folder, 'module.wasm')
    const compiler = join(installTool('assemblyscript'), 'assemblyscript/bin/asc.js')
    const config = join(engine, sources, 'asconfig.json')
    // A folder below `assembly` shares the pool sources, so `assembly` is the base directory.
    const options = ['--config', config, '--baseDir', join(engine, 'assembly'), '--outFile', out]
    const entry = relative('assembly', join(sources, 'index.ts'))
    execFileSync(process.execPath, [compiler, entry, ...options], { stdio: 'inherit' })
    const lines =
      readFileSync(out)
        .toString('base64')
        .match(/.{1,96}/g) ?? []
    const text = lines.map((line) => `  '${line}'`).join(' +\n')
    const origin = `packages/engine/bin/${printedBy} from packages/engine/${sources}`
    return `// Printed by ${origin}; not edited by hand.\nexport const ${constant} =\n${text}\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
