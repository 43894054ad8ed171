// Plain JavaScript that also an old Node can read: it finds a Node that runs TypeScript, or says what to do.
import { existsSync, mkdirSync } from 'node:fs'
import * as module from 'node:module'
import { constants, homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldest = 24
/**
 * Where the second start, and every thread, finds compiled code with its types already stripped. Code is run from
 * there, so it is never a folder that another user of the machine can create or fill.
 */
const compileCache = process.env.NODE_COMPILE_CACHE ?? privateFolder()

function privateFolder() {
  const { DATA_DIR: data, XDG_CACHE_HOME: cache } = process.env
  const folder = data
    ? join(data, 'compiled-code')
    : join(cache || join(homedir(), '.cache'), 'liquidity-os', 'compiled-code')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch {
    // Nothing can be written there; the code is compiled at every start.
    return null
  }
}

/** Runs a TypeScript file of this repository with the arguments of this process. */
export async function runTypeScript(file) {
  const script = fileURLToPath(new URL(file, import.meta.url))
  if (Number(process.versions.node.split('.')[0]) >= oldest) {
    process.argv[1] = script
    if (compileCache !== null) {
      module.enableCompileCache(compileCache)
      // Threads look for it in the environment.
      process.env.NODE_COMPILE_CACHE = compileCache
    }
    await import(new URL(file, import.meta.url))
    return
  }
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
  if (!existsSync(pinned)) {
    console.error(
      `This needs Node ${oldest} or later; this is ${process.versions.node}. Install a newer one, or run npm ci: ` +
        'without --workspace it brings its own Node along.',
    )
    process.exit(1)
  }
  const { spawn } = await import('node:child_process')
  const child = spawn(pinned, [script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: compileCache === null ? process.env : { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGHUP']) {
    // A terminal tells everybody in front of it, and a second signal would end what the first lets finish.
    process.on(signal, () => process.stdin.isTTY || child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1))
  })
}
