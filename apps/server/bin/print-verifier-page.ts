import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('../verifier/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

const [firstOfBrowsers, firstOfCommandLine] = ['// Bytes.\n', '// The command line.\n']

/** A module as part of a script: what it imports is there already, and nobody imports from it. */
const inlined = (text: string): string =>
  text.replace(/^import .*\n/gm, '').replace(/^export (?=function|const)/gm, '')

/** What of verify.mjs does not need Node: everything between its two hashes and its command line, to the letter. */
function portableChecks(): string {
  const text = read('verify.mjs')
  const [from, to] = [text.indexOf(firstOfBrowsers), text.indexOf(firstOfCommandLine)]
  if (from < 0 || to < from)
    throw new Error('verify.mjs does not say where its checks begin or end.')
  return text.slice(from, to)
}

/** The page that checks a bundle in a browser: one file, which may load, run and send nothing but itself. */
export function printVerifierPage(): string {
  const primitives = `const { sha256, isEd25519 } = (() => {\n${inlined(read('page/primitives.mjs'))}\nreturn { sha256, isEd25519 }\n})()\n`
  const script = `\n${[primitives, inlined(portableChecks()), inlined(read('page/page.mjs'))].join('\n')}`
  if (script.includes('</script')) throw new Error('The script would end within itself.')
  const style = `\n${read('page/page.css')}`
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`
  const places: Readonly<Record<string, string>> = {
    '<meta charset="utf-8">': `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<link rel="stylesheet" href="page.css">': `<style>${style}</style>`,
    '<script type="module" src="page.mjs"></script>': `<script type="module">${script}</script>`,
  }
  return Object.entries(places).reduce((page, [place, part]) => {
    if (!page.includes(place)) throw new Error(`The page has no place for its part: ${place}.`)
    return page.replace(place, () => part)
  }, read('page/page.html'))
}

if (import.meta.main) writeFileSync(new URL('verify.html', folder), printVerifierPage())
