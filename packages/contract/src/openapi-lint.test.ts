// @module-tag long

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { installTool } from '../../../tools/install.ts'

const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** The exit status of the linter and everything that it printed. The first call installs it. */
function lint(...documents: string[]) {
  const script = join(installTool('redocly'), '@redocly/cli/bin/cli.js')
  const config = file('specification/redocly.yaml')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [script, 'lint', '--config', config, ...documents],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  return { status, printed: stdout + stderr }
}

test('the printed documents pass every rule', () => {
  const { status, printed } = lint(file('openapi.json'), file('openapi-beside.json'))
  expect(status, printed).toBe(0)
  expect(printed).toContain('descriptions are valid')
})

test('every rule of our own reports its fault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'faulty.json')
  const schema = { type: 'array' }
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } }
  const operation = (operationId: string, more: object) => ({
    get: { operationId, summary: 'Read', responses, ...more },
  })
  const document = {
    openapi: '3.1.0',
    info: { title: 'Faulty', version: '1' },
    paths: {
      '/first': operation('first', { tags: ['Unlisted'] }),
      '/second': operation('second', { description: 'eval(1)', tags: [] }),
    },
  }
  writeFileSync(path, JSON.stringify(document))
  const { status, printed } = lint(path, '--format=stylish')
  expect(status).toBe(1)
  const config = readFileSync(file('specification/redocly.yaml'), 'utf8')
  const rules = [...config.matchAll(/^ {2}([\w/-]+):/gm)].map(([, rule = '']) => rule)
  // The description of the document is missing here, so the rule on its content has nothing to read.
  const reported = rules.filter((rule) => rule !== 'rule/info-description-eval')
  expect(rules).toHaveLength(9)
  expect(reported.filter((rule) => !printed.includes(rule))).toEqual([])
})
