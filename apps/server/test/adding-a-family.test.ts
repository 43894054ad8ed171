// @module-tag long
// @covers docs/adding-a-family.md packages/contract/src/family.ts packages/contract/src/operations.ts apps/server/src/families.ts apps/server/src/families/record-family.ts apps/console/declarations apps/server/test/documentation/guide-steps.ts

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import type { Operation } from '@liquidity-os/contract'
import { extensionOperations } from '@liquidity-os/contract/outline'
import { expect, onTestFinished, test } from 'vitest'
import { copyTree } from '../../../testing/mutants/copy.ts'
import { type GuideStep, guideStepsOf, writeStep } from './documentation/guide-steps.ts'
import {
  LiquidityProcess,
  migratedDeployment,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'

/**
 * Follows `docs/adding-a-family.md` in a copy of the repository: files, lines and commands come from the page. The console
 * is checked by what the service gives a browser, because the tests of this tier run without one.
 */
const repository = fileURLToPath(new URL('../../..', import.meta.url))

test('the guide adds a family that is served and has a page in the console', async () => {
  const { path: copy, remove } = copyTree(repository)
  onTestFinished(remove)
  const steps = guideStepsOf(readFileSync(join(copy, 'docs/adding-a-family.md'), 'utf8'))
  for (const step of steps) {
    if (step.kind === 'RUN') await runCommands(copy, step.text)
    else writeStep(copy, step)
  }
  await checkTypes(copy, steps)

  const added = readAddedOperations(copy)
  expect(added.map(({ method }) => method).toSorted()).toEqual(['GET', 'GET', 'PATCH', 'POST'])
  const deployment = await migratedDeployment()
  const service = new LiquidityProcess(['serve'], deployment.environment, { root: copy })
  onTestFinished(() => service.end('SIGKILL').then(() => undefined))
  service.start()
  await untilServing(service)
  const owner = await signInAtTerminal(deployment)
  await callOperations(owner, added)
  await openConsolePage(owner, added)
})

/** Runs a block of the page as a reader would. */
async function runCommands(root: string, commands: string): Promise<void> {
  const { HOME, PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${commands}`], {
    cwd: root,
    env: {
      HOME,
      // The Node of the repository, also on a machine with an older one.
      PATH: [join(root, 'node_modules/.bin'), PATH].join(delimiter),
      ...(TMPDIR ? { TMPDIR } : {}),
      ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((done, refuse) => {
    shell.once('error', refuse).once('close', done)
  })
  const output = await text(shell.stdout)
  expect(await ended, `${commands}\n${output}`).toBe(0)
}

/** Checks the new files and what they import. The types of the whole repository cost a minute, and `.ci/run` checks them. */
async function checkTypes(root: string, steps: readonly GuideStep[]): Promise<void> {
  const files = steps.flatMap((step) =>
    step.kind === 'CREATE' && step.file.endsWith('.ts') ? step.file : [],
  )
  expect(files.length).toBeGreaterThan(0)
  const project = { extends: './tsconfig.json', include: [], files }
  writeFileSync(join(root, 'tsconfig.added.json'), JSON.stringify(project))
  await runCommands(root, 'tsc --noEmit --project tsconfig.added.json')
}

interface Added {
  readonly id: string
  readonly method: Operation['method']
  readonly path: string
  readonly module: string
  readonly operation: Operation
  /** The example of its body, as the printed document shows it. */
  readonly example: unknown
}

type Document = Readonly<
  Record<
    'paths',
    Record<
      string,
      Record<string, { requestBody?: { content: Record<string, { example: unknown }> } }>
    >
  >
>

/** The operations that the printed outline of the copy has in addition to ours. */
function readAddedOperations(root: string): Added[] {
  const read = (file: string) =>
    JSON.parse(readFileSync(join(root, 'packages/contract', file), 'utf8'))
  const outline: { extensionOperations: (Operation & { module: string })[] } = read(
    'src/generated/outline.json',
  )
  const document: Document = read('openapi-beside.json')
  const known = new Set(extensionOperations.map(({ id }) => id))
  return outline.extensionOperations
    .filter(({ id }) => !known.has(id))
    .map((operation) => {
      const { id, method, path, module } = operation
      const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
      const example = requestBody?.content['application/json']?.example
      return { id, method, path, module, operation, example }
    })
}

interface Written {
  readonly id: string
  readonly status: string
  readonly sequence: number
  readonly resourceVersion: string
  readonly payload: unknown
}

/** Creates a record by the example of the page, changes it, and finds it in the list and by its id. */
async function callOperations(owner: ClientOptions, added: readonly Added[]): Promise<void> {
  const ask = async <T>(method: string, isOne: boolean, request: LooseRequest = {}) => {
    const found = added.find((one) => one.method === method && one.path.includes('{') === isOne)
    if (!found) throw new Error(`The guide adds no ${method}.`)
    const body = found.example === undefined ? {} : { body: found.example }
    const response = await send(owner, found.operation as never, { ...body, ...request })
    const reply = (await response.json()) as { data: T }
    return { status: response.status, reply, example: found.example as { payload?: unknown } }
  }
  const created = await ask<Written>('POST', false)
  expect([created.status, created.reply]).toMatchObject([
    201,
    { data: { sequence: 1, payload: created.example.payload } },
  ])
  const { id, resourceVersion } = created.reply.data
  const listed = await ask<Written[]>('GET', false)
  expect(listed.reply.data).toEqual([created.reply.data])
  const changed = await ask<Written>('PATCH', true, { params: { id }, ifMatch: resourceVersion })
  expect([changed.status, changed.reply]).toMatchObject([
    200,
    { data: { id, sequence: 2, ...changed.example } },
  ])
  const read = await ask<Written>('GET', true, { params: { id } })
  expect(read.reply.data).toEqual(changed.reply.data)
  // A second record with the same name: the code that the page declares.
  const again = await ask('POST', false)
  expect([again.status, again.reply]).toMatchObject([
    409,
    { error: { code: expect.stringMatching(/_TAKEN$/) } },
  ])
}

/**
 * Fetches what a browser loads for the page of the family: the page, its scripts, in which the navigation lists the
 * family, and the script with the data of the family.
 */
async function openConsolePage(owner: ClientOptions, added: readonly Added[]): Promise<void> {
  const key = added.find(({ method }) => method === 'POST')?.path.slice(1)
  const fetchText = async (path: string) => {
    const response = await fetch(new URL(path, owner.baseUrl))
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  const page = await fetchText(`/o/${owner.organizationId}/${key}`)
  const scripts = [...page.matchAll(/ (?:src|href)="(\/assets\/[^"]+\.js)"/g)]
  const loaded = (await Promise.all(scripts.map(([, path]) => fetchText(`${path}`)))).join('\n')
  const [, file] = new RegExp(`import\\(.\\./(${key}-[\\w-]+\\.js).\\)`).exec(loaded) ?? []
  const data = await fetchText(`/assets/${file}`)
  // Not `toContain`: a failure would print a megabyte.
  expect(loaded.includes(`"key":"${key}"`), `the navigation has ${key}`).toBe(true)
  for (const { id } of added) expect(data.includes(`"${id}"`), `${file} has ${id}`).toBe(true)
}
