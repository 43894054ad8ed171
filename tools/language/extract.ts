import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A piece of prose: a paragraph, a table cell, a string, a comment or a commit subject. */
export interface Unit {
  readonly file: string
  /** Line from 1, or the path of a JSON member. */
  readonly line: number | string
  readonly text: string
}

const skippedFolders = new Set(['node_modules', 'dist', 'generated', '.git', 'testing', 'examples'])

/** Files below a path whose names match, sorted. A path to a file stands for that file. */
export function filesBelow(path: string, pattern: RegExp): string[] {
  if (!statSync(path).isDirectory()) return pattern.test(path) ? [path] : []
  return readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const inner = join(path, entry.name)
      if (!entry.isDirectory()) return pattern.test(entry.name) ? [inner] : []
      return skippedFolders.has(entry.name) ? [] : filesBelow(inner, pattern)
    })
    .sort()
}

/** Prose of a Markdown file: no code blocks, no HTML comments, no link targets, inline code as `CODE`. */
export function fromMarkdown(file: string, source = readFileSync(file, 'utf8')): Unit[] {
  const units: Unit[] = []
  const withoutBlocks = source
    .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1[^\n]*$/gm, blankLines)
    .replace(/<!--[\s\S]*?-->/g, blankLines)
  let paragraph = null as { line: number; text: string } | null
  const endParagraph = () => {
    if (paragraph) units.push({ file, ...paragraph })
    paragraph = null
  }
  for (const [index, raw] of withoutBlocks.split('\n').entries()) {
    const line = index + 1
    const text = plain(raw.replace(/^\s*>\s?/, ''))
    if (text.trim() === '' || /^\s*(\||#{1,6}\s|([-*+]|\d+\.)\s)/.test(text)) endParagraph()
    if (text.trim() === '') continue
    if (/^\s*\|/.test(text)) {
      if (/^\s*\|[\s:|-]+\|?\s*$/.test(text)) continue
      const cells = text.split('|').map((cell) => cell.trim())
      units.push(...cells.filter(Boolean).map((cell) => ({ file, line, text: cell })))
    } else if (/^\s*#{1,6}\s/.test(text)) {
      units.push({ file, line, text: text.replace(/^\s*#+\s*/, '') })
    } else {
      const words = text.replace(/^\s*([-*+]|\d+\.)\s+/, '').trim()
      paragraph = paragraph
        ? { ...paragraph, text: `${paragraph.text} ${words}` }
        : { line, text: words }
    }
  }
  endParagraph()
  return units
}

const blankLines = (text: string) => text.replace(/[^\n]/g, '')

const plain = (text: string) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, (found, label: string) =>
      found.startsWith('!') ? ' ' : label,
    )
    .replace(/\[([^\]]*)\]\([^)]*$/g, '$1')
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[*_]{1,2}([^*_]+)[*_]{1,2}/g, '$1')

interface Scanned {
  readonly strings: Unit[]
  readonly comments: Unit[]
}

interface Comment {
  readonly line: number
  readonly from: number
  readonly to: number
  text: string
  endLine: number
  readonly isBlock: boolean
}

/** Marks a word list or a prompt of a model: its strings are data, up to the next blank line. */
const dataMarker = '@language-data'

/** Strings, JSX text and comments of a TypeScript file that read as prose. */
export function fromTypeScript(file: string, source = readFileSync(file, 'utf8')): Scanned {
  const lineOf = lineFinder(source)
  const strings: { line: number; text: string; before: string }[] = []
  const comments: Comment[] = []
  let at = 0
  while (at < source.length) {
    const char = source[at]
    const two = source.slice(at, at + 2)
    if (two === '//' && source[at - 1] !== ':') {
      const end = source.indexOf('\n', at)
      const to = end < 0 ? source.length : end
      const line = lineOf(at)
      const text = source.slice(at + 2, to).trim()
      comments.push({ line, endLine: line, from: at, to, text, isBlock: false })
      at = to
    } else if (two === '/*') {
      const end = source.indexOf('*/', at)
      const to = end < 0 ? source.length : end + 2
      const text = source
        .slice(at + 2, to - 2)
        .replace(/^\s*\*+ ?/gm, '')
        .replace(/^\*/, '')
        .trim()
      comments.push({ line: lineOf(at), endLine: lineOf(to), from: at, to, text, isBlock: true })
      at = to
    } else if (char === "'" || char === '"' || char === '`') {
      const { end, text } = char === '`' ? templateFrom(source, at) : stringFrom(source, at)
      if (text !== null) {
        strings.push({ line: lineOf(at), text, before: source.slice(Math.max(0, at - 24), at) })
      }
      at = end
    } else at += 1
  }
  const data = dataLines(source, comments)
  const prose = strings.filter(
    ({ text, before, line }) =>
      isProse(text) &&
      !/(from|import|import\(|className=|to=)\s*$/.test(before) &&
      !data.some(({ from, to }) => line >= from && line <= to),
  )
  const jsx = file.endsWith('.tsx') ? jsxTexts(source, comments, lineOf) : []
  return {
    strings: [...prose, ...jsx].map(({ line, text }) => ({ file, line, text })),
    comments: joinLines(comments)
      .filter(({ text }) => /[a-z]{3,} [a-z]{2,}/i.test(text))
      .filter(({ text }) => !/^(biome-ignore|@ts-|@vitest|@module-tag|@covers)/.test(text))
      .map(({ line, text }) => ({
        file,
        line,
        text: plain(text.replaceAll(dataMarker, ' ').replace(/@\w+\s+\S+/g, ' ')),
      })),
  }
}

/** Lines from each marker of data to the next blank line. */
function dataLines(source: string, comments: readonly Comment[]) {
  const lines = source.split('\n')
  return comments
    .filter(({ text }) => text.includes(dataMarker))
    .map(({ endLine }) => {
      const blank = lines.findIndex((text, index) => index >= endLine && text.trim() === '')
      return { from: endLine, to: blank < 0 ? lines.length : blank + 1 }
    })
}

/** A string up to its end; its text is null if the line ends first, as after an apostrophe in JSX. */
function stringFrom(source: string, start: number): { end: number; text: string | null } {
  const quote = source[start]
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '\n') break
    else if (source[at] === quote) return { end: at + 1, text: source.slice(start + 1, at) }
  }
  return { end: start + 1, text: null }
}

/** A template literal with `X` for each of its values. */
function templateFrom(source: string, start: number): { end: number; text: string } {
  let text = ''
  let at = start + 1
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') at += 2
    else if (source.startsWith('${', at)) {
      at = endOfValue(source, at + 2)
      text += 'X'
    } else {
      text += source[at]
      at += 1
    }
  }
  return { end: at + 1, text }
}

function endOfValue(source: string, start: number): number {
  let depth = 1
  let at = start
  while (at < source.length && depth > 0) {
    if (source[at] === '`') {
      at = templateFrom(source, at).end
      continue
    }
    if (source[at] === '{') depth += 1
    if (source[at] === '}') depth -= 1
    at += 1
  }
  return at
}

function jsxTexts(source: string, comments: readonly Comment[], lineOf: (at: number) => number) {
  let code = source
  for (const { from, to } of comments) {
    code = code.slice(0, from) + ' '.repeat(to - from) + code.slice(to)
  }
  return [...code.matchAll(/(?<!=)[>}]([^<>{}=;]*[A-Za-z][^<>{}=;]*)(?=[<{])/g)]
    .map((match) => ({
      line: lineOf(match.index),
      text: (match[1] ?? ' ').replace(/\s+/g, ' ').trim(),
    }))
    .filter(({ text }) => /[a-z]{2,}/.test(text) && looksWritten(text) && !isCode(text))
}

/** Generics, arrows and comparisons also lie between `>` and `<`. */
const isCode = (text: string) =>
  /[([:,?]$|^[)\],.:?&|]|\?\.|\.\w+\(|&&|\|\||\breturn\b|\binterface \w|\breadonly\b|\bconst\b|\bawait\b|\bexport\b|\bcase\b|\bnew [A-Z]|['"`]|^\w+ \?|^\d+ \?|\bvoid \w+\b|^[a-z]\w*$|: \w+\)|\b[a-z]+[A-Z]\w*\(/.test(
    text,
  )

const looksWritten = (text: string) =>
  /[A-Za-z]{2,}/.test(text) &&
  !/^[a-z0-9_.:/?=&#-]+$/.test(text) &&
  !/^[A-Z0-9_]+$/.test(text) &&
  // SQL is in lower case; labels start with a capital letter.
  !/^\s*(select|insert|update|delete|with|create|alter|set|function|from|c\.|X Pips)\b/.test(
    text,
  ) &&
  !/^[a-z]\w*(\.\w+)+|^X(\.[a-z]\w*)+$/.test(text) &&
  !/[{}]|=>|https?:|^\.|^[\w./-]+\.(ts|tsx|css|json)$/.test(text)

const isProse = (text: string) =>
  looksWritten(text) && /^[A-Z“‘"'(]?[A-Za-z][a-z]*[ ,.…][a-zA-Z0-9“(]/.test(text.trim())

/** Line comments on adjacent lines are one text. */
function joinLines(comments: readonly Comment[]): Comment[] {
  const joined: Comment[] = []
  for (const comment of comments) {
    const last = joined.at(-1)
    if (last && !last.isBlock && !comment.isBlock && comment.line === last.endLine + 1) {
      last.text += ` ${comment.text}`
      last.endLine = comment.line
    } else joined.push({ ...comment })
  }
  return joined
}

function lineFinder(source: string): (at: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (at) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** Values of the named members anywhere in a JSON document, except in examples; each text once. */
export function fromJson(file: string, members: readonly string[]): Unit[] {
  const units = new Map<string, Unit>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) visit(item, `${path}/${index}`)
    else if (value !== null && typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) {
        const line = `${path}/${key}`
        if (members.includes(key) && typeof member === 'string') {
          const text = plain(member)
          if (!units.has(text)) units.set(text, { file, line, text })
        } else if (key !== 'example' && key !== 'examples') visit(member, line)
      }
    }
  }
  visit(JSON.parse(readFileSync(file, 'utf8')), '')
  return [...units.values()]
}

/**
 * Subjects of the newest commits, without type, scope and file names. Commits before the one that
 * added `rules` do not count: history is not rewritten.
 */
export function fromCommits(root: string, count: number, rules: string): Unit[] {
  const log = (...options: string[]) =>
    execFileSync('git', ['-C', root, 'log', ...options], { encoding: 'utf8' })
      .trim()
      .split('\n')
  const added = log('--diff-filter=A', '--format=%H', '--', rules).at(-1)
  const range = added ? [`${added}..HEAD`] : []
  return log('--no-merges', `-${count}`, '--format=%h%x09%s', ...range).flatMap((entry) => {
    const [hash = '', subject = ''] = entry.split('\t')
    return subject === '' ? [] : [{ file: hash, line: 0, text: subjectText(subject) }]
  })
}

/** A commit subject as prose: `fix(http): rename a.ts` becomes `rename CODE`. */
export const subjectText = (subject: string): string =>
  plain(subject.replace(/^\w+(\([^)]*\))?!?:\s*/, '')).replace(
    /\S+\.(?:ts|tsx|js|json|md|svg)\b/g,
    'CODE',
  )
