import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { extensionOperations, operations } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/main.ts'
import { type Chapter, chapters, executedPages, pagesOf } from './chapters.ts'
import { root } from './demo-process.ts'
import { examplesOf, fencesOf } from './examples.ts'
import { commandsOf, operationPathsOf } from './named.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const commandsIn = (page: string) => examplesOf(read(page)).map(({ command }) => command)

/** The help of the command that these words reach. */
async function helpOf(words: readonly string[]): Promise<string> {
  let text = ''
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      text += chunk
      done()
    },
  })
  const terminal = { environment: {}, stdin: Readable.from([]), stdout: output, stderr: output }
  await runCommandLine([...words, '--help'], terminal)
  return text
}

/** What is wrong with one call of `liquidity`; null if the command and its options exist. */
async function faultOf(words: readonly string[], options: readonly string[]) {
  const help = await helpOf(words)
  const isFound = [...help.matchAll(/^(?:Usage:| {6}) liquidity (.*)$/gm)].some(
    ([, usage = '']) => {
      const [path = ''] = /^[a-z][a-z-]*( [a-z][a-z-]*)*/.exec(usage) ?? []
      // The help of a group shows that a word below it is missing.
      return (
        !usage.includes('[command]') && path !== '' && `${words.join(' ')} `.startsWith(`${path} `)
      )
    },
  )
  if (!isFound) return `no command "${words.join(' ')}"`
  const known = new Set(help.match(/(?<=[\s,[(])--?[a-z][a-z-]*/g))
  const unknown = options.filter((option) => !known.has(option))
  return unknown.length > 0 ? `"${words.join(' ')}" has no ${unknown.join(', ')}` : null
}

/** Served beside the contract, see `drawing/picture-routes.ts`. */
const picturePaths = ['/pictures/{family}/{id}', '/pictures/{family}/{id}/{file}']
const templates = [
  ...[...operations, ...extensionOperations].map(({ path, hasPathTail = false }) => ({
    path,
    hasPathTail,
  })),
  ...picturePaths.map((path) => ({ path, hasPathTail: false })),
].map(({ path, hasPathTail }) => ({ parts: path.split('/'), hasPathTail }))

/** True if an operation has the path. A shell variable stands for any text of a segment. */
const isServed = (path: string) => {
  const segments = path.split('/').map((segment) => (segment.includes('$') ? null : segment))
  return templates.some(
    ({ parts, hasPathTail }) =>
      (parts.length === segments.length || (hasPathTail && parts.length < segments.length)) &&
      parts.every((part, index) => {
        const segment = segments[index]
        return segment === null || part.startsWith('{') || part === segment
      }),
  )
}

describe('chapters', () => {
  it('hold each executed page once', () => {
    const pages = (Object.keys(chapters) as Chapter[]).flatMap(pagesOf)
    expect(pages.toSorted()).toEqual(executedPages.toSorted())
  })

  it.each(Object.keys(chapters))('%s has a test file of its own', (chapter) => {
    const file = readFileSync(join(import.meta.dirname, `${chapter}.test.ts`), 'utf8')
    expect(file).toContain(`testChapter('${chapter}'`)
  })
})

describe('executed pages', () => {
  it.each(executedPages)('%s has blocks that a shell reads', (page) => {
    const input = commandsIn(page).join('\n')
    const { stderr, status } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' })
    expect(`${status} ${stderr}`).toBe('0 ')
  })

  it.each(executedPages)('%s promises output only of a command', (page) => {
    let isOpen = false
    for (const { line, language } of fencesOf(read(page))) {
      if (language === 'text') expect(isOpen, `${page}:${line}`).toBe(true)
      if (language === 'text') isOpen = false
      if (language === 'sh') isOpen = true
    }
  })

  it('name only operations of the contract', () => {
    const named = executedPages.flatMap((page) =>
      commandsIn(page)
        .flatMap(operationPathsOf)
        .map((path) => ({ page, path })),
    )
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter(({ path }) => !isServed(path))).toEqual([])
  })

  it('name only commands and options of the command line', async () => {
    const named = executedPages.flatMap((page) =>
      commandsIn(page)
        .flatMap(commandsOf)
        .map((command) => ({ page, ...command })),
    )
    expect(named.length).toBeGreaterThan(20)
    const faults: string[] = []
    for (const { page, words, options } of named) {
      const fault = await faultOf(words, options)
      if (fault) faults.push(`${page}: ${fault}`)
    }
    expect(faults).toEqual([])
  })
})

describe('findings of the check', () => {
  it('is a path that no operation has', () => {
    const command = 'as_me "$API/venues/$(pick "data[0].id" < "$WORK/a.json")/index-job?limit=1"'
    const paths = operationPathsOf(command)
    expect(paths).toEqual(['/venues/$/index-job'])
    expect(paths.map(isServed)).toEqual([false])
    expect(isServed('/venues/$/index-jobs')).toBe(true)
  })

  it.each([
    ['npx liquidity member ad a@example.org', 'no command "member ad"'],
    ['npx liquidity session link "$1" --jsn | pick x --y', '"session link" has no --jsn'],
    ['npx liquidity session', 'no command "session"'],
    ['npx liquidity session link "$1" \\\n  --json | pick x', null],
  ])('in %j', async (command, expected) => {
    const [{ words, options } = { words: [], options: [] }] = commandsOf(command)
    expect(await faultOf(words, options)).toBe(expected)
  })
})
