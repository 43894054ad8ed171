import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chapter, pagesOf } from './chapters.ts'
import { root } from './demo-process.ts'
import { differenceOf, examplesOf, runExamples } from './examples.ts'
import { type RunningDemo, startDemo } from './running-demo.ts'

/** The first start of the demo, perhaps in another process, and one of the chapter's own, on a busy machine. */
const startMilliseconds = 900_000

/** Declares the tests of a chapter: each of its pages prints what it promises, against a demo of the chapter's own. */
export function testChapter(chapter: Chapter, more: (demo: () => RunningDemo) => void = () => {}) {
  let demo: RunningDemo
  beforeAll(async () => {
    demo = await startDemo()
  }, startMilliseconds)
  afterAll(() => demo?.stop())
  more(() => demo)
  describe('executed examples', () => {
    it.each(pagesOf(chapter))('%s prints what it promises', (path) => checkPage(path, demo))
  })
}

async function checkPage(path: string, { environment, pick }: RunningDemo): Promise<void> {
  const examples = examplesOf(readFileSync(join(root, path), 'utf8'))
  const { outputs, status } = await runExamples(examples, { cwd: root, environment, pick })
  for (const [index, output] of outputs.entries()) {
    const { line, expected } = examples[index] ?? { line: 0, expected: null }
    if (expected !== null) expect(differenceOf(expected, output), `${path}:${line}`).toBeNull()
  }
  const last = examples[outputs.length - 1]
  expect(status, `${path}:${last?.line} ended with\n${outputs.at(-1)}`).toBe(0)
  expect(outputs).toHaveLength(examples.length)
}
