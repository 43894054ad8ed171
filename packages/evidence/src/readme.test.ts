import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sealRecord } from './record.ts'

const folder = mkdtempSync(join(tmpdir(), 'evidence-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { text } = sealRecord({
  id: 'study_1',
  resourceType: 'study',
  organizationId: 'org_1',
  sequence: 1,
  previousResourceVersion: null,
  status: 'ACTIVE',
  payload: { note: ',"previousResourceVersion":', payload: { résumé: '\u{1f600}' } },
  evidenceHashes: [],
  reason: 'Holds ,"payload": and ,"previousResourceVersion": on purpose.',
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: { kind: 'SYSTEM', id: ',"payload":' },
})

/** Runs the verifier that the README prints; it knows nothing of this package. */
function verify(record: string): string {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const script = /```js\n(?<code>.*?)```/s.exec(readme)?.groups?.code ?? ''
  writeFileSync(join(folder, 'verify.mjs'), script)
  writeFileSync(join(folder, 'record.json'), record)
  const files = [join(folder, 'verify.mjs'), join(folder, 'record.json')]
  return execFileSync(process.execPath, files, { encoding: 'utf8', stdio: 'pipe' })
}

describe('the ten lines of the README', () => {
  it('verify a sealed record', () => {
    expect(verify(text)).toBe('intact\n')
  })

  it('refuse an altered one', () => {
    expect(() => verify(text.replace('ACTIVE', 'PAUSED'))).toThrow('The record was altered')
    expect(() => verify(text.replace('résumé', 'resume'))).toThrow('The record was altered')
  })
})
