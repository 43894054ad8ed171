import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Copies the working tree into a temporary folder, so that no mutant ever touches the original. Installed
 * packages are linked; those of this repository lead into the copy.
 */
export function copyTree(root: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'liquidity-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(path, file)), { recursive: true })
    cpSync(join(root, file), join(path, file))
  }
  linkPackages(root, path)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const own = '@liquidity-os'

function linkPackages(root: string, path: string): void {
  const target = join(path, 'node_modules')
  mkdirSync(join(target, own), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== own) symlinkSync(join(root, 'node_modules', name), join(target, name))
  }
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(path, group))) {
      symlinkSync(join(path, group, name), join(target, own, name))
      const nested = join(root, group, name, 'node_modules')
      if (existsSync(nested)) symlinkSync(nested, join(path, group, name, 'node_modules'))
    }
  }
}

/**
 * Writes the hash of the mutated engine into the copy's parity run. Otherwise every mutant of the pools fails
 * the tests that ask for a parity run of this very source, which shows nothing about the mutant.
 */
export function acceptEngine(path: string): void {
  const file = join(path, 'packages/engine/parity.json')
  const script =
    "import { marketSourceHash } from './packages/engine/build-hash.ts'; console.log(marketSourceHash())"
  const hash = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: path,
    encoding: 'utf8',
  }).trim()
  const run = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...run, marketSourceHash: hash }, null, 2))
}
