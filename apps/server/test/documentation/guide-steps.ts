import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fencesOf } from './examples.ts'

export type GuideStep =
  | { readonly kind: 'CREATE'; readonly line: number; readonly file: string; readonly text: string }
  | {
      readonly kind: 'ADD'
      readonly line: number
      readonly file: string
      readonly text: string
      readonly side: 'after' | 'before'
      /** A whole line of the file. */
      readonly anchor: string
    }
  | { readonly kind: 'RUN'; readonly line: number; readonly text: string }

const createForm = /^Create `([^`]+)`:$/
const addForm = /^Add to `([^`]+)` (after|before) `(.+)`:$/

/**
 * Steps of a guide in order. A `console` block contains commands. The line above any other block is
 * ``Create `FILE`:`` or ``Add to `FILE` after `LINE`:``.
 *
 * @throws Error if the line above a block has another form
 */
export function guideStepsOf(page: string): GuideStep[] {
  const lines = page.split('\n')
  return fencesOf(page).map(({ line, language, content: text }): GuideStep => {
    if (language === 'console') return { kind: 'RUN', line, text }
    const above = lines.slice(0, line - 1).findLast((one) => one !== '') ?? 'nothing'
    const [, created] = createForm.exec(above) ?? []
    if (created !== undefined) return { kind: 'CREATE', line, file: created, text }
    const [, file, side, anchor] = addForm.exec(above) ?? []
    if (file === undefined || anchor === undefined) {
      throw new Error(`The line above the block in line ${line} names no file: ${above}`)
    }
    return { kind: 'ADD', line, file, text, side: side === 'before' ? 'before' : 'after', anchor }
  })
}

/**
 * Writes the block of a step into its file.
 *
 * @throws Error if a new file exists, or the named line does not occur exactly once
 */
export function writeStep(root: string, step: Exclude<GuideStep, { kind: 'RUN' }>): void {
  const path = join(root, step.file)
  if (step.kind === 'CREATE') {
    if (existsSync(path)) throw new Error(`The guide creates ${step.file}, which exists.`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${step.text}\n`)
    return
  }
  const { side, anchor, text } = step
  const lines = readFileSync(path, 'utf8').split('\n')
  const found = lines.filter((one) => one === anchor).length
  if (found !== 1) {
    throw new Error(`${step.file} has the line "${anchor}" ${found} times, expected once.`)
  }
  const index = lines.indexOf(anchor)
  writeFileSync(path, lines.toSpliced(side === 'after' ? index + 1 : index, 0, text).join('\n'))
}
