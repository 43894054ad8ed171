import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const command = join(import.meta.dirname, '../bin/liquidity.js')

/** The permissions of a folder that `liquidity --version` made, in octal. */
function permissionsAfterStart(variable: string, folder: (base: string) => string): string {
  const base = mkdtempSync(join(tmpdir(), 'liquidity-cache-'))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const {
    NODE_COMPILE_CACHE: _cache,
    DATA_DIR: _data,
    XDG_CACHE_HOME: _home,
    ...rest
  } = process.env
  execFileSync(process.execPath, [command, '--version'], { env: { ...rest, [variable]: base } })
  return (statSync(folder(base)).mode & 0o777).toString(8)
}

it('keeps compiled code in the data directory, for its owner only', () => {
  expect(permissionsAfterStart('DATA_DIR', (base) => join(base, 'compiled-code'))).toBe('700')
})

it('keeps compiled code in the cache of the user where no data directory is named', () => {
  const folder = (base: string) => join(base, 'liquidity-os', 'compiled-code')
  expect(permissionsAfterStart('XDG_CACHE_HOME', folder)).toBe('700')
})
