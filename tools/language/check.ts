/**
 * Checks the language of the product against `terms.json`.
 *
 *     npm run language                      every file against its exception, every group against its limit
 *     npm run language -- --list 20         the same, with hits and replacements
 *     npm run language -- --only ui,errors  some groups; `commits` is checked only if it is named
 *     npm run language -- --files docs docs/studies.md   one file against the limits of a new text
 *     npm run language -- --write           lowers the exceptions to the present numbers
 *
 * Exit status: 0 within the limits, 1 above one, 2 for wrong options.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  filesBelow,
  fromCommits,
  fromJson,
  fromMarkdown,
  fromTypeScript,
  type Unit,
} from './extract.ts'
import {
  countWords,
  hitsOf,
  type Limits,
  type Measured,
  measure,
  measures,
  type Rules,
  weightOf,
} from './measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = /(?<!\.test)\.tsx?$/
const below = (folders: readonly string[], pattern: RegExp) =>
  folders.flatMap((folder) => filesBelow(join(root, folder), pattern))

/** Texts of the product by kind. */
const groups: Readonly<Record<string, () => Unit[]>> = {
  readme: () => fromMarkdown(join(root, 'README.md')),
  docs: () =>
    below(['docs', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'], /\.md$/).flatMap((file) =>
      fromMarkdown(file),
    ),
  ui: () => [
    ...below(['apps/console/src'], source).flatMap((file) => fromTypeScript(file).strings),
    ...below(['packages/contract/src'], source).flatMap(consoleTexts),
  ],
  cli: () =>
    below(['apps/server/src/cli', 'apps/demo/src'], source).flatMap(
      (file) => fromTypeScript(file).strings,
    ),
  // Messages, charts, reports and emails of the service.
  texts: () =>
    below(
      ['apps/server/src', 'packages/drawing/src', 'packages/evidence/src', 'packages/sheet/src'],
      source,
    )
      .filter((file) => !file.includes('/src/cli/'))
      .flatMap((file) => fromTypeScript(file).strings),
  api: () =>
    below(['packages/contract'], /^openapi.*\.json$/).flatMap((file) =>
      fromJson(file, ['description', 'summary']),
    ),
  errors: () =>
    fromJson(join(root, 'packages/contract/src/errors.json'), ['message', 'remediation']),
  comments: () =>
    below(['apps', 'packages'], source).flatMap((file) => fromTypeScript(file).comments),
  commits: () => fromCommits(root, 200, 'tools/language/terms.json'),
}

/** Titles, summaries, empty states and buttons that the contract declares for the console; no labels of example payloads. */
function consoleTexts(file: string): Unit[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const match = /^\s*(?:(?:summary|task|empty|help): |\w+: \{ label: )'([^']+)'/.exec(text)
      return match?.[1] ? [{ file, line: index + 1, text: match[1] }] : []
    })
}

/**
 * Texts from before the rules, which may stay until they are rewritten: the hits of each file that has more than its words
 * allow, and the numbers of each group that is above a limit. Both only shrink.
 */
export interface Exceptions {
  readonly files: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly groups: Readonly<Record<string, Partial<Limits>>>
  /** Pages that lack a term which they must use. */
  readonly missing: readonly string[]
}

interface FileHits {
  readonly name: string
  readonly hits: number
  /** Hits that the words of the file allow; a short file may have one. */
  readonly allowed: number
}

export function hitsByFile(units: readonly Unit[], kind: string, rules: Rules): FileHits[] {
  const limits = rules.limits[kind]
  if (!limits) throw new Error(`terms.json has no limits for ${kind}.`)
  return [...Map.groupBy(units, ({ file }) => file)].map(([file, own]) => {
    const words = own.reduce((sum, { text }) => sum + countWords(text), 0)
    const hits = weightOf([
      ...hitsOf(own, kind, rules, 'dialect'),
      ...hitsOf(own, kind, rules, 'terms'),
    ])
    const allowed = Math.max(1, ((limits.dialect + limits.terms) * words) / 1000)
    return { name: relative(root, file), hits, allowed }
  })
}

/** Each fault of a group as a line. */
export function faultsOf(
  kind: string,
  units: readonly Unit[],
  rules: Rules,
  exceptions: Exceptions,
): string[] {
  const known = exceptions.files[kind] ?? {}
  // A file of these groups is one document, which the numbers of the group measure.
  const byFile = ['readme', 'api', 'errors', 'commits'].includes(kind)
    ? []
    : hitsByFile(units, kind, rules)
  const ofFiles = byFile.flatMap(({ name, hits, allowed }) => {
    const max = Math.max(allowed, known[name] ?? 0)
    return hits > max ? [`${name}: ${hits} hits, ${max.toFixed(1)} allowed`] : []
  })
  const measured = measure(units, kind, rules)
  const ofGroup = measures.flatMap((name) => {
    const max = boundOf(kind, name, rules, exceptions)
    return measured[name] > max ? [`${kind}: ${name} is ${measured[name]}, at most ${max}`] : []
  })
  return [...ofFiles, ...ofGroup]
}

function boundOf(kind: string, name: keyof Limits, rules: Rules, exceptions: Exceptions): number {
  const limit = rules.limits[kind]?.[name] ?? 0
  return Math.max(limit, exceptions.groups[kind]?.[name] ?? 0)
}

/** The exceptions that the present texts need, none above those before. */
export function lowered(
  texts: ReadonlyMap<string, readonly Unit[]>,
  rules: Rules,
  before: Exceptions | null,
): Exceptions {
  const files: Record<string, Record<string, number>> = { ...before?.files }
  const numbers: Record<string, Partial<Limits>> = { ...before?.groups }
  for (const [kind, units] of texts) {
    const above = hitsByFile(units, kind, rules).filter(({ hits, allowed }) => hits > allowed)
    files[kind] = Object.fromEntries(
      above.flatMap(({ name, hits }) => {
        const max = before ? Math.min(hits, before.files[kind]?.[name] ?? 0) : hits
        return max > 0 ? [[name, max]] : []
      }),
    )
    const measured = measure(units, kind, rules)
    numbers[kind] = Object.fromEntries(
      measures.flatMap((name) => {
        const limit = rules.limits[kind]?.[name] ?? 0
        const max = before
          ? Math.min(measured[name], before.groups[kind]?.[name] ?? 0)
          : measured[name]
        return max > limit ? [[name, max]] : []
      }),
    )
  }
  const missing = missingTerms(rules).filter((one) => !before || before.missing.includes(one))
  return { files, groups: numbers, missing }
}

/** Terms that a page must use and does not. */
export const missingTerms = ({ wanted }: Rules): string[] =>
  Object.entries(wanted).flatMap(([name, terms]) => {
    const text = readFileSync(join(root, name), 'utf8')
    return terms
      .filter((term) => !new RegExp(term, 'i').test(text))
      .map((term) => `${name}: does not use “${term}”`)
  })

export const readRules = (): Rules =>
  JSON.parse(readFileSync(new URL('terms.json', import.meta.url), 'utf8')) as Rules

const exceptionsFile = new URL('exceptions.json', import.meta.url)

function row(kind: string, measured: Measured): string {
  const cells = [measured.words, ...measures.map((name) => measured[name]), measured.median]
  return kind.padEnd(10) + cells.map((cell) => String(cell).padStart(9)).join('')
}

function listed(measured: Measured, count: number): string[] {
  const byRule = [...Map.groupBy(measured.hits, ({ rule }) => rule)].sort(
    (a, b) => b[1].length - a[1].length,
  )
  const place = ({ file, line }: Unit) => `${relative(root, file)}:${line}`
  return [
    ...byRule.flatMap(([rule, hits]) => [
      `  ${hits.length}  ${rule.id}: use ${rule.use}`,
      ...hits
        .slice(0, count)
        .map(({ unit, match }) => `       ${place(unit)}  [${match}] ${unit.text.slice(0, 110)}`),
    ]),
    ...measured.longest
      .slice(0, count)
      .map(({ unit, words }) => `  ${words} words  ${place(unit)}  ${unit.text.slice(0, 110)}`),
  ]
}

function unitsOf(kind: string, file: string): Unit[] {
  if (file.endsWith('.md')) return fromMarkdown(file)
  if (file.endsWith('.json'))
    return fromJson(file, ['description', 'summary', 'message', 'remediation'])
  const { strings, comments } = fromTypeScript(file)
  return kind === 'comments' ? comments : strings
}

/** Null for an unknown option. */
function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        list: { type: 'string', default: '0' },
        files: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    console.error((error as Error).message)
    return null
  }
}

function run(): number {
  const options = readOptions()
  if (options === null) return 2
  const { values, positionals } = options
  const rules = readRules()
  const [kind, ...files] = positionals
  const names = values.only?.split(',') ?? Object.keys(groups).filter((name) => name !== 'commits')
  const isKnown = kind !== undefined && groups[kind] !== undefined
  if (names.some((name) => !groups[name]) || (values.files && (!isKnown || files.length === 0)))
    return 2
  const texts = new Map<string, Unit[]>(
    values.files && kind
      ? [[kind, files.flatMap((file) => unitsOf(kind, file))]]
      : names.map((name) => [name, groups[name]?.() ?? []]),
  )
  const before = values.files
    ? { files: {}, groups: {}, missing: [] }
    : (JSON.parse(readFileSync(exceptionsFile, 'utf8')) as Exceptions)
  if (values.write && !values.files)
    writeFileSync(exceptionsFile, `${JSON.stringify(lowered(texts, rules, before), null, 2)}\n`)
  console.log(
    `${' '.repeat(10)}${['words', ...measures, 'median'].map((name) => name.padStart(9)).join('')}`,
  )
  const faults: string[] = []
  for (const [name, units] of texts) {
    const measured = measure(units, name, rules)
    console.log(row(name, measured))
    for (const line of listed(measured, Number(values.list)).slice(
      0,
      values.list === '0' ? 0 : undefined,
    )) {
      console.log(line)
    }
    faults.push(...faultsOf(name, units, rules, before))
  }
  if (!values.files) {
    faults.push(...missingTerms(rules).filter((one) => !before.missing.includes(one)))
  }
  for (const fault of faults) console.error(fault)
  return faults.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = run()
