// @module-tag long
// @covers docs apps/demo/src

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@liquidity-os/client'
import type { BodyOf, contract } from '@liquidity-os/contract'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './demo-process.ts'

interface Ended {
  readonly printed: string
  /** Null where a signal ended it. */
  readonly code: number | null
}

/** The demo on a directory; `until` is told all that it has printed, and with which signal everything in its group is ended. */
async function runDemo(
  directory: string,
  options: readonly string[],
  until: (printed: string) => Promise<'SIGKILL' | 'SIGINT' | null> = async () => null,
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  const environment = { PATH, HOME, DATA_DIR: directory, PORT: '0', ANOMALY_SWEEP_SECONDS: '0' }
  const child = spawn(process.execPath, ['bin/demo.js', ...options], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    // As in front of a terminal, which tells the whole group.
    detached: true,
  })
  let printed = ''
  let isEnding = false
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
    void until(printed).then((signal) => {
      if (signal === null || isEnding || child.pid === undefined) return
      isEnding = true
      process.kill(-child.pid, signal)
    })
  })
  await new Promise((done) => child.once('close', done))
  return { printed, code: child.exitCode }
}

const fileOf = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8')) as {
    baseUrl: string
    organizationId: string
    session: { cookieName: string; cookie: string; origin: string }
    resources: Record<string, string>
  }

/** From the names of the market to the figures, which no start may change. */
const found = (printed: string) =>
  printed.slice(printed.indexOf('Venue '), printed.indexOf('Synthetic token'))

/** Asks something else of the same observation, as a reader of the documentation does. */
async function askMore(directory: string): Promise<void> {
  const { baseUrl, organizationId, session, resources } = fileOf(directory)
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
  const study = await client.getStudies({ params: { id: resources.studyId ?? '' } })
  const { normalizedHash: _, ...spec } = study.body.data.payload.spec as Record<string, unknown>
  const payload = { ...spec, name: 'Mine' } as BodyOf<typeof contract.createStudies>['payload']
  await client.createStudies({ body: { payload, reason: 'To know more' } })
}

it('continues after a kill, up to a verified passport', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-demo-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const step of ['Trading 31 days', 'Scoring the market', 'Publishing a passport']) {
    const ended = await runDemo(directory, ['--exit'], async (printed) =>
      printed.includes(step) ? 'SIGKILL' : null,
    )
    expect(ended.code).toBeNull()
  }
  const { printed: whole } = await runDemo(directory, ['--exit'])
  expect(whole).toMatch(
    /^Bundle .*\n +offline \d+ checks passed, 0 failed; .*Is it current: PASS as of \S+$/m,
  )
  expect(whole).toContain('0 broken links')
})

it('a second start shows the study of the first, for any use in between and any end', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'liquidity-demo-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  let request: Promise<void> | null = null
  const { printed: first } = await runDemo(directory, [], async (printed) => {
    if (!printed.includes('Serving until')) return null
    request ??= askMore(directory)
    await request
    return 'SIGKILL'
  })
  const { resources } = fileOf(directory)
  const { printed: second, code } = await runDemo(directory, [], async (printed) =>
    printed.includes('Serving until') ? 'SIGINT' : null,
  )
  expect(code).toBe(0)
  // Blocks of our own market, which the kill has not taken along.
  expect(second).toMatch(/\b([1-9]\d*) of \1 blocks after the launch replayed/)
  expect(found(second)).toContain('LP positions vs HODL')
  expect(found(second)).toBe(found(first))
  expect(fileOf(directory).resources).toEqual(resources)
  expect(Object.keys(resources)).toEqual(
    expect.arrayContaining(['monthVenueId', 'monthStudyId', 'alertRuleId', 'mandateId']),
  )
  for (const work of ['Trading 31 days', 'Indexing 31 days', 'Measuring the KPIs']) {
    expect(first).toContain(work)
    expect(second).not.toContain(work)
  }
  // The treasury is the same at each start: what counts in its runway, and what does not.
  const treasury = (printed: string) => printed.match(/^ {2}(PROVEN|ATTESTED|ASSERTED) .*$/gm)
  expect(treasury(first)?.map((line) => line.trim().split(/ +/).slice(0, 3))).toEqual([
    ['PROVEN', '53', 'WETH'],
    ['ATTESTED', '20', 'WETH'],
    ['ASSERTED', '15', 'WETH'],
  ])
  expect(treasury(second)).toEqual(treasury(first))
})
