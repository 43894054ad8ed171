import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  errorCatalogue,
  extensionOperations,
  type Operation,
  operations,
} from '@liquidity-os/contract'
import { neededInProduction, variables } from '../apps/server/src/config.ts'

/**
 * What the documentation takes from the code, so that neither can change alone. `node docs/print.ts` writes
 * it; a test compares.
 */
export const printed: readonly { file: string; name: string; text: () => string }[] = [
  { file: 'errors.md', name: 'errors', text: errorTable },
  { file: 'operations-guide.md', name: 'variables', text: variableTable },
  { file: 'operations.md', name: 'operations', text: () => operationTable(operations) },
  { file: 'operations.md', name: 'beside', text: () => operationTable(extensionOperations) },
  { file: '../README.md', name: 'available', text: availableSentence },
  { file: '../deploy/.env.example', name: 'variables', text: variableLines },
]

/** Text of a page in which the part between its two markers is replaced. */
export function withPart(page: string, name: string, part: string): string {
  const mark = (text: string) => (page.includes(`# ${text}`) ? `# ${text}` : `<!-- ${text} -->`)
  const [begin, end] = [`${mark(`${name}: printed by docs/print.ts`)}\n`, mark(`/${name}`)]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no part "${name}".`)
  return `${page.slice(0, from)}${begin}${part}\n${page.slice(to)}`
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const row = (...cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`

function errorTable(): string {
  const lines = Object.entries(errorCatalogue)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { status, message, retryable, remediation }]) =>
      row(`\`${code}\``, String(status), retryable ? 'yes' : 'no', message, remediation),
    )
  return [
    '| Code | Status | Retry | Message | What to do |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

function variableTable(): string {
  const lines = Object.entries(variables).map(([name, { expected, example, default: standard }]) =>
    row(`\`${name}\``, expected, standard ? `\`${standard}\`` : '', `\`${example}\``),
  )
  return [
    '| Variable | Expected | Default | Example |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

/** Every variable as a line of a file of settings: those that production needs are there, the others are comments. */
function variableLines(): string {
  const needed: readonly string[] = neededInProduction
  return Object.entries(variables)
    .map(([name, { expected, example, default: standard }]) => {
      const note = `# ${expected}${standard ? `. Default: ${standard}` : ''}`
      return `${note}\n${needed.includes(name) ? `${name}=` : `# ${name}=${example}`}`
    })
    .join('\n\n')
}

function operationTable(listed: readonly Operation[]): string {
  const lines = listed.map(({ id, method, path, auth, permission, summary }) => {
    const who = auth.kind === 'scoped' ? `session, or scope \`${auth.scope}\`` : callers[auth.kind]
    return row(`\`${method} ${path}\``, `\`${id}\``, summary, who, permission ?? '')
  })
  return [
    '| Operation | Id | What it does | Who calls it | Permission |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

const callers = {
  session: 'session',
  public: 'anyone',
  basic: 'an OAuth client',
  'any-scope': 'session, or the scope of what is asked for',
} as const

function availableSentence(): string {
  return `**All ${operations.length} operations of the contract are served.**`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { file, name, text } of printed) {
    const path = new URL(file, import.meta.url)
    writeFileSync(path, withPart(readFileSync(path, 'utf8'), name, text()))
  }
}
