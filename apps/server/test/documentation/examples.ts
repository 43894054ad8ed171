import { spawn } from 'node:child_process'

/**
 * An executable block of a page with its documented output; null if the page documents no output.
 */
export interface Example {
  line: number
  command: string
  expected: string | null
}

/**
 * The executed blocks of a page: those fenced as `sh`, each with the `text` block that follows it before the
 * next one.
 */
export function examplesOf(page: string): Example[] {
  const examples: Example[] = []
  for (const { line, language, content } of fencesOf(page)) {
    if (language === 'sh') examples.push({ line, command: content, expected: null })
    const last = examples.at(-1)
    if (language === 'text' && last && last.expected === null) last.expected = content
  }
  return examples
}

/**
 * Fenced blocks of a page in order, with the number of the line of their opening fence. A fence of more backticks
 * can contain one of fewer.
 */
export function fencesOf(page: string): { line: number; language: string; content: string }[] {
  const fences: { line: number; language: string; content: string }[] = []
  let open: { line: number; fence: string; language: string; lines: string[] } | null = null
  for (const [index, text] of page.split('\n').entries()) {
    const [, fence, language = ''] = /^(`{3,})(.*)$/.exec(text) ?? []
    if (open && text === open.fence) {
      fences.push({ line: open.line, language: open.language, content: open.lines.join('\n') })
      open = null
    } else if (open) open.lines.push(text)
    else if (fence !== undefined) open = { line: index + 1, fence, language, lines: [] }
  }
  if (open) throw new Error(`The block in line ${open.line} is not closed.`)
  return fences
}

/**
 * Difference between an output and the documented one; null if they match. Lines must appear in
 * order. A line of `…` matches any lines, and `…` within a line matches any text.
 */
export function differenceOf(expected: string, output: string): string | null {
  const lines = output.split('\n').map((line) => line.trimEnd())
  let next = 0
  let maySkip = true
  for (const promised of expected.split('\n').map((line) => line.trimEnd())) {
    if (promised === '…') {
      maySkip = true
      continue
    }
    const pattern = new RegExp(`^${promised.split('…').map(escaped).join('.*')}$`, 'u')
    const found = maySkip
      ? lines.findIndex((line, index) => index >= next && pattern.test(line))
      : pattern.test(lines[next] ?? '')
        ? next
        : -1
    if (found < 0) return `promised ${JSON.stringify(promised)}, printed:\n${output}`
    next = found + 1
    maySkip = false
  }
  return null
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

// Kills background processes that a page leaves running.
const preamble = "exec 2>&1\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"

/**
 * Runs the blocks of a page in one shell, like a reader, and returns the output per block. A
 * failing command ends the page with its block.
 *
 * @param options.pick shell file that replaces `pick` of docs/terminal.sh
 */
export async function runExamples(
  examples: readonly Example[],
  options: { cwd: string; environment: Record<string, string>; pick: string },
): Promise<{ outputs: string[]; status: number | null }> {
  const mark = (index: number) => `@@ block ${index} @@`
  const script = examples.map(({ command }, index) => {
    const whole = command.replace(/^\. docs\/terminal\.sh$/gm, `$&\n. '${options.pick}'`)
    return `echo '${mark(index)}'\n${whole}\n`
  })
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `${preamble}${script.join('')}`], {
    cwd: options.cwd,
    env: options.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const status = await new Promise<number | null>((done, refuse) => {
    shell.once('error', refuse)
    shell.once('close', done)
  })
  const outputs = text.split(/@@ block \d+ @@\n/).slice(1)
  return { outputs, status }
}
