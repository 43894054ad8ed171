import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'

/** A folder beside this file with a `package.json` and a `package-lock.json`. */
export type Tool = 'assemblyscript' | 'lucide' | 'redocly'

/**
 * Installs the locked packages of a tool on first use. `npm ci` at the root leaves them out: they are large, and one command
 * needs each.
 *
 * @param folder where the two files are; another than the tool's only in a test
 * @returns the path of its `node_modules`
 */
export function installTool(tool: Tool, folder = join(import.meta.dirname, tool)): string {
  const lock = readFileSync(join(folder, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  // The name holds the hash, so a new lock file never changes packages that another process uses.
  const installed = join(folder, '.installed', hash)
  if (!existsSync(installed)) install(folder, installed)
  return join(installed, 'node_modules')
}

function install(folder: string, installed: string): void {
  mkdirSync(join(folder, '.installed'), { recursive: true })
  const started = mkdtempSync(join(folder, '.installed', 'started-'))
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, file), join(started, file))
    const isWindows = process.platform === 'win32'
    execFileSync(
      'npm',
      ['ci', '--prefix', started, '--ignore-scripts', '--no-audit', '--no-fund'],
      {
        cwd: started,
        // Standard output belongs to the command that needs the tool; errors are part of the exception.
        stdio: ['ignore', 'ignore', 'pipe'],
        shell: isWindows,
      },
    )
    renameSync(started, installed)
  } catch (error) {
    // Two processes may install at once; the first one to finish wins.
    if (!existsSync(installed)) throw error
  } finally {
    rmSync(started, { recursive: true, force: true })
  }
}
