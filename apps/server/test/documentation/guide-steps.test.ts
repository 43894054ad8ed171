import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { guideStepsOf, writeStep } from './guide-steps.ts'

const page = `# A guide

Create \`a/list.txt\`:

\`\`\`text
one
three
\`\`\`

Add to \`a/list.txt\` before \`three\`:

\`\`\`text
two
\`\`\`

Create \`page.md\`:

\`\`\`\`md
\`\`\`sh
ls
\`\`\`
\`\`\`\`

\`\`\`console
cat a/list.txt
\`\`\`
`

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guide-steps-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const write = (folder: string, text: string) => {
  for (const step of guideStepsOf(text)) if (step.kind !== 'RUN') writeStep(folder, step)
}

test('writes each block into the file that the line above names', () => {
  const folder = emptyFolder()
  write(folder, page)
  expect(readFileSync(join(folder, 'a/list.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  expect(readFileSync(join(folder, 'page.md'), 'utf8')).toBe('```sh\nls\n```\n')
  const commands = guideStepsOf(page).filter(({ kind }) => kind === 'RUN')
  expect(commands.map(({ text }) => text)).toEqual(['cat a/list.txt'])
})

test.each([
  [
    'a block without a file',
    page.replace('Create `page.md`:', 'A page:'),
    'names no file: A page:',
  ],
  [
    'a line that is gone',
    page.replace('before `three`', 'before `four`'),
    'the line "four" 0 times',
  ],
  ['a file that exists', page.replace('page.md', 'a/list.txt'), 'a/list.txt, which exists'],
])('rejects %s', (_, text, message) => {
  expect(() => write(emptyFolder(), text)).toThrow(message)
})
