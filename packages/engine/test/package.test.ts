// @module-tag long

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packEngine } from '../bin/pack.ts'

const root = new URL('../../..', import.meta.url).pathname
let app: string
let folder: string

beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'liquidity-engine-'))
  folder = join(app, 'node_modules/@liquidity-os/engine')
  mkdirSync(join(app, 'node_modules/@liquidity-os'), { recursive: true })
  packEngine(folder)
})
afterAll(() => rmSync(app, { recursive: true, force: true }))

/** The first block of a kind in a page. */
function blockOf(page: string, kind: string): string {
  const text = readFileSync(join(root, page), 'utf8')
  return new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1] ?? ''
}

function runInApp(program: string): string {
  const file = join(app, 'quant.mjs')
  writeFileSync(file, program)
  return execFileSync(process.execPath, [file], { cwd: app, encoding: 'utf8' })
}

describe('the engine as a package', () => {
  it('runs the twenty lines of its page in an empty folder, to the digit', () => {
    const program = blockOf('docs/engine.md', 'js')
    const statements = program
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('import '))
    expect(statements.length).toBeLessThanOrEqual(20)
    expect(runInApp(program)).toBe(blockOf('docs/engine.md', 'text'))
  })

  it('runs the example of its README', () => {
    expect(runInApp(blockOf('packages/engine/README.md', 'js'))).toContain('bandPips: 20000')
  })

  it('depends on nothing and holds nothing but itself', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBe(undefined)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => /\.test\.|\.ts$/.test(name) && !name.endsWith('.d.ts'))).toEqual(
      [],
    )
    const imported = files
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/ from '([^']+)'/g)])
      .map(([, module]) => module)
    expect(imported.filter((module) => !module?.startsWith('.'))).toEqual([])
  })

  it('has the members that a registry and a compiler expect', async () => {
    const { messages } = await publint({ pkgDir: folder, level: 'warning' })
    expect(messages).toEqual([])
    writeFileSync(
      join(app, 'typed.mts'),
      `import { createClmmPool, type ClmmState } from '@liquidity-os/engine/amm'
const pool: ClmmState = createClmmPool({ feePips: 3000, tickSpacing: 60 })
export const price: bigint = pool.sqrtPriceX96\n`,
    )
    const compiler = join(root, 'node_modules/typescript-compiler/bin/tsc')
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
    expect(
      execFileSync(process.execPath, [compiler, ...options, '--types', '', 'typed.mts'], {
        cwd: app,
        encoding: 'utf8',
      }),
    ).toBe('')
  })
})
