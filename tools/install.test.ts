import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { installTool } from './install.ts'

let folder: string
beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'liquidity-tool-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  folder = made
})

/** A tool without packages needs no registry. */
function writeTool(version: string) {
  const manifest = { name: 'tool', version }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}
const readInstalled = () => readdirSync(join(folder, '.installed'))

test('installs once per lock file, and keeps what another process may still use', () => {
  writeTool('1.0.0')
  const first = installTool('redocly', folder)
  expect(installTool('redocly', folder)).toBe(first)
  expect(readInstalled()).toHaveLength(1)
  writeTool('1.0.1')
  expect(installTool('redocly', folder)).not.toBe(first)
  expect(readInstalled()).toHaveLength(2)
})

test('leaves nothing behind and shows the error of npm if it fails', () => {
  writeTool('1.0.0')
  writeFileSync(join(folder, 'package.json'), '{')
  expect(() => installTool('redocly', folder)).toThrow(/npm error code EJSONPARSE/)
  expect(readInstalled()).toEqual([])
})
