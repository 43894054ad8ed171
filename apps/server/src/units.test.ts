import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as units from './units.ts'

const server = fileURLToPath(new URL('..', import.meta.url))

interface Source {
  /** Path below the server, with slashes. */
  path: string
  text: string
}

function sources(folder: string): Source[] {
  return readdirSync(join(server, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(server, file).replaceAll(sep, '/'),
      text: codeOf(readFileSync(file, 'utf8')),
    }))
}

/** Without comments and words in quotes; what stands in a template may be computed, so it stays. */
const codeOf = (text: string) =>
  text.replaceAll(/'(?:\\.|[^'\\\n])*'|(?<!:)\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "''")

/** A thousand and sixty are everywhere; a number above says a length of time and nothing else, or is an exception. */
const known = new Map<number, string>([
  ...Object.entries(units).flatMap(([name, length]): [number, string][] =>
    length > 1_000 ? [[length, name]] : [],
  ),
  [7 * units.dayMilliseconds, '7 * dayMilliseconds'],
  [30 * units.daySeconds, '30 * daySeconds'],
  [365 * units.dayMilliseconds, '365 * dayMilliseconds'],
])

/** Numbers that look like a length of time and are none. */
const exceptions = [
  { path: 'src/limits.ts', text: 'scoreSamples: 60_000', because: 'it counts samples' },
] as const

const code = sources('src')
const isChecked = ({ path }: Source) =>
  path !== 'src/units.ts' && !path.endsWith('.test.ts') && !path.includes('/testing/')

function bareLengths({ path, text }: Source): string[] {
  const rest = exceptions
    .filter((exception) => exception.path === path)
    .reduce((remaining, exception) => remaining.replace(exception.text, ''), text)
  const numbers = [...rest.matchAll(/(?<![\w.])\d[\d_]*/g)].flatMap(([written]) => {
    const name = known.get(Number(written.replaceAll('_', '')))
    return name ? [`${path} has ${written}: import ${name} from units.ts`] : []
  })
  const products = [...rest.matchAll(/\b(?:60|24) \* 60\b|\b24 \* 3_?600\b/g)].map(
    ([written]) => `${path} has ${written}: import a constant from units.ts`,
  )
  return [...numbers, ...products]
}

describe('a length of time', () => {
  it('is no bare number outside units.ts', () => {
    expect(code.filter(isChecked).flatMap(bareLengths)).toEqual([])
  })

  it('says its unit in its name, in tests too', () => {
    const nameless =
      /\bconst (second|minute|hour|day|week|month|year)(?:: number)? = (?:\d|\w+(?:Milliseconds|Seconds)\b)|(?:Milliseconds|Seconds) as (second|minute|hour|day|week|month|year)\b/g
    const wrong = [...code, ...sources('test')].flatMap(({ path, text }) =>
      [...text.matchAll(nameless)].map(
        ([, declared, renamed]) =>
          `${path} calls a length ${declared ?? renamed}: import one of ${Object.keys(units).join(', ')} from units.ts`,
      ),
    )
    expect(wrong).toEqual([])
  })

  it('is distinguished from the exceptions, each of which still exists', () => {
    const gone = exceptions.filter(
      ({ path, text }) => !code.find((source) => source.path === path)?.text.includes(text),
    )
    expect(gone).toEqual([])
  })

  it('is as long as the one before makes it', () => {
    expect(units.minuteMilliseconds).toBe(units.minuteSeconds * units.secondMilliseconds)
    expect(units.hourMilliseconds).toBe(60 * units.minuteMilliseconds)
    expect(units.dayMilliseconds).toBe(24 * units.hourMilliseconds)
    expect(units.hourSeconds).toBe(60 * units.minuteSeconds)
    expect(units.daySeconds).toBe(24 * units.hourSeconds)
    expect(units.weekSeconds).toBe(7 * units.daySeconds)
    expect(units.yearSeconds).toBe(365 * units.daySeconds)
  })
})
