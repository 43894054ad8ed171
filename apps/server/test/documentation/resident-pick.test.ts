import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './demo-process.ts'
import { startResidentPick } from './resident-pick.ts'

const answer = {
  data: {
    id: 'study_1',
    amount: 12.5,
    none: null,
    isOpen: false,
    names: ['Ada', 'Grüße „an“ 東京 🙂', 'a "quoted" $1 $(date) `date` \\n %s'],
    large: 'x'.repeat(200_000),
  },
  meta: { nextCursor: 'abc' },
}

const expressions = [
  'data.id',
  'data.amount',
  'data.none',
  'data.isOpen',
  'data.absent',
  'data.names',
  'data.names.join("\\n")',
  'meta',
  'error',
  'answer.meta.nextCursor + " → " + data.names.length',
  'data.large.length',
  'BigInt(data.id.length) * 10n ** 18n',
  '"line" +\n  " after line"',
  'data.names.map((name) => name.length).join(" ")',
  'error.code',
  'data.names.map(',
]

/** Prints the output and the status of each call, and of errors the line that says what is wrong. */
const calls = (file: string) =>
  expressions
    .map(
      (expression) =>
        `status=0; pick ${quoted(expression)} < ${quoted(file)} 2> "$WORK/errors" || status=$?
echo "status $status"; grep -E '^[A-Za-z]*Error: ' "$WORK/errors" || true`,
    )
    .join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

it('gives what pick of the documentation gives', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-pick-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const session = { cookieName: 'session', cookie: 'none', origin: 'http://127.0.0.1' }
  const demo = { baseUrl: session.origin, organizationId: 'org_demo', apiKey: 'none', session }
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo))
  const input = join(folder, 'answer.json')
  writeFileSync(input, JSON.stringify(answer))
  const pick = await startResidentPick(join(root, 'docs/terminal.sh'), folder)
  onTestFinished(() => pick.stop())

  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: root, env: { PATH, HOME, DATA_DIR: folder } }
  const run = async (script: string) => {
    const whole = `set -euo pipefail\n. docs/terminal.sh\n${script}rm -r "$WORK"`
    return (await promisify(execFile)('bash', ['-c', whole], options)).stdout
  }
  const documented = await run(`${calls(input)}\n`)
  expect(documented.match(/^status 0$/gm)).toHaveLength(expressions.length - 2)
  expect(documented).toContain('TypeError: Cannot read properties of undefined')
  expect(documented).toContain('SyntaxError: ')
  expect(await run(`. ${quoted(pick.file)}\n${calls(input)}\n`)).toBe(documented)
})
